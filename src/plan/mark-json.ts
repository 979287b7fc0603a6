// Writes a task's state into a JSON plan, and nothing else.
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { checkMarked, type MarkResult, type MarkState, refused } from "./check-marked.ts"
import { flagKey, isRecord, type Json, wordKey, wordOf } from "./data/json-lists.ts"
import { type JsonReading, readJson } from "./data/json-plan.ts"
import { noteOf, wordFor } from "./data/json-status.ts"
import { blockedWords, NO_REASON } from "./model/blocked-words.ts"
import type { Task } from "./model/plan.ts"

/** A key of a task, and its new value; undefined to remove the key. */
interface KeyChange {
  readonly key: string
  readonly value: string | boolean | undefined | FirstOfList
}

/** A list gets this text as its first entry, possibly in place of its current one. */
interface FirstOfList {
  readonly first: string | null
  readonly isInstead: boolean
}

interface Edit {
  readonly offset: number
  readonly length: number
  readonly content: string
}

/**
 * Writes a task's state into a JSON plan: the value of the key that states it, and nothing else, byte for byte. If no key can say that a
 * task is blocked, and in a `prd.json`, the first line of its `notes` says so. What is written is read again.
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
    note: list.dialect === "prd-json" || wordOf(item) === null ? note : null,
    wordOfState: (to) => wordFor(to, list, reading.json),
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
  return { item, list, path: list.places?.[index] ?? [...list.path, index] }
}

interface Written {
  /** Null if no notes are kept: a status says that the task is blocked, and nothing more. */
  readonly note: string | undefined | null
  readonly wordOfState: (state: MarkState) => string
}

function changesFor(
  item: Json,
  state: MarkState,
  { note, wordOfState }: Written,
): readonly KeyChange[] {
  const flag = flagKey(item)
  const hasWord = wordOf(item) !== null
  const word = hasWord ? [{ key: wordKey(item), value: wordOfState(state) }] : []
  const isBare = flag === null && !hasWord
  const flags = flag === null && !isBare ? [] : [{ key: flag ?? "passes", value: state === "done" }]
  const reason = state === "blocked" ? note : null
  const notes = state === "done" ? [] : notesFor(item, reason)
  return [...flags, ...word, ...notes]
}

/**
 * The notes with the reason of a block as their first line or, in a list, as their first entry; without it if there is no block. If they
 * consist only of a block, the key is removed with it: notes that were empty before it end in a line break.
 */
function notesFor(item: Json, reason: string | null | undefined): readonly KeyChange[] {
  const { notes } = item
  const before = noteOf(item)
  if (before === null && notes != null) return []
  const [old = ""] = before?.split("\n", 1) ?? []
  const isHeld = blockedWords(old) !== null
  if (reason === null && !isHeld) return []
  const line = reason === null ? null : `BLOCKED: ${reason || NO_REASON}`
  if (Array.isArray(notes)) {
    // Anything else in its first entry would be removed with the block.
    const isWhole = !isHeld || notes[0] === old
    return isWhole ? [{ key: "notes", value: { first: line, isInstead: isHeld } }] : []
  }
  return [{ key: "notes", value: joined(line, restOf(before, isHeld ? old : null)) }]
}

/** The notes without the line of a block; null if that is everything, or if there are none. */
function restOf(notes: string | null, block: string | null): string | null {
  if (notes === null || block === null) return notes
  return notes === block ? null : notes.slice(block.length + 1)
}

function joined(line: string | null, rest: string | null): string | undefined {
  if (rest === null) return line ?? undefined
  return line === null ? rest : `${line}\n${rest}`
}

/** The text with these values in the object at `path`; null if there is no such object. */
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
  const before = findNodeAtLocation(object, [key])
  if (typeof value === "object") return firstOf(text, before ?? object, value)
  const content = JSON.stringify(value)
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

/** Changes a list's first entry, with the space before it and the comma after it. */
function firstOf(text: string, list: Node, { first, isInstead }: FirstOfList): Edit {
  const [old, behind] = list.children ?? []
  const offset = old?.offset ?? list.offset + 1
  const space = text.slice(list.offset + 1, offset)
  const comma = old === undefined || (isInstead && behind === undefined) ? "" : `,${space}`
  const end = behind?.offset ?? (old === undefined ? offset : old.offset + old.length)
  return {
    offset,
    length: isInstead ? end - offset : 0,
    content: first === null ? "" : `${JSON.stringify(first)}${comma}`,
  }
}

/** Removes a property with the comma that separates it from the one before, or else from the one after. */
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
