import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Work } from "../../src/boulder/boulder.ts"
import { resumed } from "../../src/boulder/change-work.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import {
  closeDispatch,
  failDispatch,
  interruptDispatch,
  openDispatch,
} from "../../src/boulder/record-dispatch.ts"
import { book } from "../../src/boulder/spent.ts"
import { limitSpan, recordHostWait } from "../../src/boulder/usage-limit.ts"
import { decideIdle } from "../../src/decide/decide-idle.ts"
import type { Decision } from "../../src/decide/decision.ts"
import type { FailedTurn, Situation } from "../../src/decide/situation.ts"
import { lookAgainAt } from "../../src/opencode/idle/carry-out.ts"
import { aSituation, aTask, aWork, CHILD, LEAD, NOW } from "../support/builders.ts"

const HOUR = 3_600_000
const NIGHT_HOURS = 250
const NIGHTS = 40
const MAX_ATTEMPTS = 2
/** What a work may cost, in US dollars; a turn costs up to one. */
const CEILING = 12
/** So long a subagent may be silent, in ms. */
const SILENCE = 20 * 60_000

/** The tasks that are open in `aSituation`. */
const OPEN = [aTask({ label: "2" }), aTask({ label: "3" })]

type Turn = NonNullable<Situation["lastTurn"]>

/** A work alone, its provider and its clock; what is seen of them, and what has broken a rule. */
interface Night {
  readonly random: () => number
  now: number
  work: Work
  lastTurn: Turn | null
  failure: FailedTurn | null
  progress: number
  /** Requests since the provider's limit was met, with no turn that went well and no person between. */
  attempts: number | null
  /** Until when the provider lets the subagent of a task do nothing, by the task's title. */
  readonly held: Map<string, number>
  /** Until when a subagent hangs that nobody has ended yet. */
  hungUntil: number
  /** US dollars since a person has last given a fresh budget. */
  spent: number
  readonly seen: Seen
  readonly broken: string[]
}

interface Seen {
  prompts: number
  limits: number
  waits: number
  /** Looks at which every task's subagent was held up, and at which the money was gone. */
  allHeld: number
  ceilings: number
  hangs: number
}

/** How a turn goes, and how often: what the provider makes of it. */
const OUTCOMES: readonly (readonly [times: number, goes: (night: Night, turn: Turn) => void])[] = [
  [4, goesWell],
  [3, childLimited],
  [1, childBack],
  [1, childHangs],
  [2, meetsLimit],
  [1, hostWaits],
  [1, hostDies],
  [1, (night, turn) => fails(night, turn, { kind: "refused", words: "no credit", at: night.now })],
  [1, (night, turn) => fails(night, turn, { kind: "transient", words: "", at: night.now })],
  [
    1,
    (night, turn) =>
      void Object.assign(night, { lastTurn: { ...turn, ended: false, isUnanswered: true } }),
  ],
]
const EACH = OUTCOMES.flatMap(([times, goes]) => Array.from({ length: times }, () => goes))

function goesWell(night: Night): void {
  night.progress += night.random() < 0.9 ? 1 : 0
  night.attempts = null
}

/** The orchestrator delegates a task; what comes of it is the other's. */
function delegated(night: Night): Parameters<typeof closeDispatch>[0] {
  const { random, now, seen } = night
  const task = OPEN[Math.floor(random() * OPEN.length)] ?? null
  const callId = `call_${seen.prompts}`
  const intent = { callId, parentSessionId: LEAD, task, agent: "general", resumes: null }
  night.work = openDispatch({ ...intent, liveCalls: [], now: isoOf(now) })(night.work)
  const outcome = { resultHash: `${seen.prompts}`, verdict: null, now: isoOf(now) }
  return {
    ...{ sessionId: LEAD, callId, childId: CHILD, ...outcome },
    ...{ taskLabel: task?.label ?? null, taskTitle: task?.title ?? "" },
  }
}

