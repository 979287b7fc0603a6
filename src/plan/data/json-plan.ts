// Reads a JSON plan.

import { isSettledState, type Plan, type PlanWarning } from "../model/plan.ts"
import { stateOfWord } from "../model/state-words.ts"
import {
  findList,
  flagKey,
  isList,
  isRecord,
  type Json,
  type JsonList,
  titleOf,
  wordOf,
} from "./json-lists.ts"
import { statusOf } from "./json-status.ts"
import { type ListedTask, labelOf, planOfList } from "./listed-plan.ts"

const MAX_TASKS = 100_000
const MAX_BODY = 20_000
const BODIES = [
  ...["description", "desc", "details", "acceptanceCriteria", "acceptance_criteria", "acceptance"],
  ...["criteria", "steps", "testStrategy", "verification", "notes"],
]
const DEPENDENCIES = ["dependencies", "dependsOn", "depends_on", "blockedBy", "blocked_by"]
const LAST = Number.MAX_VALUE

/** A JSON plan as it was read, and where its tasks stand. */
export interface JsonReading {
  readonly plan: Plan
  readonly json: unknown
  /** Null for a file without tasks. */
  readonly list: JsonList | null
  /** The index in the list of each task, by its key. */
  readonly indexes: ReadonlyMap<string, number>
}

interface IndexedTask {
  readonly task: ListedTask
  readonly index: number
  readonly priority: number
}

/**
 * Reads a JSON plan: task-master's `tasks.json`, Ralph's `prd.json`, a `feature_list.json`, recognised by the key that their list stands
 * under. Any other text gives a plan without tasks, and a warning.
 */
export function readJson(text: string): JsonReading {
  const json = parseJson(text)
  const list = findList(json)
  const none = { json, list: null, indexes: new Map() }
  if (json === undefined)
    return { ...none, plan: noPlan(`This is not valid JSON: ${NO_JSON.action}.`, NO_JSON.rule) }
  if (!isList(list)) return { ...none, plan: noPlan(nestedUnder(json) ?? noList(list)) }
  const items = list.items.slice(0, MAX_TASKS)
  const isMarked = list.dialect === "task-master" || items.some(hasState)
  const lineOf = list.dialect === "task-master" ? lineFinder(text) : () => 0
  const indexed = (isMarked ? items : []).flatMap((item, index) =>
    isRecord(item) ? [indexedTask(item, index, lineOf)] : [],
  )
  if (list.dialect === "prd-json") indexed.sort(byPriority)
  const tasks = indexed.map(({ task }) => task)
  const plan = planOfList({ ...list, tasks, ignored: [], warnings: warningsOf(list) })
  const indexes = plan.tasks.map(({ key }, at) => [key, indexed[at]?.index ?? -1] as const)
  return { plan, json, list, indexes: new Map(indexes) }
}

/** Undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""))
  } catch {
    return undefined
  }
}

function indexedTask(item: Json, index: number, lineOf: (title: string) => number): IndexedTask {
  const label = labelOf(item["id"])
  const title = titleOf(item) || (label ?? "")
  const line = lineOf(title)
  const after = DEPENDENCIES.flatMap((key) => listOf(item[key])).flatMap((id) => labelOf(id) ?? [])
  const { priority } = item
  return {
    task: {
      label,
      title,
      ...statusOf(item),
      line,
      endLine: line,
      body: bodyOf(item, title),
      after: after.join(", "),
      parts: partsOf(item, label),
    },
    index,
    priority: typeof priority === "number" ? priority : LAST,
  }
}

function byPriority(one: IndexedTask, other: IndexedTask): number {
  return one.priority - other.priority
}

function bodyOf(item: Json, title: string): string {
  const texts = BODIES.flatMap((key) => {
    const value = item[key]
    if (typeof value === "string") return value === title || value.trim() === "" ? [] : [value]
    return listOf(value)
      .map((one) => (isRecord(one) ? textOf(one["text"]) || titleOf(one) : textOf(one)))
      .flatMap((one) => (one === "" ? [] : [`- ${one}`]))
  })
  return texts.join("\n").slice(0, MAX_BODY)
}

function partsOf(item: Json, label: string | null): ListedTask["parts"] {
  return partsIn(item).map((part) => {
    const id = labelOf(part["id"])
    const state = stateOfWord(wordOf(part) ?? "") ?? "open"
    const whole = id?.startsWith(`${label}.`) ? id : `${label}.${id}`
    return { label: id === null || label === null ? null : whole, state }
  })
}

function partsIn(item: Json): readonly Json[] {
  return listOf(item["subtasks"] ?? item["tasks"]).filter(isRecord)
}

/** Unknown words for a state, of a task that also has a boolean, and of its parts: no other warning names these. */
function unknownWords(item: Json): readonly string[] {
  const told = [...(flagKey(item) === null ? [] : [item]), ...partsIn(item)]
  return told.flatMap((each) => wordOf(each) ?? []).filter((word) => stateOfWord(word) === null)
}

