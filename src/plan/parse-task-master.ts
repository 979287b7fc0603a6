import { type Hinted, linkTasks } from "./dependencies.ts"
import { orderTasks } from "./order-tasks.ts"
import type { Plan, PlanWarning, SubItem, Task, TaskState } from "./plan.ts"
import { summarize } from "./summarize.ts"
import { type TakenKeys, takeKey } from "./take-key.ts"
import { cleanTitle, hashTitle } from "./title.ts"

type Json = Readonly<Record<string, unknown>>

interface Reading {
  readonly taken: TakenKeys
  readonly warnings: PlanWarning[]
  readonly lineOf: (title: string) => number
}

const STATES: ReadonlyMap<string, TaskState> = new Map(
  Object.entries({
    pending: "open",
    "in-progress": "in_progress",
    review: "in_progress",
    done: "done",
    completed: "done",
    blocked: "blocked",
    deferred: "blocked",
    cancelled: "cancelled",
  } as const),
)
const DEFAULT_TAG = "master"
const MAX_TASKS = 100_000
const UNKNOWN_STATUS = "Nobody knows its status: the task counts as open and is not run."

/**
 * Reads task-master's `tasks.json` as a plan: the tag `master`, or else the first one. Text that is
 * no such file gives a plan without tasks, and a warning. `markTask` refuses its tasks, since their
 * state is kept by task-master itself.
 */
export function parseTaskMaster(text: string): Plan {
  const reading: Reading = { taken: new Map(), warnings: [], lineOf: lineFinder(text) }
  const found = findTasks(parseJson(text), reading.warnings)
  const hinted = found.map((json) => readTask(json, reading))
  const subItems = found.flatMap((json, at) => readSubtasks(json, hinted[at]?.task))
  const links = linkTasks(hinted, subItems)
  const tasks = hinted.map(({ task }) => task)
  return {
    dialect: "task-master",
    evidence: "a tasks.json file",
    ...summarize(orderTasks(tasks, links.of)),
    subItems,
    ignored: [],
    warnings: [...reading.warnings, ...links.warnings],
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""))
  } catch {
    return null
  }
}

function findTasks(json: unknown, warnings: PlanWarning[]): readonly Json[] {
  const lists = isRecord(json) ? Object.entries(json).flatMap(tagged) : []
  const chosen = lists.find(({ tag }) => tag === DEFAULT_TAG) ?? lists[0]
  if (chosen === undefined) {
    const message = "This is no tasks.json of task-master: expected an object with a list of tasks."
    warnings.push({ line: 1, rule: "no-tasks-json", message })
    return []
  }
  if (lists.length > 1) {
    const message = `Only the tag ${chosen.tag.slice(0, 40)} is read; the file has ${lists.length}.`
    warnings.push({ line: 1, rule: "other-tags", message })
  }
  return chosen.tasks.filter(isRecord).slice(0, MAX_TASKS)
}

/** `{ "tasks": […] }`, or a list under each tag: `{ "master": { "tasks": […] } }`. */
function tagged([tag, value]: [string, unknown]): { tag: string; tasks: unknown[] }[] {
  if (tag === "tasks" && Array.isArray(value)) return [{ tag: DEFAULT_TAG, tasks: value }]
  const tasks = isRecord(value) ? value["tasks"] : null
  return Array.isArray(tasks) ? [{ tag, tasks }] : []
}

function readTask(json: Json, { taken, warnings, lineOf }: Reading): Hinted {
  const label = idOf(json["id"])
  const title = textOf(json["title"])
  const titleHash = hashTitle(title)
  const { key, isFirst } = takeKey(taken, "task", label, titleHash)
  const state = STATES.get(textOf(json["status"])) ?? null
  const line = lineOf(title)
  if (!isFirst)
    warnings.push(warning(line, "duplicate-label", `Another task has this id: this one is ${key}.`))
  if (state === null) warnings.push(warning(line, "unknown-marker", UNKNOWN_STATUS))
  const task: Task = {
    key,
    label,
    title: cleanTitle(title),
    titleHash,
    section: "task",
    group: null,
    state: state ?? "open",
    marker: "",
    line,
    endLine: line,
    optional: false,
    runnable: state === "open" || state === "in_progress",
    dependsOn: [],
    reusable: isFirst,
    rejected: false,
    dialect: "task-master",
  }
  const list = listOf(json["dependencies"]).map(idOf).join(", ")
  return { task, hints: list === "" ? [] : [{ line, list }] }
}

function readSubtasks(json: Json, task: Task | undefined): SubItem[] {
  if (task === undefined) return []
  return listOf(json["subtasks"])
    .filter(isRecord)
    .map((sub) => {
      const id = idOf(sub["id"])
      const label = id === null || task.label === null ? null : `${task.label}.${id}`
      const state = STATES.get(textOf(sub["status"])) ?? "open"
      return { line: task.line, parentKey: task.key, label, state }
    })
}

/** Finds the line of each title in turn, in one pass over the text; once lost, the last line found. */
function lineFinder(text: string): (title: string) => number {
  let at = 0
  let line = 1
  let lineEnd = text.indexOf("\n")
  let isLost = false
  return (title) => {
    const found = isLost ? -1 : text.indexOf(JSON.stringify(title), at)
    isLost = found === -1
    if (isLost) return line
    at = found + 1
    for (; lineEnd !== -1 && lineEnd < found; line++) lineEnd = text.indexOf("\n", lineEnd + 1)
    return line
  }
}

function warning(line: number, rule: string, message: string): PlanWarning {
  return { line, rule, message }
}

function idOf(id: unknown): string | null {
  return typeof id === "number" || (typeof id === "string" && id !== "") ? String(id) : null
}

function textOf(text: unknown): string {
  return typeof text === "string" ? text : ""
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

function isRecord(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json)
}
