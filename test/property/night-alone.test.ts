import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Work } from "../../src/boulder/boulder.ts"
import { resumed } from "../../src/boulder/change-work.ts"
import { endAnswered } from "../../src/boulder/end-answered.ts"
import { isoOf } from "../../src/boulder/iso-time.ts"
import {
  closeDispatch,
  failDispatch,
  holdDispatch,
  interruptDispatch,
  openDispatch,
} from "../../src/boulder/record-dispatch.ts"
import { book } from "../../src/boulder/spent.ts"
import {
  begunByNow,
  clockSetBack,
  goesOnByItself,
  lasts,
  limitSpan,
  recordHostWait,
} from "../../src/boulder/usage-limit.ts"
import { decideIdle } from "../../src/decide/decide-idle.ts"
import type { Decision } from "../../src/decide/decision.ts"
import { lookAgainAt } from "../../src/decide/look-again.ts"
import type { HostEvent } from "../../src/decide/memory/host-event.ts"
import { remember } from "../../src/decide/memory/remember.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../src/decide/memory/session-memory.ts"
import { silenceOf } from "../../src/decide/memory/silent-child.ts"
import type { FailedTurn, Situation } from "../../src/decide/situation.ts"
import { aSituation, aTask, aWork, CHILD, LEAD, NOW } from "../support/builders.ts"

const MINUTE = 60_000
const HOUR = 3_600_000
const NIGHT_HOURS = 250
const NIGHTS = 40
const MAX_ATTEMPTS = 2
/** What a work may cost, in US dollars; a turn costs up to one. */
const CEILING = 12
/** So long a subagent may be silent, and a tool of it run, in ms. */
const SILENCE = { childMs: 20 * MINUTE, toolMs: 0 }
/** What a limit's end may be waited for beyond it: the margin, the jitter, and looks. */
const MARGIN = 3 * MINUTE

/** The tasks that are open in `aSituation`. */
const OPEN = [aTask({ label: "2" }), aTask({ label: "3" })]

type Turn = NonNullable<Situation["lastTurn"]>

/** A work alone, its provider and its clock; what is seen of them, and what has broken a rule. */
interface Night {
  readonly random: () => number
  /** What the clock on the wall shows, and by how much it was set. */
  now: number
  setBy: number
  work: Work
  lastTurn: Turn | null
  failure: FailedTurn | null
  progress: number
  /** Requests since the provider's limit was met, with no turn that went well and no person between. */
  attempts: number | null
  /** Until when the provider lets nothing through, in ms gone by; and whether opencode was there all the time since. */
  limitEnds: number
  isWatched: boolean
  /** The same for the subagent of a task, by the task's title; without an end where it has taken all its attempts. */
  readonly held: Map<string, number>
  /** A night in which the subagents' provider lets next to nothing through. */
  readonly areChildrenUsedUp: boolean
  /** Calls for a task behind its subagent's limit that the provider has not answered, by its title. */
  readonly tries: Map<string, number>
  /** Until when a subagent hangs that nobody has ended yet, in ms gone by. */
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
  /** Looks at which every task's subagent was held up, until a person comes too, and at which the money was gone. */
  allHeld: number
  heldForGood: number
  ceilings: number
  hangs: number
  restarts: number
  steps: number
  waits_of_children: number
}

/** How much time has gone by, whatever the clock was set to. */
const gone = ({ now, setBy }: Night): number => now - setBy

/** How a turn goes, and how often: what the provider makes of it. */
const OUTCOMES: readonly (readonly [times: number, goes: (night: Night, turn: Turn) => void])[] = [
  [4, goesWell],
  [3, childLimited],
  [1, childBack],
  [1, childHangs],
  [2, childWaits],
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
  night.limitEnds = 0
}

/** The orchestrator delegates a task; what comes of it is the other's. */
function delegated(night: Night): Parameters<typeof closeDispatch>[0] {
  const { random, now, seen } = night
  const task = OPEN[Math.floor(random() * OPEN.length)] ?? null
  const callId = `call_${seen.prompts}`
  const intent = { callId, parentSessionId: LEAD, task, agent: "general", resumes: null }
  night.work = openDispatch({ ...intent, liveCalls: [], now: isoOf(now) })(night.work)
  const tries = night.tries.get(task?.title ?? "")
  // While its limit lasts, by the clock on the wall, a call is no try behind it.
  const known = begunByNow(night.work, now).task_sessions[task?.key ?? ""]?.interrupted
  const isTry = known === undefined || !lasts(known, now)
  if (task !== null && isTry && tries !== undefined) {
    night.tries.set(task.title, tries + 1)
    if (tries + 1 >= MAX_ATTEMPTS) night.held.set(task.title, Number.POSITIVE_INFINITY)
  }
  const outcome = { resultHash: `${seen.prompts}`, verdict: null, now: isoOf(now) }
  return {
    ...{ sessionId: LEAD, callId, childId: CHILD, ...outcome },
    ...{ taskLabel: task?.label ?? null, taskTitle: task?.title ?? "" },
  }
}