function childLimited(night: Night): void {
  const { random, now } = night
  const call = delegated(night)
  const until = random() < 0.8 ? Math.round(now + random() * 40 * HOUR) : null
  night.work = interruptDispatch({ ...call, limit: limitSpan(now, until) })(night.work)
  night.held.set(call.taskTitle, until ?? now + HOUR)
  night.attempts = null
}

function childBack(night: Night): void {
  const call = delegated(night)
  night.work = closeDispatch(call)(night.work)
  night.held.delete(call.taskTitle)
  goesWell(night)
}

/** It is heard of no more, and is ended when it has been silent for long; its turn's end is told all the same. */
function childHangs(night: Night): void {
  const call = delegated(night)
  night.hungUntil = night.now + SILENCE
  night.attempts = null
  night.work = failDispatch(call, CHILD)(night.work)
  night.seen.hangs += 1
}

function fails(night: Night, turn: Turn, failure: FailedTurn): void {
  Object.assign(night, { failure, lastTurn: { ...turn, error: "APIError" } })
}

function meetsLimit(night: Night, turn: Turn): void {
  const { random, now } = night
  const until = random() < 0.8 ? Math.round(now + 301_000 + random() * 40 * HOUR) : null
  fails(night, turn, { kind: "limited", until, words: "", at: now })
  night.attempts ??= 0
  night.seen.limits += 1
}

function hostWaits(night: Night, turn: Turn): void {
  const until = night.now + 60_000 + night.random() * 5 * HOUR
  night.work = recordHostWait(night.now, until)(night.work)
  night.now = until + 1_000
  night.lastTurn = { ...turn, createdAt: night.now }
  goesWell(night)
}

function hostDies(night: Night, turn: Turn): void {
  const { random } = night
  night.work = recordHostWait(night.now, night.now + 60_000 + random() * 5 * HOUR)(night.work)
  night.now += random() * HOUR
  night.lastTurn = { ...turn, ended: false }
  night.attempts ??= 0
}

/** Looks at the work, as an idle does. */
function look(night: Night): Decision {
  const { now, work, lastTurn, failure, progress } = night
  const limits = { ...aSituation().limits, maxUsd: CEILING }
  const busyChildren = now < night.hungUntil ? [CHILD] : []
  const seen = { now, lastTurn, failure, work, limits, busyChildren, progress: `${progress}` }
  const situation = { ...aSituation(), ...seen }
  const writing = { heard: "same", human: situation, counted: (one: Work) => one, lacks: [] }
  const made = decideIdle({ situation, planHash: null, heard: "same" }, work, writing)
  night.work = made.work
  return made.decision
}

/** A request was made: how its turn went. */
function prompted(night: Night, turn: number): void {
  night.seen.prompts += 1
  const usd = night.random()
  night.spent += usd
  const answer = { path: [], callId: null, tokens: 1_000, usd, unpricedTokens: 0 }
  night.work = book([answer])(night.work)
  if (night.attempts !== null) night.attempts += 1
  if ((night.attempts ?? 0) > MAX_ATTEMPTS)
    night.broken.push(`${night.attempts} attempts behind one limit`)
  night.now += 1_000 + night.random() * 20 * 60_000
  const { lastTurn } = aSituation()
  if (lastTurn === null) throw new Error("A situation has a last turn")
  const ran = { ...lastTurn, messageId: `msg_${turn}`, createdAt: night.now, ours: true }
  Object.assign(night, { failure: null, lastTurn: ran })
  EACH[Math.floor(night.random() * EACH.length)]?.(night, ran)
}

