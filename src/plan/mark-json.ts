// Writes a task's state into a JSON plan, and nothing else.
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { checkMarked } from "./check-marked.ts"
import { flagKey, isRecord, type Json, wordKey, wordOf } from "./data/json-lists.ts"
import { type JsonReading, readJson } from "./data/json-plan.ts"
import { noteOf, wordFor } from "./data/json-status.ts"
import type { MarkResult, MarkState } from "./mark-task.ts"
import { blockedWords } from "./model/blocked-words.ts"
import type { Task } from "./model/plan.ts"

/** A key of a task, and its new value; undefined where the key goes. */
interface KeyChange {
  readonly key: string
  readonly value: string | boolean | undefined
}

interface Edit {
  readonly offset: number
  readonly length: number
  readonly content: string
}

const NO_REASON = "no reason given"

/**
 * Writes a task's state into a JSON plan: the value of the key that says it, and nothing else, byte for byte. Where no
 * key can say that a task is blocked, the first line of its `notes` does. What is written is read again.
 */
export function markJsonTask(
  text: string,
  task: Task,
  state: MarkState,
  note?: string,
): MarkResult {
  const reading = readJson(text)
  const found = itemOf(reading, task)
  if (found === null) return refused(`Expected ${task.key} in the plan; found no such task now.`)
  const { item, list, path } = found
  const changes = changesFor(item, state, {
    note,
    wordOfState: (to) => wordFor(to, list, reading.json),
    hasNotes: haveNotes(list.items, item),
  })
  const changed = changes.filter(({ key, value }) => item[key] !== value)
  const written = withChanges(text, path, changed)
  if (written === null)
    return refused(`${task.key} could not be found in the JSON: mark it by hand.`)
  const said = state === "in_progress" && wordOf(item) === null ? "open" : state
  const after = readJson(written).plan.tasks
  return checkMarked({ before: reading.plan.tasks, after, task, wanted: [said], written })
}

function itemOf({ plan, list, indexes }: JsonReading, { key, titleHash }: Task) {
  const known = plan.tasks.find((one) => one.key === key && one.titleHash === titleHash)
  const index = indexes.get(key)
  const item = index === undefined ? null : list?.items[index]
  if (known === undefined || list === null || index === undefined || !isRecord(item)) return null
  return { item, list, path: [...list.path, index] }
}

interface Written {
  readonly note: string | undefined
  readonly wordOfState: (state: MarkState) => string
  /** Whether a task of this list has notes where it has nothing to say. */
  readonly hasNotes: boolean
}

function changesFor(
  item: Json,
  state: MarkState,
  { note, wordOfState, hasNotes }: Written,
): readonly KeyChange[] {
  const flag = flagKey(item)
  const hasWord = wordOf(item) !== null
  const word = hasWord ? [{ key: wordKey(item), value: wordOfState(state) }] : []
  const isBare = flag === null && !hasWord
  const flags = flag === null && !isBare ? [] : [{ key: flag ?? "passes", value: state === "done" }]
  const reason = state === "blocked" && !hasWord ? note : null
  const notes = state === "done" ? [] : notesFor(item, reason)
  const kept = (change: KeyChange) =>
    change.value === "" && !hasNotes ? { ...change, value: undefined } : change
  return [...flags, ...word, ...notes.map(kept)]
}

/** Whether a list's tasks have notes: the others that do, one with nothing but a block aside, are no fewer than those that do not. */
function haveNotes(items: readonly unknown[], item: Json): boolean {
  const others = items.filter(isRecord).filter((one) => one !== item)
  const isBlock = ({ notes }: Json) => notes !== "" && withoutBlock(`${notes}`) === ""
  const without = others.filter(({ notes }) => notes === undefined)
  const having = others.filter((one) => one["notes"] !== undefined && !isBlock(one))
  return having.length >= without.length
}

/** The notes with the reason of a block as their first line; without it where there is no block. */
function notesFor(item: Json, reason: string | null | undefined): readonly KeyChange[] {
  const before = noteOf(item)
  if (before === null && item["notes"] != null) return []
  const rest = withoutBlock(before ?? "")
  if (reason === null)
    return before === null || before === rest ? [] : [{ key: "notes", value: rest }]
  const line = `BLOCKED: ${reason === undefined || reason === "" ? NO_REASON : reason}`
  return [{ key: "notes", value: rest === "" ? line : `${line}\n${rest}` }]
}

/** The notes without their first line, where that states a block. */
function withoutBlock(notes: string): string {
  const [first = ""] = notes.split("\n", 1)
  return blockedWords(first) === null ? notes : notes.slice(first.length + 1)
}

/** The text with these values of the object at `path`; null where there is no such object. */
function withChanges(
  text: string,
  path: readonly (string | number)[],
  changes: readonly KeyChange[],
): string | null {
  const start = text.startsWith("\ufeff") ? 1 : 0
  const body = text.slice(start)
  const object = nodeAt(body, path)
  if (object === null) return null
  const edits = changes.map((change) => editFor(body, object, change))
  const last = edits.toSorted((one, other) => other.offset - one.offset)
  const written = last.reduce(
    (done, { offset, length, content }) =>
      done.slice(0, offset) + content + done.slice(offset + length),
    body,
  )
  return text.slice(0, start) + written
}

function nodeAt(text: string, path: readonly (string | number)[]): Node | null {
  try {
    const root = parseTree(text)
    const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
    return node?.type === "object" ? node : null
  } catch {
    return null
  }
}

function editFor(text: string, object: Node, { key, value }: KeyChange): Edit {
  if (value === undefined) return removal(object, key)
  const content = JSON.stringify(value)
  const before = findNodeAtLocation(object, [key])
  if (before !== undefined) return { offset: before.offset, length: before.length, content }
  const last = object.children?.at(-1)
  const name = JSON.stringify(key)
  if (last === undefined)
    return { offset: object.offset + 1, length: 0, content: `${name}: ${content}` }
  const upToLast = text.slice(object.offset, last.offset)
  const space = upToLast.slice(upToLast.trimEnd().length)
  const [nameNode, valueNode] = last.children ?? []
  const colon =
    nameNode === undefined || valueNode === undefined
      ? ": "
      : text.slice(nameNode.offset + nameNode.length, valueNode.offset)
  const end = last.offset + last.length
  return { offset: end, length: 0, content: `,${space}${name}${colon}${content}` }
}

/** Takes out a property with the comma that parts it from the one before, else from the one behind. */
function removal({ offset, children = [] }: Node, key: string): Edit {
  const at = children.findIndex(({ children: parts }) => parts?.[0]?.value === key)
  const [before, property, behind] = [children[at - 1], children[at], children[at + 1]]
  if (property === undefined) return { offset: offset + 1, length: 0, content: "" }
  const end = property.offset + property.length
  if (before === undefined) {
    return {
      offset: property.offset,
      length: (behind?.offset ?? end) - property.offset,
      content: "",
    }
  }
  const from = before.offset + before.length
  return { offset: from, length: end - from, content: "" }
}

function refused(message: string): MarkResult {
  return { ok: false, message }
}
