// Finds the list of tasks in a JSON plan by the key that it stands under.
/** An object as in JSON. */
export type Json = Readonly<Record<string, unknown>>

/** The list of a JSON plan's tasks, and where it stands. */
export interface JsonList {
  readonly dialect: "task-master" | "prd-json" | "feature-list"
  readonly evidence: string
  /** The keys that lead to the list. */
  readonly path: readonly string[]
  readonly items: readonly unknown[]
  /** The keys that lead to each item, if they stand in several lists. */
  readonly places?: readonly Keys[]
  /** Lists of the same kind, and single tasks, that are not read. */
  readonly others: readonly { readonly tag: string; readonly items: readonly unknown[] }[]
}

type Keys = readonly (string | number)[]

/** A list whose entries are tasks. */
type ListOfTasks = Pick<JsonList, "path" | "items" | "places">

const DEFAULT_TAG = "master"
const STORIES = ["userStories", "user_stories", "stories"]
const INDEX = /^\d{1,9}$/
const FEATURES = ["features", "feature_list", "featureList"]

/**
 * The list of tasks in a JSON plan, found by the key that it stands under, else because it is the only list whose entries each have a title
 * and a state. The keys of such lists if there are several; none for any other file.
 */
export function findList(json: unknown): JsonList | readonly string[] {
  if (Array.isArray(json)) {
    return json.some(isRecord) ? featureList([], json, "a list of features") : []
  }
  if (!isRecord(json)) return []
  const known = underKey(json, STORIES) ?? underKey(json, FEATURES) ?? underTag(json)
  if (known !== null) return known
  const [first, ...others] = listsOfTasks(json)
  if (first === undefined || others.length > 0)
    return [first, ...others].flatMap((list) => list?.path.join(".") ?? [])
  const evidence = `a list \`${first.path.join(".")}\` of entries with a title and a state`
  return { ...featureList(first.path, first.items, evidence), ...first }
}

/** Whether what was found is a list of tasks. */
export function isList(found: JsonList | readonly string[]): found is JsonList {
  return "dialect" in found
}

/** The lists, at the top or one key below, whose entries are tasks; if there are none, those in the entries of one list. */
function listsOfTasks(json: Json): readonly ListOfTasks[] {
  const below = (table: unknown, path: readonly string[]) =>
    Object.entries(isRecord(table) ? table : {}).map(([key, value]) => ({
      path: [...path, key],
      value,
    }))
  const top = below(json, [])
  const values = [...top, ...top.flatMap(({ path, value }) => below(value, path))]
  const found = values.flatMap(({ path, value: items }) =>
    isListOfTasks(items) ? [{ path, items }] : [],
  )
  return found.length > 0 ? found : values.flatMap(({ path, value }) => inEntries(path, value))
}

/** The tasks of entries that state nothing themselves, such as phases: each of them has a list of tasks under the same key. */
function inEntries(path: readonly string[], value: unknown): readonly ListOfTasks[] {
  const isList = Array.isArray(value)
  const entries = Object.entries(isList || isRecord(value) ? value : {})
  const keys = isRecord(entries[0]?.[1]) ? Object.keys(entries[0][1]) : []
  return keys.flatMap((key) => {
    const lists = entries.flatMap(([at, entry]) => {
      const items: unknown = isRecord(entry) ? entry[key] : null
      return isListOfTasks(items)
        ? [{ items, place: [...path, isList ? Number(at) : at, key] }]
        : []
    })
    if (lists.length < entries.length) return []
    const places = lists.flatMap(({ items, place }) => items.map((_, index) => [...place, index]))
    return [{ path: [...path, key], items: lists.flatMap(({ items }) => items), places }]
  })
}

function isListOfTasks(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTask)
}

function isTask(item: unknown): boolean {
  return isRecord(item) && titleOf(item) !== "" && (flagKey(item) !== null || wordOf(item) !== null)
}

const TITLES = [
  ...["title", "name", "description", "desc", "story", "content", "task", "summary", "text"],
]

/** What a person reads as the title of an entry. */
export function titleOf(item: Json): string {
  const texts = TITLES.map((key) => item[key])
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? ""
}

const BOOLEANS = ["passes", "complete", "completed", "done"]

/** The key of the boolean that says whether a task is done (`null` means not yet); null if there is no such key. */
export function flagKey(task: Json): string | null {
  return BOOLEANS.find((key) => typeof task[key] === "boolean" || task[key] === null) ?? null
}

/** A task's status as written, under whichever key; null if there is none. */
export function wordOf(task: Json): string | null {
  const word = task[wordKey(task)]
  return typeof word === "string" ? word : null
}

/** The key of a task's status: `status`, or `state` if that is a word. */
export function wordKey({ status, state }: Json): "status" | "state" {
  return typeof status !== "string" && typeof state === "string" ? "state" : "status"
}

/** Whether a JSON value is an object. */
export function isRecord(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json)
}

function underKey(json: Json, keys: readonly string[]): JsonList | null {
  const key = keys.find((name) => isListOfObjects(json[name]))
  const items = key === undefined ? null : json[key]
  if (key === undefined || !Array.isArray(items)) return null
  const evidence = `a list \`${key}\``
  if (keys === FEATURES) return featureList([key], items, evidence)
  return { dialect: "prd-json", evidence, path: [key], items, others: [] }
}

/** An empty list may become one. */
function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 0 || value.some(isRecord))
}

function featureList(path: readonly string[], items: readonly unknown[], evidence: string) {
  return { dialect: "feature-list", evidence, path, items, others: [] } as const
}

/** `{ "tasks": […] }`, or a list under each tag: `{ "master": { "tasks": […] } }`, also without the key in between. */
function underTag(json: Json): JsonList | null {
  const isBare = isListOfTasks(json[DEFAULT_TAG])
  const lists = Object.entries(json).flatMap(([tag, value]) => {
    if (tag === "tasks" && Array.isArray(value)) return [{ tag: DEFAULT_TAG, path: [tag], value }]
    if (isBare && isListOfTasks(value)) return [{ tag, path: [tag], value }]
    const tasks = isRecord(value) ? value["tasks"] : null
    return Array.isArray(tasks) ? [{ tag, path: [tag, "tasks"], value: tasks }] : []
  })
  const chosen = lists.find(({ tag }) => tag === DEFAULT_TAG) ?? lists[0]
  if (chosen === undefined) return null
  const others = [...lists.filter((list) => list !== chosen), ...spread(json)].map((list) => {
    return { tag: list.tag, items: list.value }
  })
  const { path, value: items } = chosen
  const evidence = isBare ? `a list under the tag \`${DEFAULT_TAG}\`` : "a list `tasks`"
  return { dialect: "task-master", evidence, path, items, others }
}

/** The tasks of a list that became keys, by number or by id, when a tag was written beside them. */
function spread(json: Json): readonly { tag: string; value: readonly unknown[] }[] {
  return Object.entries(json).flatMap(([tag, value]) => {
    const isOwnKey = isRecord(value) && (INDEX.test(tag) || tag === String(value["id"]))
    return isOwnKey && isTask(value) ? [{ tag, value: [value] }] : []
  })
}
