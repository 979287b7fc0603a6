// What people do in a world, inside and outside a session.
import type { Work } from "../../src/boulder/boulder.ts"
import { awaitsApproval, waveStatus } from "../../src/decide/final-wave.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import type { SimulatedHost } from "./simulated-host.ts"
import { chosen, type Play, type Step } from "./step.ts"
import type { World } from "./world.ts"
import { EDITS, keyOf, PLAN, rowsOf } from "./world-plan.ts"

const WORDS = [
  "No, do task 2 first.",
  "What did F1 look at?",
  "Thanks, looks good to me.",
  "How far are you?",
] as const
const OUTSIDE = [["stop"], ["resume"], ["approve"], ["why"], ["status"], ["prune"]] as const
const ANSWERS = ["Approve", "Approve", "Not yet", "Blue"] as const

export const USER_ACTS: Readonly<Record<string, Play<World>>> = {
  starts: (world, step) => {
    const lead = leadFor(world, step)
    return lead === null
      ? null
      : command(world, lead, "start-work", chosen(["demo", "", PLAN], step.b) ?? "")
  },

  "starts elsewhere": (world) => startElsewhere(world, "demo"),

  /** If another process works on it, a plain start is refused. */
  "takes over": (world) => startElsewhere(world, "demo --take-over"),

  stops: (world, { a }) => {
    const lead = chosen(roots(world), a)
    return lead === undefined ? null : command(world, lead, "stop-work", "")
  },

  writes: (world, { a, b }) => {
    const sessionId = chosen(roots(world), a)
    const text = chosen(WORDS, b) ?? ""
    return sessionId === undefined ? null : write(world, sessionId, text)
  },

  "switches the agent": (world, { a, b }) => {
    const sessionId = chosen(roots(world), a)
    const agent = chosen(["plan", "build"], b) ?? "build"
    return sessionId === undefined ? null : write(world, sessionId, "Go on like this.", agent)
  },

  "presses ESC": (world, { a }) => {
    const sessionId = chosen(
      roots(world).filter((id) => isBusy(world, id)),
      a,
    )
    const at = sessionId === undefined ? null : world.hostOf(sessionId)
    if (sessionId === undefined || at === null) return null
    pressEscape(world, at.host, sessionId)
    return `The user presses ESC in ${sessionId}.`
  },

  /** Once everything is at rest after the stop, or while the plugin still looks at it. */
  "presses ESC and writes": async (world, { a, b, c }) => {
    const sessionId = chosen(
      roots(world).filter((id) => isBusy(world, id)),
      a,
    )
    const at = sessionId === undefined ? null : world.hostOf(sessionId)
    if (sessionId === undefined || at === null) return null
    pressEscape(world, at.host, sessionId)
    if (c % 2 === 0) await world.settle()
    else await world.parking.letGo(c, () => 0)
    return `The user presses ESC. ${write(world, sessionId, chosen(WORDS, b) ?? "")}`
  },

  answers: (world, step) => {
    const text = chosen(ANSWERS, step.b) ?? ""
    return reply(world, step, { kind: "yes", answers: [[text]] }, `answers "${text}" to`)
  },

  refuses: (world, step) =>
    step.b % 2 === 0
      ? reply(world, step, { kind: "no" }, "refuses")
      : reply(world, step, { kind: "no", feedback: "Do it otherwise." }, "refuses, with words,"),

  "edits the plan": (world, { a, b }) => {
    const { name, edit } = chosen(EDITS, a) ?? { name: "", edit: () => null }
    const text = edit(world.plan, b)
    if (text === null) return null
    world.plan = text
    for (const id of roots(world)) world.ledger.fresh.add(id)
    return `The user ${name} the plan.`
  },

  "undoes a message": (world, { a }) => {
    const sessionId = chosen(
      roots(world).filter((id) => !isBusy(world, id)),
      a,
    )
    const at = sessionId === undefined ? null : world.hostOf(sessionId)
    const last = sessionId === undefined ? undefined : world.db.lastUser(sessionId)
    if (sessionId === undefined || at === null || last === undefined) return null
    at.host.undo(sessionId, last.info.id)
    // By now the session belongs to the agent of the previous message.
    for (const [name] of world.hosts) world.ledger.told(name, sessionId).agent = null
    return `The user undoes the last message in ${sessionId}.`
  },

  compacts: (world, { a }) => {
    const sessionId = chosen(
      roots(world).filter((id) => !isBusy(world, id)),
      a,
    )
    const at = sessionId === undefined ? null : world.hostOf(sessionId)
    if (sessionId === undefined || at === null) return null
    if (world.db.messages(sessionId).length === 0) return null
    // A model that answers it ends a series of failures.
    world.ledger.fresh.add(sessionId)
    world.run(at.host.summarize(sessionId))
    return `The user compacts ${sessionId}.`
  },

  approves: (world) => {
    if (world.work?.awaiting_approval == null) return null
    world.run(outside(world, ["approve"]))
    return "In a terminal: opencode-boulder approve."
  },

  /** A blocked row, an open one that it must refuse, or the only blocked one. */
  unblocks: (world, { a, b }) => {
    const rows = rowsOf(world.plan)
    const blocked = rows.filter(({ state }) => state === "blocked")
    const row = chosen(a % 4 === 3 ? rows : blocked, b)
    if (row === undefined) return null
    const names = a % 4 === 2 ? [] : [keyOf(row)]
    world.run(unblock(world, names))
    return `In a terminal: opencode-boulder unblock ${names.join(" ")}.`
  },

  "runs the command line": (world, { a }) => {
    const args = chosen(OUTSIDE, a) ?? ["why"]
    world.run(outside(world, args))
    return `In a terminal: opencode-boulder ${args.join(" ")}.`
  },
}

