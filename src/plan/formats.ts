// Joins the formats of rows (dialects/dialects.ts) and all others (adapters.ts): where each lies, how it is recognised and marked.
import { ADAPTERS, type Adapter, type Format } from "./adapters.ts"
import { OTHER_JSON } from "./data/json-plan.ts"
import { DIALECTS, type Dialect } from "./dialects/dialects.ts"
import type { ParseOptions, Task } from "./model/plan.ts"

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

/** How to settle a task by hand, in words for the model; a heading by the boxes of its steps, or its status. */
export function settlesWords(
  task: Pick<Task, "dialect" | "steps" | "status" | "settledBy"> | undefined,
): string {
  if (task?.settledBy !== undefined)
    return `write \`${task.settledBy}\` next to the plan once all its tasks are done`
  return `${settlesInPlan(task)} in the plan`
}

function settlesInPlan(task: Pick<Task, "dialect" | "steps" | "status"> | undefined): string {
  const adapter = ADAPTERS.find(({ name }) => name === task?.dialect)
  if (adapter !== undefined) return adapter.settles
  if (task?.steps === undefined) return "tick its box"
  return isSaidInWords(task)
    ? "set the `Status:` below its heading to complete"
    : "tick all its boxes"
}

/** Whether boxes say that a task is done; in other plans a value, or words below its heading, do. */
export function isSettledByBox(
  task: Pick<Task, "dialect" | "steps" | "status"> | undefined,
): boolean {
  return !(isAdapted(task?.dialect ?? "") || (task !== undefined && isSaidInWords(task)))
}

/** Words below a heading state its state. */
function isSaidInWords({ steps, status }: Pick<Task, "steps" | "status">): boolean {
  return steps?.length === 0 && status !== undefined
}

/**
 * How to block a task by hand, in words for the model; `own` is "its" or "the task's". A tick counts for more: below one, a line blocks
 * nothing.
 */
export function blocksWords(
  task: Pick<Task, "dialect" | "steps" | "status" | "state" | "written" | "settledBy"> | undefined,
  own: "its" | "the task's",
): string {
  if (task?.settledBy !== undefined) return "leave it and tell the user"
  return `${blocksInPlan(task, own)} in the plan`
}

function blocksInPlan(
  task: Pick<Task, "dialect" | "steps" | "status" | "state" | "written"> | undefined,
  own: "its" | "the task's",
): string {
  const adapter = ADAPTERS.find(({ name }) => name === task?.dialect)
  if (adapter !== undefined) return adapter.blocks(own)
  const isTicked = task !== undefined && (task.written ?? task).state === "done"
  if (isTicked && isSaidInWords(task)) return `set the \`Status:\` below ${own} heading to blocked`
  const [what, boxes] = task?.steps === undefined ? ["row", "box"] : ["heading", "boxes"]
  return `${isTicked ? `untick ${own} ${boxes} and ` : ""}write \`BLOCKED: why\` below ${own} ${what}`
}

/** A format in words, for people and models alike, wherever one is named. */
export function formatName(dialect: string): string {
  return `${dialect} format`
}

/** Whether a format of this name is read by functions of its own, not by its rows. */
export function isAdapted(dialect: string): boolean {
  return dialect === OTHER_JSON || ADAPTERS.some(({ name }) => name === dialect)
}

function formatOf({ name, patterns, tasks, frontMatterKeys, signals, written }: Dialect): Format {
  const keys =
    frontMatterKeys.length === 0 ? [] : [`front matter with ${frontMatterKeys.join(" and ")}`]
  const told = ["its path", ...keys, ...signals.map(({ says }) => says)].join("; ")
  const ours = Object.entries(written).filter(([state]) => state !== "cancelled")
  const marks = ours.map(([state, marker]) => `\`[${marker}]\` ${state.replace("_", " ")}`)
  const block = written.blocked === undefined ? ["a `BLOCKED:` line below the row"] : []
  return { name, patterns, told, tasks, marks: [...marks, ...block].join(", ") }
}