function childLimited(night: Night): void {
  const { random } = night
  // Something else has moved: no progress pauses nothing here.
  if (night.areChildrenUsedUp) night.progress += 1
  const call = delegated(night)
  if (random() < 0.2) answered(night, { path: [CHILD], callId: call.callId }, call.taskTitle)
  const { now } = night
  const until = random() < 0.8 ? Math.round(now + random() * 40 * HOUR) : null
  night.work = interruptDispatch({ ...call, limit: limitSpan(now, until) })(night.work)
  const tries = night.tries.get(call.taskTitle) ?? 0
  night.tries.set(call.taskTitle, tries)
  const end = (until ?? now + HOUR) - night.setBy
  night.held.set(call.taskTitle, tries < MAX_ATTEMPTS ? end : Number.POSITIVE_INFINITY)
  night.attempts = null
  night.limitEnds = 0
}

/** Nothing of before holds a task up any more. */
function free({ held, tries }: Night, title: string): void {
  held.delete(title)
  tries.delete(title)
}

/** The provider answers, and what limited whom it answers is over; a second later there is more to tell. */
function answered(night: Night, whom: { path: string[]; callId: string | null }, title = ""): void {
  const spent = { ...whom, tokens: 10, usd: 0, unpricedTokens: 10, answeredAt: night.now }
  night.work = endAnswered([spent], night.now + 1)(night.work)
  night.now += 1_000
  if (whom.path.length === 0) Object.assign(night, { attempts: null, limitEnds: 0 })
  free(night, title)
}

/** The host waits for the provider of a subagent; it comes back behind that, or the host dies meanwhile. */
function childWaits(night: Night, turn: Turn): void {
  const { random, now } = night
  const call = delegated(night)
  const until = Math.round(now + MINUTE + random() * 5 * HOUR)
  const { limited } = night.work
  night.work = holdDispatch({
    ...call,
    task: { label: call.taskLabel, title: call.taskTitle },
    limit: limitSpan(now, until),
  })(night.work)
  if (night.work.limited !== limited) night.broken.push("a subagent's wait is the work's")
  night.seen.waits_of_children += 1
  if (random() < 0.5) {
    night.now = until + 1_000
    night.lastTurn = { ...turn, createdAt: night.now }
    night.work = closeDispatch(call)(night.work)
    free(night, call.taskTitle)
    goesWell(night)
    return
  }
  const tries = night.tries.get(call.taskTitle) ?? 0
  night.tries.set(call.taskTitle, tries)
  const end = tries < MAX_ATTEMPTS ? until - night.setBy : Number.POSITIVE_INFINITY
  night.held.set(call.taskTitle, end)
  restarts(night)
  night.lastTurn = { ...turn, ended: false }
}

function childBack(night: Night): void {
  const call = delegated(night)
  night.work = closeDispatch(call)(night.work)
  free(night, call.taskTitle)
  goesWell(night)
}

/**
 * One of three is heard of no more, and is ended when it has been silent for long, its siblings are not; the clock is set
 * meanwhile. Its turn's end is told all the same.
 */
function childHangs(night: Night): void {
  const { random } = night
  const call = delegated(night)
  const ended = watchedChildren(night)
  if (ended.length !== 1 || ended[0]?.child !== 0)
    night.broken.push(`of three subagents, of which the first hangs: ${JSON.stringify(ended)}`)
  const silentFor = ended[0]?.minutes ?? 0
  if (silentFor < 20 || silentFor > 22)
    night.broken.push(`a hung subagent is ended behind ${silentFor} minutes`)
  // Its end is looked at while it still hangs, now and then.
  night.hungUntil = gone(night) + random() * HOUR
  night.attempts = null
  night.limitEnds = 0
  night.work = failDispatch(call, CHILD)(night.work)
  night.seen.hangs += 1
}

/** Three subagents that the watch looks at each minute, with a clock that is set; which it would end, and when. */
function watchedChildren({ random, now }: Night) {
  const hangsFrom = Math.floor(random() * 10)
  const setBy = () => (random() < 0.1 ? (random() - 0.5) * 10 * HOUR : 0)
  const walls = Array.from({ length: 60 }, (_, minute) => now + minute * MINUTE + setBy())
  return SPEAKS.flatMap((speaks, child) => {
    let memory = NOTHING_REMEMBERED
    return walls.flatMap((at, minute) => {
      const tool = child === 2 ? A_TOOL : null
      const looked = lookedAt(memory, speaks(minute, hangsFrom) ? { ...HEARD, at, tool } : null)
      memory = looked.memory
      return looked.isHung ? [{ child, minutes: minute - Math.max(0, hangsFrom - 1) }] : []
    })
  })
}

