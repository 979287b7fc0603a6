// Replaces old outputs by a line at the border of a round, if they can be had again.
import { fieldOf } from "../../../boulder/fields-of.ts"
import { isOwnPart, ROUND_OF_PART } from "../../../boulder/own-part.ts"
import { clearedOutput, isCleared } from "../../../prompts/cleared-output.ts"
import { isSummary } from "./summary-messages.ts"

/** A message of the host, as far as clearing looks at it. */
interface RoundMessage {
  readonly info: { readonly id: string; readonly role: string }
  readonly parts: readonly object[]
}

/** Tools whose output can be had again by calling them again, and the argument that says what it was of. */
const REBUILDABLE: Readonly<Record<string, string>> = {
  read: "filePath",
  grep: "pattern",
  glob: "pattern",
  list: "path",
}

/** Shorter outputs stay: they cost little, and a context-pruning plugin beside us may have put them there. */
const MIN_CHARS = 400

/**
 * Replaces each rebuildable output from before the last two finished rounds by a line, and cuts the long ones that a compaction has kept
 * after its summary. Both in place. The result depends on the messages alone. The border moves only with the first prompt of a round, so
 * the prefix of the prompt stays the same within a round, even over a restart. A later pass over the same messages changes nothing.
 */
export function clearOldOutputs(messages: readonly RoundMessage[]): void {
  for (const { info, parts } of messages.slice(0, borderOf(messages))) {
    if (info.role !== "assistant") continue
    for (const part of parts) clearPart(part)
  }
  for (const { parts } of tailOf(messages)) for (const part of parts) cutPart(part)
}

/** Whether there is anything to clear; if not, nothing else needs to be looked at. */
export function hasOldOutputs(messages: readonly RoundMessage[]): boolean {
  return borderOf(messages) > 0 || messages.some(isSummary)
}

/** What is left of an output that a compaction has kept, in characters: as much as the host itself keeps of one. */
const KEPT = 2_000
/** A result that was cut once is not cut again. */
const CUT = /\n\[boulder cut \d+ characters\]$/

/**
 * The messages that a compaction has kept after its summary. They are older than the summary, which stands for them. They may hold an older
 * summary. Ids grow with time.
 */
function tailOf(messages: readonly RoundMessage[]): readonly RoundMessage[] {
  const newest = messages
    .filter(isSummary)
    .reduce<RoundMessage | null>(
      (latest, one) => (latest !== null && latest.info.id > one.info.id ? latest : one),
      null,
    )
  if (newest === null) return []
  const behind = messages.slice(messages.indexOf(newest) + 1)
  const end = behind.findIndex(({ info }) => info.id > newest.info.id)
  return end < 0 ? behind : behind.slice(0, end)
}

function cutPart(part: object): void {
  const state = stateOf(part)
  const output: unknown = state === null ? null : Reflect.get(state, "output")
  if (state === null || argumentOf(part) === undefined) return
  if (typeof output !== "string" || output.length <= KEPT || CUT.test(output)) return
  const more = output.length - KEPT
  Reflect.set(state, "output", `${output.slice(0, KEPT)}\n[boulder cut ${more} characters]`)
}

/** The argument that says what a rebuildable output is of; undefined for every other tool. */
function argumentOf(part: object): string | undefined {
  const tool = String(Reflect.get(part, "tool"))
  return Object.hasOwn(REBUILDABLE, tool) ? REBUILDABLE[tool] : undefined
}

function stateOf(part: object): object | null {
  const state: unknown = Reflect.get(part, "state")
  return typeof state === "object" ? state : null
}

/** Where the last two finished rounds begin; 0 if the messages have fewer rounds. */
function borderOf(messages: readonly RoundMessage[]): number {
  const begins: number[] = []
  let latest: number | null = null
  for (const [index, message] of messages.entries()) {
    const round = roundOf(message)
    // A different number means a different round, even a lower one: the session's next work counts its rounds from the start.
    if (round !== null && round !== latest) begins.push(index)
    latest = round ?? latest
  }
  return begins.at(-3) ?? 0
}

function roundOf({ info, parts }: RoundMessage): number | null {
  if (info.role !== "user") return null
  for (const part of parts) {
    const metadata: unknown = Reflect.get(part, "metadata")
    const round = isOwnPart(metadata) ? fieldOf(metadata, ROUND_OF_PART) : null
    if (typeof round === "number") return round
  }
  return null
}

function clearPart(part: object): void {
  const tool = String(Reflect.get(part, "tool"))
  const argument = argumentOf(part)
  const state = stateOf(part)
  if (argument === undefined || state === null) return
  const output: unknown = Reflect.get(state, "output")
  if (typeof output !== "string" || isCleared(output) || !isGood(state)) return
  const what = Reflect.get(Object(Reflect.get(state, "input")), argument)
  const line = clearedOutput(tool, typeof what === "string" ? what : "", output.length)
  if (output.length >= MIN_CHARS && line.length < output.length) Reflect.set(state, "output", line)
}

/** Whether an output may be forgotten: not if it reports an error, and not if the host has cleared it already. */
function isGood(state: object): boolean {
  const isGone = Reflect.get(Object(Reflect.get(state, "time")), "compacted") !== undefined
  return Reflect.get(state, "status") === "completed" && !isGone
}