function pressEscape({ ledger, clock }: World, host: SimulatedHost, sessionId: string): void {
  ledger.stoppedAt.set(sessionId, clock.passed)
  host.abort(sessionId)
}

/** In a new session of the process that was started last. */
function startElsewhere(world: World, plan: string): string | null {
  const home = [...world.hosts.keys()].at(-1)
  const session = home === undefined ? null : newSession(world, home)
  return session === null ? null : command(world, session, "start-work", plan)
}

function isNow({ work }: World, status: Work["status"]): boolean {
  return work?.status === status
}

/** Runs the command line, and notes what a person has done with it. */
export async function outside(world: World, args: readonly string[]): Promise<void> {
  const { ledger } = world
  // What it writes may be seen before it has returned.
  if (args[0] === "approve")
    ledger.approvals.push({ at: world.clock.passed, by: "opencode-boulder approve" })
  const wasPaused = isNow(world, "paused")
  const { code } = await world.runCli(args)
  if (code !== 0) return
  if (args[0] === "resume" && wasPaused && world.plan === "" && isNow(world, "active"))
    ledger.wrong.push("resume sets a work going whose plan is not there")
  const at = world.clock.passed
  // Someone may have resumed it again afterwards.
  if (args[0] === "stop" && world.isStopped) ledger.stopped = { at, isArmed: false }
  if (args[0] === "resume") setGoing(world, null)
}

/** Frees a row in the plan and does nothing else: it approves nothing, and ends no stop or refusal. */
async function unblock(world: World, names: readonly string[]): Promise<void> {
  const { ledger } = world
  const before = ledger.planWrites.length
  const meant = () => world.recentPlans.flatMap(rowsOf).filter((row) => names.includes(keyOf(row)))
  const known = meant()
  for (const id of roots(world)) ledger.fresh.add(id)
  await world.runCli(["unblock", ...names])
  // The rows may be renumbered in the meantime.
  const titles = [...known, ...meant()].map(({ title }) => title)
  const own = ledger.planWrites.slice(before).filter(({ process }) => process === "cli")
  const states = ({ before: old, after }: (typeof own)[number]) =>
    rowsOf(after).filter(
      ({ title, state }) => rowsOf(old).find((one) => one.title === title)?.state !== state,
    )
  for (const { title, state } of own.flatMap(states))
    if (state !== "open" || (names.length > 0 && !titles.includes(title)))
      ledger.wrong.push(`unblock ${names.join(" ")} marks ${title} ${state}`)
}

