// The formats that are not lists of rows, and how each is read and marked.

import type { MarkResult, MarkState } from "./check-marked.ts"
import { hasFrontTodos, isTaskFile, readFrontTodos, TASK_FILE } from "./data/front-todos.ts"
import { readJson } from "./data/json-plan.ts"
import { planOfList } from "./data/listed-plan.ts"
import { markFrontTodo } from "./mark-front-todo.ts"
import { markJsonTask } from "./mark-json.ts"
import type { ParseOptions, Plan, Task } from "./model/plan.ts"

/** What describes a format: docs/PLAN-FORMATS.md and the search for plans are made from these rows. */
export interface Format {
  readonly name: string
  /** Where such plans lie, as globs from a project's root. */
  readonly patterns: readonly string[]
  /** How the format is recognised, in words. */
  readonly told: string
  /** What is a task, in words. */
  readonly tasks: string
  /** How a state is written, in words. */
  readonly marks: string
}

/** A format that is no list of rows, with functions of its own for reading and writing. */
export interface Adapter extends Format {
  /** Whether this text has the format; asked if no other dialect is named. */
  readonly isOf: (text: string, options: ParseOptions) => boolean
  readonly read: (text: string, options: ParseOptions) => Plan
  /** Writes a task's state; null if the format has none of its own. */
  readonly mark: ((text: string, task: Task, state: MarkState, note?: string) => MarkResult) | null
  /** How to settle a task by hand, in words for the model: "set its …". */
  readonly settles: string
  /** How to block a task by hand, in words for the model; `own` is "its" or "the task's". */
  readonly blocks: (own: string) => string
}

const byItsNotes = (own: string) => `begin ${own} \`notes\` with \`BLOCKED: why\``
const readsJson = { read: (text: string) => readJson(text).plan, mark: markJsonTask }
const readsFront = {
  read: readFrontTodos,
  mark: markFrontTodo,
  blocks: (own: string) => `write \`# BLOCKED: why\` behind ${own} \`status\``,
}
/** Recognised by the one reader of JSON, which looks at the key of the list. */
const byItsList = { ...readsJson, isOf: () => false }

/** Formats that are tried, in this order, before the rows of a text are read. */
export const ADAPTERS: readonly Adapter[] = [
  {
    ...readsJson,
    name: "prd-json",
    patterns: ["prd.json", "scripts/ralph/prd.json", ".ralph/prd.json", "tasks/prd.json"],
    told: "a list `userStories` in a .json file",
    tasks: "the entries of `userStories`, by `priority`, then in their order; without line numbers",
    marks:
      "`passes`: true or false, and `status` where there is one: done is what both say; a block as `BLOCKED: why` in `notes`, their first line or entry",
    settles: "set its `passes` to true",
    blocks: byItsNotes,
    isOf: (_, { path }) => path?.endsWith(".json") ?? false,
  },
  {
    ...byItsList,
    name: "feature-list",
    patterns: ["feature_list.json"],
    told: "a list `features`, nothing but a list, or the only list whose entries each have a title and a `status` or `passes`, in a .json file; it may be in parts, one in each entry of another list, such as phases",
    tasks: "the entries of the list; without line numbers",
    marks: "`passes`: true or false, or `status` (`state`) in the words that the file uses",
    settles: "mark it done",
    blocks: byItsNotes,
  },
  {
    ...byItsList,
    name: "task-master",
    patterns: [".taskmaster/tasks/tasks.json", "tasks/tasks.json"],
    told: "a list `tasks`, or tags that hold one, in a .json file",
    tasks: "the entries of `tasks`, of the tag `master` or else the first one",
    marks: "`status`: pending, in-progress, done, blocked",
    settles: "set its `status` to done",
    blocks: (own) => `set ${own} \`status\` to blocked`,
  },
  {
    name: "cursor",
    patterns: [".cursor/plans/*.md"],
    told: "a list `todos` in the front matter",
    tasks: "the entries of `todos`, each on the line where it begins",
    marks:
      "`status`: pending, in_progress, completed; a block as a comment `# BLOCKED: why` after it",
    settles: "set its `status` to completed",
    isOf: hasFrontTodos,
    ...readsFront,
  },
  {
    ...readsFront,
    name: TASK_FILE,
    patterns: [],
    told: "front matter with id, title, status and created_date, and no box below it (a Backlog.md task without criteria)",
    tasks: "the file itself",
    marks: "`status`: To Do, In Progress, Done; a block as a comment `# BLOCKED: why` after it",
    settles: "set its `status` to Done",
    isOf: isTaskFile,
  },
  {
    name: "beads",
    patterns: [],
    told: "a .jsonl file",
    tasks: "none: its issues are named, and what a plan would need",
    marks: "by beads itself",
    settles: "close it with `bd close`",
    blocks: (own) => `set ${own} status with \`bd update\``,
    isOf: (_, { path }) => path?.endsWith(".jsonl") ?? false,
    read: readIssueList,
    mark: null,
  },
]

const OPEN = /"status"[ \t]*:[ \t]*"(?:open|in_progress|blocked)"/

/** An issue list (beads' `issues.jsonl`) is no plan: says what was found, and what a plan would need. */
function readIssueList(text: string): Plan {
  const issues = text.split("\n").filter((line) => line.trimStart().startsWith("{"))
  const open = issues.filter((line) => OPEN.test(line)).length
  const message =
    `Found a list of ${issues.length} issues (${open} open), as beads keeps it; it is not carried out from here. ` +
    "Write what is to be done as a plan, each task as a list row with a box, `- [ ] 1. Title`, in .boulder/plans/ of the project's root."
  const warnings = [{ line: 0, rule: "issue-list", message }]
  const evidence = "a .jsonl file"
  return planOfList({ dialect: "beads", evidence, tasks: [], ignored: [], warnings })
}