/** Nothing was done: who looks next, and when. A person comes by where one is needed, and now and then before. */
function waited(night: Night, decision: Decision): void {
  const { random, work } = night
  const goesOn = work.status === "paused" ? (work.limited?.goes_on_at ?? null) : null
  const at = lookAgainAt(decision, night.now)
  if (goesOn !== null && random() > 0.1) {
    night.seen.waits += 1
    // The watch looks every two seconds, by the clock on the wall.
    night.now = Math.max(night.now + 2_000, Date.parse(goesOn) + random() * 2_000)
  } else if (work.status === "paused") {
    night.now += random() * 8 * HOUR
    if (work.pause_reason === "budget-spent") night.spent = 0
    night.work = resumed(work, isoOf(night.now))
    night.attempts = null
    night.held.clear()
  } else if (night.now < night.hungUntil && random() < 0.8) {
    // Its end is an idle: nobody waits for the next look.
    night.now = night.hungUntil
  } else if (at !== null) night.now = Math.max(night.now + 20, at)
  else {
    night.broken.push(`an active work is forgotten behind ${decision.kind} ${decision.reason}`)
    night.now += HOUR
  }
}

/** One look, and what comes of it. */
function act(night: Night, turn: number, steps: boolean): void {
  const until = Date.parse(night.work.limited?.until ?? isoOf(0))
  const { held, seen, now } = night
  const isHeld = OPEN.every(({ title }) => (held.get(title) ?? 0) > now)
  const decision = look(night)
  if (isHeld) seen.allHeld += 1
  if (night.spent >= CEILING) seen.ceilings += 1
  if (decision.kind !== "continue" && decision.kind !== "compact") {
    waited(night, decision)
    return
  }
  if (!steps && now < until) night.broken.push("a prompt while the provider is limited")
  if (!steps && isHeld) night.broken.push("a prompt while each task's subagent is limited")
  if (now < night.hungUntil) night.broken.push("a prompt while a subagent runs")
  if (night.spent >= CEILING) night.broken.push(`a prompt behind ${night.spent} dollars`)
  prompted(night, turn)
}

/** Plays a night. With `steps` the clock is set now and then, always to the one side. */
function play(seed: number, steps: boolean): Night {
  const random = randomOf(seed)
  // Two steps in one turn, one each way, leave no order of what came before what.
  const side = random() < 0.5 ? 1 : -1
  const work = aWork({ resumed_at: isoOf(NOW) })
  const seen = nothingSeen()
  const fresh = {
    lastTurn: null,
    failure: null,
    progress: 0,
    attempts: null,
    spent: 0,
    hungUntil: 0,
  }
  const held = new Map<string, number>()
  const night: Night = { random, now: NOW, work, ...fresh, held, seen, broken: [] }
  for (let turn = 1; turn < 20_000 && night.now < NOW + NIGHT_HOURS * HOUR; turn++) {
    act(night, turn, steps)
    if (steps && random() < 0.05) night.now += side * random() * 2 * HOUR
  }
  return night
}

function nothingSeen(): Seen {
  return { prompts: 0, limits: 0, waits: 0, allHeld: 0, ceilings: 0, hangs: 0 }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test("10,000 hours alone: at most two attempts behind a limit, no prompt while one lasts or the money is gone, no active work forgotten", () => {
  const sum = nothingSeen()
  for (const seed of fc.sample(fc.integer(), { numRuns: NIGHTS, seed: 17 })) {
    const { seen, broken } = play(seed, false)
    expect(broken).toEqual([])
    for (const key of ["prompts", "limits", "waits", "allHeld", "ceilings", "hangs"] as const)
      sum[key] += seen[key]
  }
  // The nights were such nights.
  expect(sum.prompts).toBeGreaterThan(2_000)
  expect(sum.limits).toBeGreaterThan(300)
  expect(sum.waits).toBeGreaterThan(300)
  expect(sum.allHeld).toBeGreaterThan(50)
  expect(sum.hangs).toBeGreaterThan(100)
  expect(sum.ceilings).toBeGreaterThan(50)
})

test("steps of the clock, to one side in a night, break neither the attempts nor the watch", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      expect(play(seed, true).broken).toEqual([])
    }),
    { numRuns: NIGHTS },
  )
})
