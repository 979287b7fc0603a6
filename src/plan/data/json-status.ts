// The state of a task in a JSON plan, and the words for it.
import { blockedWords, saysNothing } from "../model/blocked-words.ts"
import { isSettledState, type TaskState } from "../model/plan.ts"
import { stateOfWord, writtenWord } from "../model/state-words.ts"
import { flagKey, isRecord, type Json, type JsonList, wordOf } from "./json-lists.ts"

interface JsonStatus {
  /** Null for an unknown status. */
  readonly state: TaskState | null
  /** The status as written. */
  readonly marker: string
  /** The reason of a block, from its notes. */
  readonly blockedBy: string | null
}

/** Nothing marks a task as cancelled. */
type Written = Exclude<TaskState, "cancelled">

const USUAL: Readonly<Record<Written, string>> = {
  open: "pending",
  in_progress: "in_progress",
  done: "done",
  blocked: "blocked",
}
/**
 * The state of a task: done if neither its boolean nor its status says otherwise, else what its status says; an open one is blocked if the
 * first line of its `notes` says so.
 */
export function statusOf(task: Json): JsonStatus {
  const flag = flagKey(task)
  const word = wordOf(task)
  const blockedBy = blockIn(task)
  if (flag === null && word === null) return { state: null, marker: "", blockedBy }
  const said = word === null ? null : stateOfWord(word)
  if (flag !== null && task[flag] === true && (said === null || isSettledState(said)))
    return { state: "done", marker: "true", blockedBy }
  const state = flag === null ? said : besideFlag(said)
  const isHeld = state === "open" && blockedBy !== null
  return { state: isHeld ? "blocked" : state, marker: word ?? "false", blockedBy }
}

/** What a status says about a task whose boolean says not done. */
function besideFlag(said: TaskState | null): TaskState {
  return said === null || said === "done" ? "open" : said
}

function blockIn(task: Json): string | null {
  const why = blockedWords((noteOf(task) ?? "").split("\n", 1)[0] ?? "")
  return why === null || saysNothing(why) ? null : why
}

/** The word for a state: the format's own; or another one with exactly that meaning if the plan's tasks use it, or it lists it as valid. */
export function wordFor(state: Written, { dialect, items }: JsonList, json: unknown): string {
  const usual = dialect === "task-master" && state === "in_progress" ? "in-progress" : USUAL[state]
  const used = items.filter(isRecord).flatMap((item) => wordOf(item) ?? [])
  const valid = validWords(json)
  const words = [...used, ...valid]
  if (words.includes(usual)) return usual
  return writtenWord(state, words) ?? valid.find((word) => stateOfWord(word) === state) ?? usual
}

/** A task's notes, those of a list line by line; null if there are none, or they are no text. */
export function noteOf({ notes }: Json): string | null {
  if (Array.isArray(notes)) return notes.every(isText) ? notes.join("\n") : null
  return isText(notes) ? notes : null
}

function validWords(json: unknown): readonly string[] {
  if (!isRecord(json)) return []
  const tables = [json, ...Object.values(json).filter(isRecord)]
  const lists = tables.flatMap((table) =>
    ["valid_status", "validStatus", "status_values", "statuses"].map((key) => table[key]),
  )
  return lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter(isText)
}

function isText(value: unknown): value is string {
  return typeof value === "string"
}
