// Sees the checks that a work's sessions run, and the files that they write.
import { isoOf } from "../../boulder/iso-time.ts"
import type { BegunCall, PlanChecks } from "../../decide/memory/host-event.ts"
import { keysOf } from "../../decide/memory/told-keys.ts"
import { workAtHand } from "../../decide/place.ts"
import { openBehind } from "../../decide/shell/files-written.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { hashText } from "../../plan/model/hash-text.ts"
import { HANDOFF_TOOLS } from "../../prompts/tool-definitions.ts"
import { hashNow } from "../../store/plans/plan-files.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { type Led, lookBack, readChecks } from "../work/note-proof.ts"
import { type PlaceAsked, placeOf } from "../work/place-of.ts"
import { ranAndWrote, type Seen, wroteSource } from "./ran-and-wrote.ts"
import { isTested, seeTree } from "./tested-tree.ts"

/**
 * What to look at after a tool call. Null, after a look into memory, unless the call is a command or a write of a session that leads a work
 * or runs below one. What was seen is kept in the memory of that lead. `place` is asked if the call is the lead's own and its plan is not
 * known yet.
 */
export function observed(
  shell: Shell,
  { call, place }: { readonly call: ToolCall; readonly place: PlaceAsked },
  result: Pick<ToolResult, "exit">,
): (() => Promise<void>) | null {
  const command = call.kind === "write" ? null : call.command()
  if (call.kind !== "write" && !command) return null
  const chain = [call.sessionId, ...ancestorsOf(shell, call.sessionId)]
  const known = leadOf(shell, chain)
  const top = chain.at(-1) ?? call.sessionId
  // After a restart in the middle of a turn, nobody knows yet whose session it is.
  const { lastMessage, leads } = shell.sessions.of(top)
  const isUnknown = command !== null && lastMessage === null && !leads
  if (known === null && !isUnknown) return null
  const begun = known === null ? undefined : begunOf(shell, known, call)
  return async () => {
    const leadId = known ?? (await leadNow(shell, top))
    if (leadId === null) return
    const led = ledFor(shell, leadId, { call, place })
    const checks = await checksToSee(shell, led, command !== null)
    const seen = { call, exit: result.exit(), chain, begun }
    const hasWritten =
      checks === null
        ? await wroteSource(shell, call, shell.sessions.of(leadId).checks?.plan ?? "")
        : await seeRuns(shell, led, checks, seen)
    if (!hasWritten) return
    const hash = hashText(command ?? call.words())
    for (const sessionId of new Set([leadId, call.sessionId]))
      shell.sessions.note({ kind: "wrote", sessionId, hash })
  }
}

function ledFor(
  shell: Shell,
  leadId: string,
  { call, place }: { readonly call: ToolCall; readonly place: PlaceAsked },
): Led {
  const isOwn = leadId === call.sessionId
  return { leadId, isOwn, place: isOwn ? place : () => placeOf(shell, leadId) }
}

/** A call that is over, with the sessions above it and how things were when it began. */
interface CallSeen {
  readonly call: ToolCall
  readonly exit: number | null
  readonly chain: readonly string[]
  readonly begun: BegunCall | undefined
}

/** Keeps what a call has run and written. Gives whether it has written into the project. */
async function seeRuns(
  shell: Shell,
  led: Led,
  known: PlanChecks,
  seen: CallSeen,
): Promise<boolean> {
  const { leadId } = led
  const { call, exit, begun } = seen
  const ran = { call, command: call.kind === "write" ? null : call.command(), exit }
  const tested = await isTested(shell, led)
  const { entries, hasEditedPlan } = await ranAndWrote(shell, { leadId, known, tested, begun }, ran)
  if (hasEditedPlan) shell.sessions.note({ kind: "plan-edited", sessionId: leadId })
  keepSeenOf(shell, leadId, seen, entries)
  callOver(shell, call.sessionId, call.callId)
  return entries.some((entry) => entry.kind === "write" && entry.path !== "")
}

/** Gives a session of which nothing is remembered, if it leads a work, and notes that it does; else null. */
async function leadNow(shell: Shell, sessionId: string): Promise<string | null> {
  const place = await storeSoon(() => placeOf(shell, sessionId))
  const work = workAtHand(place)
  if (work === null) return null
  shell.sessions.note({ kind: "leads", sessionId, keys: keysOf(work) })
  return sessionId
}

/**
 * Keeps what was seen in the memory of the lead, with the task that it was done for. A run stands where its command began, because what is
 * written while it lasts may not be tested. So does what a tool writes. What a command itself writes stands where it ends.
 */
function keepSeenOf(
  shell: Shell,
  leadId: string,
  { chain, call, begun }: CallSeen,
  found: Seen["entries"],
): void {
  const task = taskOf(shell, chain)
  const last = shell.sessions.of(leadId).seen.findLast(({ kind }) => kind !== "call")
  // That something was done outside the files of the work tree is noted once.
  const isSaid = last?.kind === "write" && last.path === "" && last.task?.key === task?.key
  const told = found.filter((entry) => !isSaid || entry.kind === "run" || entry.path !== "")
  if (told.length === 0) return
  const session = chain[0] ?? leadId
  const tested = call.kind === "write" ? told.length : told.findLastIndex(isRun) + 1
  const atEnd = { at: isoOf(shell.now()), session, task }
  const atBegin = begun === undefined ? atEnd : { ...atEnd, at: begun.at, call: begun.call }
  const entries = told.map((entry, at) => ({ ...(at < tested ? atBegin : atEnd), ...entry }))
  shell.sessions.note({ kind: "seen", sessionId: leadId, entries })
}