/** A look of the watch at one, behind a word of it where it has said one. */
function lookedAt(before: SessionMemory, heard: (HostEvent & { kind: "session-heard" }) | null) {
  const told = heard === null ? before : remember(before, heard)
  const memory = remember(told, { kind: "watched", sessionId: CHILD, forMs: MINUTE })
  const isHung = silenceOf(memory, SILENCE)?.kind === "hung"
  const ended = { kind: "ended-silent", sessionId: CHILD } as const
  return { memory: isHung ? remember(memory, ended) : memory, isHung }
}

const HEARD = { kind: "session-heard", sessionId: CHILD } as const
const A_TOOL = { callId: "call_1", name: "bash", runs: true }
/** In which minute each says a word: one that hangs from a minute on, one that does now and then, and one whose tool runs. */
const SPEAKS: readonly ((minute: number, hangsFrom: number) => boolean)[] = [
  (minute, hangsFrom) => minute < hangsFrom,
  (minute) => minute % 10 === 0,
  (minute) => minute === 0,
]

/** Opencode is away for a while, and begins anew: what it had in memory is gone, and so are those that ran. */
function restarts(night: Night): void {
  night.now += night.random() * 10 * HOUR
  Object.assign(night, { hungUntil: 0, isWatched: false })
  night.seen.restarts += 1
}

function fails(night: Night, turn: Turn, failure: FailedTurn): void {
  Object.assign(night, { failure, lastTurn: { ...turn, error: "APIError" } })
}

function meetsLimit(night: Night, turn: Turn): void {
  const { random } = night
  // It had answered for a while: this is another limit.
  if (random() < 0.2) answered(night, { path: [], callId: null })
  const { now } = night
  const until = random() < 0.8 ? Math.round(now + 301_000 + random() * 40 * HOUR) : null
  fails(night, turn, { kind: "limited", until, words: "", at: now })
  night.attempts ??= 0
  Object.assign(night, { limitEnds: (until ?? now + HOUR) - night.setBy, isWatched: true })
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
  const until = night.now + 60_000 + random() * 5 * HOUR
  night.work = recordHostWait(night.now, until)(night.work)
  night.limitEnds = until - night.setBy
  restarts(night)
  night.lastTurn = { ...turn, ended: false }
  night.attempts ??= 0
}

/** Looks at the work, as an idle does. */
function look(night: Night): Decision {
  const { now, work, lastTurn, failure, progress } = night
  const limits = { ...aSituation().limits, maxUsd: CEILING }
  const busyChildren = gone(night) < night.hungUntil ? [CHILD] : []
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
  const isUsedUp = night.areChildrenUsedUp && night.random() < 0.8
  const goes = isUsedUp ? childLimited : EACH[Math.floor(night.random() * EACH.length)]
  goes?.(night, ran)
}

/** The watch looks every two seconds, by the clock on the wall; opencode is not always there. */
function waitsForEnd(night: Night, end: number): void {
  night.seen.waits += 1
  night.now = Math.max(night.now + 2_000, end + night.random() * 2_000)
  if (night.random() < 0.1) restarts(night)
}

function resumedByPerson(night: Night): void {
  const { random, work } = night
  night.now += random() * 8 * HOUR
  if (work.pause_reason === "budget-spent") night.spent = 0
  night.work = resumed(work, isoOf(night.now))
  Object.assign(night, { attempts: null, limitEnds: 0 })
  for (const { title } of OPEN) free(night, title)
}

/** Nothing was done: who looks next, and when. A person comes by where one is needed, and now and then before. */
function waited(night: Night, decision: Decision): void {
  const { random, work } = night
  const goesOn = work.status === "paused" ? (work.limited?.goes_on_at ?? null) : null
  const at = lookAgainAt(decision, night.now)
  if (goesOn !== null && random() > 0.1) {
    waitsForEnd(night, Date.parse(goesOn))
  } else if (work.status === "paused") {
    resumedByPerson(night)
  } else if (gone(night) < night.hungUntil && random() < 0.8) {
    // Its end is an idle: nobody waits for the next look.
    night.now = night.hungUntil + night.setBy
  } else if (at !== null) night.now = Math.max(night.now + 20, at)
  else {
    night.broken.push(`an active work is forgotten behind ${decision.kind} ${decision.reason}`)
    night.now += HOUR
  }
}