/** A person has resumed the work, so whatever had closed it is over. */
function setGoing(world: World, sessionId: string | null): void {
  const { ledger } = world
  ledger.stopped = null
  ledger.setGoingAt = world.clock.passed
  ledger.starts.push(world.clock.passed)
  for (const [name] of world.hosts)
    for (const id of world.db.sessions.keys()) ledger.told(name, id).closed = null
  for (const id of sessionId === null ? world.db.sessions.keys() : [sessionId]) ledger.fresh.add(id)
}

/** A start that was not carried out within this time never is, in ms. */
const START_MS = 10_000

export function command(
  world: World,
  sessionId: string,
  name: string,
  given: string,
): string | null {
  const made = began(world, sessionId, name, given)
  if (made === null) return null
  world.run(made.turn)
  return `The user types /${name} ${given} in ${sessionId} (${made.process}).`
}

/** A command that a person has begun, and the turn that it makes. */
export function began(
  world: World,
  sessionId: string,
  name: string,
  given: string,
): { readonly process: string; readonly turn: Promise<void> } | null {
  const at = world.hostOf(sessionId)
  if (at === null) return null
  const { ledger } = world
  if (name === "start-work") {
    ledger.commands.push(`${at.name} ${sessionId} ${name}`)
    const { passed } = world.clock
    ledger.approvals.push({ at: passed, by: "/start-work", until: passed + START_MS })
    setGoing(world, sessionId)
  }
  return { process: at.name, turn: at.host.command(sessionId, name, given) }
}

function write(world: World, sessionId: string, text: string, agent?: string): string | null {
  const at = world.hostOf(sessionId)
  if (at === null) return null
  const now = agent ?? world.db.sessions.get(sessionId)?.agent
  world.ledger.own.add(text)
  world.run(at.host.prompt(sessionId, text, now))
  return `The user writes in ${sessionId}${agent ? ` as ${agent}` : ""}: ${text}`
}

function reply(
  world: World,
  { a }: Step,
  given: Parameters<SimulatedHost["reply"]>[1],
  words: string,
): string | null {
  const all = [...world.hosts.values()].flatMap((host) =>
    host.asked.map((asked) => ({ host, asked })),
  )
  const one = chosen(all, a)
  if (one === undefined) return null
  const { kind, sessionId, id, questions } = one.asked
  const isWave = JSON.stringify(questions).includes("Final wave")
  if (given.kind === "yes" && isWave && given.answers?.[0]?.[0] === "Approve")
    approve(world, sessionId, id)
  one.host.reply(id, given)
  return `The user ${words} the ${kind} in ${sessionId}.`
}

/** The answer approves the wave that the question was about, if that wave still waits. */
function approve(world: World, sessionId: string, requestId: string): void {
  const { ledger, work } = world
  ledger.approvingAnswers.add(requestId)
  ledger.approvals.push({ at: world.clock.passed, by: "the answer Approve" })
  if (work?.lead_session_id !== sessionId || world.parking.waiting() > 0) return
  const waiting = work.status === "active" ? waitingWave(world) : null
  if (waiting === ledger.wavesAsked.get(requestId)) ledger.approvalDue = waiting
}

/** The wave that waits for its approval; null if none does. */
export function waitingWave({ work, plan }: World): string | null {
  if (work === null) return null
  const read = parsePlan(plan, { path: PLAN })
  return awaitsApproval(read, work) ? waveStatus(read, work).fingerprint : null
}

/** The sessions that no other session has created. */
export function roots(world: World): readonly string[] {
  return [...world.db.sessions.values()]
    .filter(({ parentID }) => parentID === undefined)
    .map(({ id }) => id)
}

export function isBusy(world: World, sessionId: string): boolean {
  return [...world.hosts.values()].some((host) => host.isBusy(sessionId))
}

/** A session that is free for a start: the first, or a new one. */
function leadFor(world: World, { a }: Step): string | null {
  const free = roots(world).filter((id) => !isBusy(world, id))
  const home = chosen([...world.hosts.keys()], a)
  return free[0] ?? (home === undefined ? null : newSession(world, home))
}

const MOST_SESSIONS = 4

export function newSession(world: World, home: string): string | null {
  const host = world.hosts.get(home)
  if (host === undefined || roots(world).length === MOST_SESSIONS) return null
  const { id } = host.newSession()
  world.homes.set(id, home)
  return id
}
