// The list of tasks in a JSON plan, told by the key that it stands under.
/** An object as JSON has it. */
export type Json = Readonly<Record<string, unknown>>

/** The list of a JSON plan's tasks, and where it stands. */
export interface JsonList {
  readonly dialect: "task-master" | "prd-json" | "feature-list"
  readonly evidence: string
  /** The keys that lead to the list. */
  readonly path: readonly string[]
  readonly items: readonly unknown[]
  /** Names of lists of the same kind that are not read. */
  readonly others: readonly string[]
}

const DEFAULT_TAG = "master"
const STORIES = ["userStories", "user_stories", "stories"]
const FEATURES = ["features", "feature_list", "featureList"]

/** The list of tasks in a JSON plan, told by the key that it stands under; null for any other file. */
export function findList(json: unknown): JsonList | null {
  if (Array.isArray(json)) {
    return json.some(isRecord) ? featureList([], json, "a list of features") : null
  }
  if (!isRecord(json)) return null
  return underKey(json, STORIES) ?? underKey(json, FEATURES) ?? underTag(json)
}

/** Whether a JSON value is an object. */
export function isRecord(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json)
}

function underKey(json: Json, keys: readonly string[]): JsonList | null {
  const key = keys.find((name) => Array.isArray(json[name]))
  const items = key === undefined ? null : json[key]
  if (key === undefined || !Array.isArray(items)) return null
  const evidence = `a list \`${key}\``
  if (keys === FEATURES) return featureList([key], items, evidence)
  return { dialect: "prd-json", evidence, path: [key], items, others: [] }
}

function featureList(path: readonly string[], items: readonly unknown[], evidence: string) {
  return { dialect: "feature-list", evidence, path, items, others: [] } as const
}

/** `{ "tasks": […] }`, or a list under each tag: `{ "master": { "tasks": […] } }`. */
function underTag(json: Json): JsonList | null {
  const lists = Object.entries(json).flatMap(([tag, value]) => {
    if (tag === "tasks" && Array.isArray(value)) return [{ tag: DEFAULT_TAG, path: [tag], value }]
    const tasks = isRecord(value) ? value["tasks"] : null
    return Array.isArray(tasks) ? [{ tag, path: [tag, "tasks"], value: tasks }] : []
  })
  const chosen = lists.find(({ tag }) => tag === DEFAULT_TAG) ?? lists[0]
  if (chosen === undefined) return null
  const others = lists.filter((list) => list !== chosen).map(({ tag }) => tag)
  const { path, value: items } = chosen
  return { dialect: "task-master", evidence: "a list `tasks`", path, items, others }
}