/** One look, and what comes of it. `side`: to which side the clock is set in this night. */
function act(night: Night, turn: number, side: Side): void {
  const { held, seen } = night
  const at = gone(night)
  const isHeld = OPEN.every(({ title }) => (held.get(title) ?? 0) > at)
  const wasWaiting = goesOnByItself(night.work)
  const decision = look(night)
  if (isHeld) seen.allHeld += 1
  if (OPEN.every(({ title }) => held.get(title) === Number.POSITIVE_INFINITY)) seen.heldForGood += 1
  if (night.spent >= CEILING) seen.ceilings += 1
  if (decision.kind !== "continue" && decision.kind !== "compact") {
    waited(night, decision)
    return
  }
  // A clock that is set ahead looks like one night's sleep: a limit's end has come.
  if (side !== "ahead" && at < night.limitEnds)
    night.broken.push("a prompt while the provider is limited")
  if (side !== "ahead" && isHeld)
    night.broken.push("a prompt while each task's subagent is limited")
  if (wasWaiting) waitedTooLong(night, at)
  if (at < night.hungUntil) night.broken.push("a prompt while a subagent runs")
  if (night.spent >= CEILING) night.broken.push(`a prompt behind ${night.spent} dollars`)
  prompted(night, turn)
}

/** The work's own limit, where no task has one, and opencode was there all the time, is waited for to its end alone. */
function waitedTooLong({ limitEnds, isWatched, held, broken }: Night, at: number): void {
  const late = at - limitEnds
  if (isWatched && limitEnds > 0 && held.size === 0 && late > MARGIN)
    broken.push(`a limit is waited for ${late / MINUTE} minutes too long`)
}

type Side = "never" | "ahead" | "back"

/** The clock is set by up to two hours, or a day; a watch that waits for a limit's end sees it back, where there is one. */
function step(night: Night, side: Side): void {
  const { random, seen } = night
  const ms = Math.round(random() * (random() < 0.2 ? 24 : 2) * HOUR)
  const byMs = side === "back" ? -ms : ms
  night.now += byMs
  night.setBy += byMs
  seen.steps += 1
  if (side !== "back" || !goesOnByItself(night.work)) return
  if (random() < 0.7) night.work = clockSetBack(night.work, ms)
  else night.isWatched = false
}

/** Plays a night. The clock is set now and then, always to the one side: one each way leave no order of what came before. */
function play(seed: number, side: Side): Night {
  const random = randomOf(seed)
  const work = aWork({ resumed_at: isoOf(NOW) })
  const seen = nothingSeen()
  const fresh = {
    ...{ lastTurn: null, failure: null, progress: 0, attempts: null, spent: 0 },
    ...{ hungUntil: 0, limitEnds: 0, isWatched: true, setBy: 0 },
  }
  const held = new Map<string, number>()
  const tries = new Map<string, number>()
  const known = { held, tries, seen, areChildrenUsedUp: random() < 0.3 }
  const night: Night = { random, now: NOW, work, ...fresh, ...known, broken: [] }
  for (let turn = 1; turn < 20_000 && gone(night) < NOW + NIGHT_HOURS * HOUR; turn++) {
    act(night, turn, side)
    if (side !== "never" && random() < 0.05) step(night, side)
  }
  return night
}

function nothingSeen(): Seen {
  return {
    ...{ prompts: 0, limits: 0, waits: 0, allHeld: 0, heldForGood: 0, ceilings: 0 },
    ...{ hangs: 0, restarts: 0, steps: 0, waits_of_children: 0 },
  }
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

test.each<{ side: Side; clock: string }>([
  { side: "never", clock: "is never set" },
  { side: "back", clock: "is set back now and then" },
  { side: "ahead", clock: "is set ahead now and then" },
])(
  "10,000 hours alone, with restarts, where the clock $clock: at most two attempts behind a limit, no prompt while one lasts or the money is gone, no healthy subagent ended, no active work forgotten",
  ({ side }) => {
    const sum = nothingSeen()
    for (const seed of fc.sample(fc.integer(), { numRuns: NIGHTS, seed: 17 })) {
      const { seen, broken } = play(seed, side)
      expect({ seed, broken }).toEqual({ seed, broken: [] })
      for (const [key, times] of Object.entries(seen)) sum[key as keyof Seen] += times
    }
    // The nights were such nights.
    expect(sum.prompts).toBeGreaterThan(1_000)
    expect(sum.limits).toBeGreaterThan(200)
    expect(sum.waits).toBeGreaterThan(200)
    expect(sum.allHeld).toBeGreaterThan(50)
    expect(sum.heldForGood).toBeGreaterThan(5)
    expect(sum.hangs).toBeGreaterThan(100)
    expect(sum.ceilings).toBeGreaterThan(20)
    expect(sum.restarts).toBeGreaterThan(200)
    expect(sum.waits_of_children).toBeGreaterThan(200)
    expect(sum.steps > 100).toBe(side !== "never")
  },
)

test("nights of any seed, the clock set to either side", () => {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom<Side>("never", "ahead", "back"), (seed, side) => {
      expect(play(seed, side).broken).toEqual([])
    }),
    { numRuns: NIGHTS },
  )
})
