// Makes a plan from a list of tasks that were read as data.

import { addTo } from "../model/once.ts"
import {
  type IgnoredLine,
  isSettled,
  isWorkable,
  type Plan,
  type PlanWarning,
  type SubItem,
  type Task,
  type TaskState,
} from "../model/plan.ts"
import { cleanTitle, hashTitle } from "../model/title.ts"
import { trimSigns } from "../model/trim-end.ts"
import { openNested } from "../tasks/children-done.ts"
import { type Hinted, linkTasks } from "../tasks/dependencies.ts"
import { orderTasks, summarize } from "../tasks/summarize.ts"
import { type TakenKeys, takeKey } from "../tasks/take-key.ts"

/** A task of a plan that keeps its tasks as data: JSON, or front matter. */
export interface ListedTask {
  readonly label: string | null
  readonly title: string
  /** Null for an unknown status. */
  readonly state: TaskState | null
  /** The status as written. */
  readonly marker: string
  /** 1-based; 0 if the plan has no lines. */
  readonly line: number
  readonly endLine: number
  /** Why it is blocked, if the plan says so beside its status. */
  readonly blockedBy: string | null
  /** What the plan says about it besides its title. */
  readonly body: string
  /** Ids of tasks that come first, separated by commas. */
  readonly after: string
  readonly parts: readonly Pick<SubItem, "label" | "state">[]
}

interface ListedPlan {
  readonly dialect: string
  readonly evidence: string
  readonly tasks: readonly ListedTask[]
  readonly ignored: readonly IgnoredLine[]
  readonly warnings: readonly PlanWarning[]
}

const NO_KEY_SIGN = /[^\p{L}\p{N}._#-]+/gu
const ENDS = { start: "._#-", end: "._#-" }
const MAX_LABEL = 80

/** The plan of a list of tasks: keys, dependencies, counts and what is next, as for a plan of rows. */
export function planOfList(list: ListedPlan): Plan {
  const taken: TakenKeys = new Map()
  const hinted = list.tasks.map((listed) => hintedTask(listed, list.dialect, taken))
  const subItems = list.tasks.flatMap(({ parts }, at) => partsOf(parts, hinted[at]?.task))
  const links = linkTasks(hinted, subItems)
  const tasks = hinted.map(({ task }) => task)
  return {
    dialect: list.dialect,
    evidence: list.evidence,
    ...summarize(orderTasks(tasks, links.of)),
    subItems,
    ignored: list.ignored,
    warnings: [
      ...list.warnings,
      ...warningsOf(list.tasks, tasks),
      ...links.warnings,
      ...openNested(partsLeft(tasks, subItems)),
    ],
  }
}

/** An id as a label that a key can hold; null if it has no letter or digit. */
export function labelOf(id: unknown): string | null {
  const text = typeof id === "number" ? String(id) : typeof id === "string" ? id : ""
  const label = trimSigns(text.slice(0, MAX_LABEL).replace(NO_KEY_SIGN, "-"), ENDS)
  return label === "" ? null : label
}

function hintedTask(listed: ListedTask, dialect: string, taken: TakenKeys): Hinted {
  const { label, title, state, marker, line, endLine, body, after, blockedBy } = listed
  const titleHash = hashTitle(title)
  const { key, isFirst } = takeKey(taken, { section: "task", label }, titleHash)
  const task: Task = {
    key,
    label,
    title: cleanTitle(title),
    titleHash,
    section: "task",
    group: null,
    state: state ?? "open",
    marker,
    line,
    endLine,
    body,
    optional: false,
    runnable: isWorkable(state),
    ...(state === null ? { unknown: true } : {}),
    dependsOn: [],
    reusable: isFirst,
    rejected: false,
    dialect,
    ...(blockedBy === null ? {} : { note: { words: blockedBy, lines: [] } }),
  }
  return { task, hints: after === "" ? [] : [{ line, list: after }] }
}

function partsOf(parts: ListedTask["parts"], task: Task | undefined): readonly SubItem[] {
  if (task === undefined) return []
  return parts.map((part) => ({ ...part, line: task.line, parentKey: task.key }))
}

/** Unsettled parts of settled tasks. */
function partsLeft(tasks: readonly Task[], subItems: readonly SubItem[]): readonly SubItem[] {
  const settled = new Set(tasks.filter(isSettled).map(({ key }) => key))
  return subItems.filter((item) => settled.has(item.parentKey) && !isSettled(item))
}

function warningsOf(listed: readonly ListedTask[], tasks: readonly Task[]): readonly PlanWarning[] {
  const again = tasks
    .filter(({ reusable }) => !reusable)
    .map(({ key, line, label }): PlanWarning => {
      const message = `Another task has this ${label === null ? "title" : "id"}: this one is ${key}.`
      return { line, key, rule: "duplicate-label", message }
    })
  const unknown = new Map<string, Task[]>()
  for (const [at, task] of tasks.entries()) {
    if (listed[at]?.state === null) addTo(unknown, task.marker, task)
  }
  return [...[...unknown.values()].flatMap(unknownStatus), ...again]
}

/** One warning for all tasks with the same status. */
function unknownStatus([first, ...others]: readonly Task[]): readonly PlanWarning[] {
  if (first === undefined) return []
  const { key, line, marker } = first
  const status = marker === "" ? "There is no status" : `The status "${marker}" is unknown`
  const tasks =
    others.length === 0
      ? `${key} counts as open and is not run.`
      : `${key} and ${others.length} more count as open and are not run.`
  return [{ line, key, rule: "unknown-marker", message: `${status}: ${tasks}` }]
}
