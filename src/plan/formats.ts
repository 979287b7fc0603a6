import { DIALECTS, type Dialect } from "./dialects.ts"
import type { MarkResult, MarkState } from "./mark-task.ts"
import type { ParseOptions } from "./parse-plan.ts"
import { parseTaskMaster } from "./parse-task-master.ts"
import type { Plan, Task } from "./plan.ts"

/** What there is to know of a format: docs/PLAN-FORMATS.md and the search for plans are made of these rows. */
export interface Format {
  readonly name: string
  /** Where such plans lie, as globs from a project's root. */
  readonly places: readonly string[]
  /** How it is told from others, in words. */
  readonly told: string
  /** What is a task, in words. */
  readonly tasks: string
  /** How a state is written, in words. */
  readonly marks: string
}

/** A format that is no list of rows: it is read, and written, by functions of its own. */
export interface Adapter extends Format {
  /** Whether this text is of the format; asked where no other dialect is named. */
  readonly isOf: (text: string, options: ParseOptions) => boolean
  readonly read: (text: string, options: ParseOptions) => Plan
  /** Writes a task's state; null where another tool keeps it. */
  readonly mark: ((text: string, task: Task, state: MarkState) => MarkResult) | null
}

/** Formats that are asked before the rows of a text are read, in this order. */
export const ADAPTERS: readonly Adapter[] = [
  {
    name: "task-master",
    places: [],
    told: "a file that ends in .json",
    tasks: "the entries of `tasks`, those of the tag `master` first",
    marks: "by task-master itself",
    isOf: (_, { path }) => path?.endsWith(".json") ?? false,
    read: parseTaskMaster,
    mark: null,
  },
]

/** Every format that the reader knows. */
export const FORMATS: readonly Format[] = [...DIALECTS.map(formatOf), ...ADAPTERS]

/** The adapter that reads this text; null for a text of rows. */
export function adapterOf(text: string, options: ParseOptions): Adapter | null {
  const { dialect } = options
  const found = ADAPTERS.find((adapter) =>
    dialect === undefined ? adapter.isOf(text, options) : adapter.name === dialect,
  )
  return found ?? null
}

/** Whether a format of this name is read by functions of its own, and not by its rows. */
export function isAdapted(dialect: string): boolean {
  return ADAPTERS.some(({ name }) => name === dialect)
}

function formatOf({ name, places, tasks, frontMatterKeys, signals, written }: Dialect): Format {
  const keys =
    frontMatterKeys.length === 0 ? [] : [`front matter with ${frontMatterKeys.join(" and ")}`]
  const told = ["its path", ...keys, ...signals.map(({ says }) => says)].join("; ")
  const ours = Object.entries(written).filter(([state]) => state !== "cancelled")
  const marks = ours.map(([state, marker]) => `\`[${marker}]\` ${state.replace("_", " ")}`)
  const block = written.blocked === undefined ? ["a `BLOCKED:` line below the row"] : []
  return { name, places, told, tasks, marks: [...marks, ...block].join(", ") }
}