function hasState(item: unknown): boolean {
  return isRecord(item) && (flagKey(item) !== null || wordOf(item) !== null)
}

function warningsOf({ path, others, dialect, items }: JsonList): PlanWarning[] {
  const [tag = ""] = path
  const left = others.map((list) => ({ tag: list.tag, open: list.items.filter(isLeft).length }))
  const open = left.reduce((sum, list) => sum + list.open, 0)
  const names = left.filter((list) => list.open > 0).map((list) => list.tag.slice(0, 40))
  const tasks = open === 1 ? "1 open task stands" : `${open} open tasks stand`
  const other = `Only what stands under ${tag.slice(0, 40)} is read: ${tasks} under ${named(names)}.`
  const found = items.length === 1 ? "1 entry" : `${items.length} entries`
  const bare = `${found} found, but none has \`passes\` or \`status\`: add \`"passes": false\` to each.`
  const nested = items.filter((item) => isRecord(item) && listOf(item["tasks"]).some(isRecord))
  const inside = `${nested.length} of the entries hold tasks of their own (\`tasks\`): each entry is one task, and those are its parts.`
  const isBare = dialect !== "task-master" && items.length > 0 && !items.some(hasState)
  const unknown = items.filter(isRecord).flatMap(unknownWords)
  const words = `${unknown.length === 1 ? "1 status is" : `${unknown.length} statuses are`} unknown, the first "${unknown[0]?.slice(0, 40)}": a key such as \`passes\` counts where there is one; what has none counts as open.`
  return [
    ...(open === 0 ? [] : [{ line: 0, rule: "other-tags", message: other }]),
    ...(nested.length === 0 ? [] : [{ line: 0, rule: "nested-tasks", message: inside }]),
    ...(isBare ? [{ line: 0, rule: "no-status", message: bare }] : []),
    ...(unknown.length === 0 ? [] : [{ line: 0, rule: "unknown-marker", message: words }]),
  ]
}

function named(names: readonly string[]): string {
  const [some, more] = [names.slice(0, 4).join(", "), names.length - 4]
  return more > 0 ? `${some} and ${more} more` : some
}

function isLeft(item: unknown): boolean {
  return isRecord(item) && !isSettledState(statusOf(item).state)
}

/** What was found in a text that is not JSON, and what to do. */
export const NO_JSON = {
  rule: "no-json",
  found: "it is not valid JSON",
  action: "fix it, or let the tool that wrote it write it again",
} as const

/** For a file whose lists of tasks stand in the entries of another list, such as phases, which have no state themselves. */
function nestedUnder(json: unknown): string | null {
  const key = Object.entries(isRecord(json) ? json : {}).find(
    ([, items]) =>
      Array.isArray(items) && items.some((item) => isRecord(item) && Array.isArray(item["tasks"])),
  )?.[0]
  return key === undefined
    ? null
    : `Expected one list of tasks; found one in each entry of \`${key.slice(0, 40)}\`: give each of these a \`status\`, or put their tasks into one list \`tasks\`.`
}

function noList(others: readonly string[]): string {
  const names = others.slice(0, 4).map((name) => `\`${name.slice(0, 40)}\``)
  return others.length === 0
    ? "Expected a list `userStories` (prd.json), `features` (feature_list.json), `tasks` (tasks.json) or one whose entries have a title and a status; found none."
    : `Expected one list of tasks; found ${others.length} (${names.join(", ")}): name the right one \`tasks\`.`
}

/** The name for a .json file that is no plan of any format. */
export const OTHER_JSON = "json"

function noPlan(message: string, rule = "no-task-list"): Plan {
  const warnings = [{ line: 0, rule, message }]
  return planOfList({
    dialect: OTHER_JSON,
    evidence: "a .json file",
    tasks: [],
    ignored: [],
    warnings,
  })
}

/** Finds the line of each title in turn, in one pass over the text; if one is not found, the last line found. */
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

function textOf(text: unknown): string {
  return typeof text === "string" ? text : ""
}

function listOf(list: unknown): readonly unknown[] {
  if (typeof list === "string" || typeof list === "number") return [list]
  return Array.isArray(list) ? list : []
}