function isRun({ kind }: Seen["entries"][number]): boolean {
  return kind === "run"
}

/**
 * What to do before a call in a lead's family that can run a check, write a file or tick a task: how things are is remembered, since the
 * call may change it. Null if there is nothing to ask, and for any other call.
 */
export function beforeCall(
  shell: Shell,
  { call, place }: { readonly call: ToolCall; readonly place: PlaceAsked },
): (() => Promise<void>) | null {
  if (shell.options.ticks === "trust") return null
  const command = call.kind === "other" ? call.command() : null
  if (!command && !mayTick(call)) return null
  const leadId = leadOf(shell, [call.sessionId, ...ancestorsOf(shell, call.sessionId)])
  if (leadId === null || shell.sessions.of(leadId).checks?.commands.length === 0) return null
  const led = ledFor(shell, leadId, { call, place })
  const first = lookBack(shell, led)
  const begin = beginCall(shell, led, { call, command })
  if (first === null) return begin
  return async () => {
    await first()
    await begin?.()
  }
}

function mayTick({ kind, name }: ToolCall): boolean {
  return kind === "write" || kind === "delegate" || Object.hasOwn(HANDOFF_TOOLS, name)
}

/**
 * Before a shell command the plan's state is remembered, so that an edit by the command can be told from an edit by someone else. If
 * anything follows a check, the tree is remembered too, since it may change by then. The beginning of a write is remembered at once.
 */
function beginCall(
  shell: Shell,
  led: Led,
  { call, command }: { readonly call: ToolCall; readonly command: string | null },
): (() => Promise<void>) | null {
  const { leadId } = led
  if (!command && call.kind !== "write") return null
  // If the plan is not known yet, it is read before a command that may do something after a check.
  if (!command || (shell.sessions.of(leadId).checks === null && !/&&|[;\n]/.test(command))) {
    noteCall(shell, { leadId, call }, { tree: null })
    return null
  }
  return async () => {
    const checks = await checksOf(shell, led, false)
    if (checks === null) return
    const { plan } = checks
    const hash = await hashNow(shell.plans, plan)
    const look = { isKept: false, isFresh: false }
    const seen =
      openBehind(command, checks.commands) && (await seeTree(shell, { leadId, plan }, look))
    noteCall(shell, { leadId, call }, { hash, tree: seen ? seen.tree : null })
  }
}

/** A call is over. If it failed, no hook after it ever comes. */
export function callOver({ sessions }: Pick<Shell, "sessions">, sessionId: string, callId: string) {
  for (const id of [sessionId, ...ancestorsOf({ sessions }, sessionId)]) {
    const begun = begunOf({ sessions }, id, { sessionId, callId })
    if (begun !== undefined)
      sessions.note({ ...namedIn({ sessionId, callId }), kind: "call-over", sessionId: id })
  }
}

function begunOf(
  { sessions }: Pick<Shell, "sessions">,
  leadId: string,
  of: Pick<ToolCall, "sessionId" | "callId">,
): BegunCall | undefined {
  const { session, call } = namedIn(of)
  return sessions.of(leadId).begun.find((one) => one.session === session && one.call === call)
}

function noteCall(
  { sessions, now }: Pick<Shell, "sessions" | "now">,
  { leadId: sessionId, call }: { readonly leadId: string; readonly call: ToolCall },
  was: Pick<BegunCall, "hash" | "tree">,
): void {
  sessions.note({ kind: "call-begins", sessionId, ...namedIn(call), at: isoOf(now()), ...was })
}

/** A call, as it is written down. */
function namedIn({ sessionId, callId }: Pick<ToolCall, "sessionId" | "callId">) {
  return { session: sessionId, call: callId.slice(0, 256) }
}

/** The lead of a chain's family; null if there is none, or if it is at rest and has no checks to wait for. */
function leadOf({ sessions }: Pick<Shell, "sessions">, chain: readonly string[]): string | null {
  const leadId = chain.find((id) => sessions.of(id).leads)
  if (leadId === undefined) return null
  const { isAtRest, checks } = sessions.of(leadId)
  return isAtRest && checks === null ? null : leadId
}

/** The checks to look for: none if the options trust every tick, or if the plan names none. */
async function checksToSee(shell: Shell, led: Led, isNow: boolean): Promise<PlanChecks | null> {
  const checks = shell.options.ticks === "trust" ? null : await checksOf(shell, led, isNow)
  return checks === null || checks.commands.length === 0 ? null : checks
}

/** The checks of the plan that a session leads; with `isNow`, as the plan has them now. Null if it leads none. */
async function checksOf(shell: Shell, led: Led, isNow: boolean): Promise<PlanChecks | null> {
  const { checks } = shell.sessions.of(led.leadId)
  if (checks !== null && !isNow) return checks
  await readChecks(shell, led)
  return shell.sessions.of(led.leadId).checks
}

/** The task that the nearest call above has named; null if no call runs, or it has named none. */
function taskOf(
  { sessions }: Pick<Shell, "sessions">,
  chain: readonly string[],
): { readonly key: string; readonly title_hash: string } | null {
  for (const [index, id] of chain.entries()) {
    const above = chain[index + 1]
    if (above === undefined) return null
    const call = sessions.of(above).calls.find(({ childId }) => childId === id)
    if (call === undefined) continue
    return call.task === null ? null : { key: call.task.key, title_hash: call.task.titleHash }
  }
  return null
}
