// The state of a work in words: one set for panel, `status` and messages.

import type { PauseReason } from "../boulder/boulder.ts"
import { msUntil } from "../boulder/iso-time.ts"
import type { WorkState } from "../boulder/live-view.ts"
import { minuteWords } from "./pause-words.ts"
import { quote } from "./quote.ts"
import { REASONS } from "./reasons.ts"
import { doing, starting, type Typed } from "./typed-command.ts"

const ASKS_TOKENS = 40
/** If rounded to the minute, an end nearer than this would seem to be over already. */
const SOON_MS = 60_000

/** The state of a work in one or two words, for a column. */
export function stateName(state: WorkState): string {
  return NAMES[state.kind]
}

const NAMES: Readonly<Record<WorkState["kind"], string>> = {
  working: "working",
  "waiting-for-you": "waiting for you",
  waiting: "waiting",
  paused: "paused",
  idle: "idle",
  complete: "complete",
}

/** How to write a state for its reader. */
export interface StateReader {
  /** An ISO time as they read it; to the second if it is soon. */
  readonly timeOf?: (iso: string, isSoon: boolean) => string
  /** In ms; without it no time is soon. */
  readonly now?: number
  /** A command about the work as they type it. */
  readonly typed: Typed
}

/** The state of a work in one line, with what ends it. */
export function stateWords(state: WorkState, reader: StateReader): string {
  const way = wayOut(state, reader.typed)
  return `${withoutWay(state, reader)}${way === null ? "" : toDo(way, way.todo)}`
}

function withoutWay(state: WorkState, reader: StateReader): string {
  const { timeOf = minuteWords, now = Number.NEGATIVE_INFINITY } = reader
  switch (state.kind) {
    case "working":
      return "working"
    case "waiting-for-you":
      return askedWords(state)
    case "waiting":
      return `waiting ${WAITS[state.for]} ${timeOf(state.until, msUntil(state.until, now) < SOON_MS)}`
    case "paused":
      return `paused: ${REASONS[state.reason].says}${state.more === null ? "" : ` (${state.more})`}`
    case "idle":
      return "idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute)"
    case "complete":
      return "complete"
  }
}

interface WayOut {
  readonly does: "resume" | "approve"
  readonly todo: string
}

/** Null if nothing has to be done, or the request itself says it. */
function wayOut(state: WorkState, typed: Typed): WayOut | null {
  if (state.kind === "idle") return { does: "resume", todo: starting(typed) }
  if (state.kind === "waiting-for-you" && state.for === "approval")
    return { does: "approve", todo: doing(typed("approve")) }
  const reason = reasonOf(state)
  const hasHeld = state.kind === "paused" && state.has_held === true
  const todo = reason === null ? undefined : REASONS[reason].todo?.(typed, hasHeld)
  return todo === undefined ? null : { does: "resume", todo }
}

/** Why a work needs its user to resume it. */
function reasonOf(state: WorkState): PauseReason | "agent-changed" | null {
  if (state.kind === "waiting-for-you") return state.for === "agent" ? "agent-changed" : null
  return state.kind === "paused" ? state.reason : null
}

function toDo({ does }: WayOut, todo: string): string {
  return `. To ${does}: ${todo}`
}

/**
 * The state of a work in one line that fits, as `fits` tells: if the whole is too long, what a person can do is kept, at least the last
 * way.
 */
export function fittingStateWords(
  state: WorkState,
  reader: StateReader,
  fits: (words: string) => boolean,
): string {
  const whole = stateWords(state, reader)
  const way = wayOut(state, reader.typed)
  if (way === null || fits(whole)) return whole
  const { todo } = way
  const [first = todo] = todo.split(". ")
  const lastWay =
    first
      .split(/, (?:or )?| or /)
      .at(-1)
      ?.replace(/^([^(]*)\)$/, "$1") ?? todo
  const shorter = [todo, lastWay].map((words) => `${stateName(state)}${toDo(way, words)}`)
  return shorter.find(fits) ?? shorter.at(-1) ?? whole
}

/** Why a work waits and what ends that, below a heading with the state's name; null if it works or is complete. */
export function waitWords(state: WorkState, reader: StateReader): string | null {
  switch (state.kind) {
    case "working":
    case "complete":
      return null
    case "waiting-for-you":
      return state.for === "approval"
        ? `The reviews of the final wave are back${state.asks === null ? "" : ` (${state.asks})`}. Answer in the session, or ${doing(reader.typed("approve"))}`
        : asSentence(state, stateWords(state, reader))
    default:
      return asSentence(state, stateWords(state, reader))
  }
}

/** What is said behind the heading that names the state. */
function asSentence(state: WorkState, words: string): string {
  const name = `${stateName(state)}: `
  const rest = words.startsWith(name) ? words.slice(name.length) : words
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

const WAITS: Readonly<Record<(WorkState & { kind: "waiting" })["for"], string>> = {
  provider: "for the provider until",
  limit: "for the provider's limit, resumes at",
  failures: "after failed turns, tries again at",
}

const ASKED: Readonly<Record<(WorkState & { kind: "waiting-for-you" })["for"], string>> = {
  question: "waiting for your answer",
  permission: "waiting for your permission",
  approval: "waiting for your approval of the final wave",
  agent: `waiting for you: ${REASONS["agent-changed"].says}`,
}

function askedWords({ for: what, asks }: WorkState & { kind: "waiting-for-you" }): string {
  return asks === null || asks === "" ? ASKED[what] : `${ASKED[what]}: ${quote(asks, ASKS_TOKENS)}`
}
