// Sees the checks that a work's sessions run, and the files that they write.
// Over 250 lines: what a call has left is read from its words, its exit code, the plan and the tree at once.

import { isAbsolute, resolve } from "node:path"
import { isoOf } from "../../boulder/iso-time.ts"
import { WHOLE_TREE } from "../../boulder/proof-entry.ts"
import { checkRun, type RunOutcome } from "../../decide/check-run.ts"
import {
  type CommandWrite,
  countedWrites,
  filesWritten,
  placeOfCheck,
  reachOf,
} from "../../decide/files-written.ts"
import type { PlanChecks } from "../../decide/host-event.ts"
import { workAtHand, workLed } from "../../decide/place.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { noteChecks } from "../work/note-proof.ts"
import { type PlaceAsked, placeOf } from "../work/place-of.ts"
import { isTested, seeTree, type TreeSeen, UNSAID } from "./tested-tree.ts"
import { writtenNames } from "./write-guard.ts"

/**
 * What is to be seen behind a call of a tool: null, after a look into memory, for any but a command or a write of a
 * session that leads a work or runs below one that does. What was seen is kept in the memory of that lead. `place` is
 * asked where the call is the lead's own and its plan is not known yet.
 */
export function observed(
  shell: Shell,
  { call, place }: { readonly call: ToolCall; readonly place: PlaceAsked },
  result: Pick<ToolResult, "exit">,
): (() => Promise<void>) | null {
  const command = call.kind === "write" ? null : call.command()
  if (shell.options.ticks === "trust" || (call.kind !== "write" && !command)) return null
  const chain = [call.sessionId, ...ancestorsOf(shell, call.sessionId)]
  const known = leadOf(shell, chain)
  const top = chain.at(-1) ?? call.sessionId
  // Behind a restart in the midst of a turn nobody knows yet whose session it is.
  const { lastMessage, leads } = shell.sessions.of(top)
  const isUnknown = command !== null && lastMessage === null && !leads
  if (known === null && !isUnknown) return null
  return async () => {
    const leadId = known ?? (await leadNow(shell, top))
    if (leadId === null) return
    const placeOfLead = leadId === call.sessionId ? place : () => placeOf(shell, leadId)
    const checks = await checksOf(shell, { leadId, place: placeOfLead }, command !== null)
    if (checks === null || checks.commands.length === 0) return
    const ran = { call, command, exit: result.exit() }
    const tested = await isTested(shell, { leadId, place: placeOfLead })
    const seen = await ranAndWrote(shell, { leadId, known: checks, tested }, ran)
    if (seen.hasEditedPlan) shell.sessions.note({ kind: "plan-edited", sessionId: leadId })
    keepSeenOf(shell, { leadId, chain }, seen.entries)
  }
}

/** A session of which nothing is remembered, where it leads a work; from then on that is known. */
async function leadNow(shell: Shell, sessionId: string): Promise<string | null> {
  const place = await storeSoon(() => placeOf(shell, sessionId))
  if (workAtHand(place) === null) return null
  shell.sessions.note({ kind: "leads", sessionId })
  return sessionId
}

/** What was seen is kept in the memory of the lead, with the task that it was done for. */
function keepSeenOf(
  shell: Shell,
  { leadId, chain }: { readonly leadId: string; readonly chain: readonly string[] },
  found: Seen["entries"],
): void {
  const task = taskOf(shell, chain)
  const last = shell.sessions.of(leadId).seen.at(-1)
  // What is no file of the work tree says once that something was done.
  const isSaid = last?.kind === "write" && last.path === "" && last.task?.key === task?.key
  const told = found.filter((entry) => !isSaid || entry.kind === "run" || entry.path !== "")
  if (told.length === 0) return
  const session = (chain[0] ?? leadId).slice(0, 128)
  const entries = told.map((entry) => ({ at: isoOf(shell.now()), session, task, ...entry }))
  shell.sessions.note({ kind: "seen", sessionId: leadId, entries })
}

/**
 * What is to be done before a command of a shell in the family of a lead: the plan is remembered as it is, so that an edit of it can be
 * told from one of another hand. Null for any other call.
 */
export function beforeCommand(shell: Shell, call: ToolCall): (() => Promise<void>) | null {
  if (shell.options.ticks === "trust" || call.kind !== "other" || !call.command()) return null
  const leadId = leadOf(shell, [call.sessionId, ...ancestorsOf(shell, call.sessionId)])
  const checks = leadId === null ? null : shell.sessions.of(leadId).checks
  if (leadId === null || checks === null || checks.commands.length === 0) return null
  return async () => {
    const hash = await hashNow(shell, checks.plan)
    shell.sessions.note({ kind: "plan-before", sessionId: leadId, callId: call.callId, hash })
  }
}

/** The lead of a chain's family; null for none, and for one that rests and has no checks to wait for. */
function leadOf({ sessions }: Pick<Shell, "sessions">, chain: readonly string[]): string | null {
  const leadId = chain.find((id) => sessions.of(id).leads)
  if (leadId === undefined) return null
  const { isAtRest, checks } = sessions.of(leadId)
  return isAtRest && checks === null ? null : leadId
}

async function hashNow({ plans }: Pick<Shell, "plans">, path: string): Promise<string | null> {
  const kept = await plans.keptHash(path)
  if (kept !== null) return kept
  const reading = await plans.read(path)
  return reading.kind === "read" ? reading.fingerprint.hash : null
}

interface Written {
  readonly kind: "write"
  readonly path: string
  readonly tree?: string | null
}

interface CheckSeen {
  readonly kind: "run"
  readonly check: string
  readonly outcome: RunOutcome
  readonly exit: number | null
  readonly tree: string | null
}

/** What a call has left. */
interface Seen<Entry = Written | CheckSeen> {
  readonly entries: readonly Entry[]
  /** The plan was written by a tool, or was another behind a command. */
  readonly hasEditedPlan: boolean
}

/**
 * What a call has run and written, as far as its words and the tree tell. A write of which the words do not tell for sure
 * counts where the tree has moved; so does a command that can have done anything. What a command writes behind a check that it runs is
 * not tested, but where the tree is as it was before and nothing was written in front of the check.
 */
async function ranAndWrote(
  shell: Shell,
  { leadId, known, tested: { isTested: isWaiting, isOld } }: Watched,
  { call, command, exit }: Ran,
): Promise<Seen> {
  const { plan } = known
  if (command === null) return wroteByTool(shell, { leadId, known, isWaiting }, call)
  const { planBefore } = shell.sessions.of(leadId)
  const before = planBefore.find(({ callId }) => callId === call.callId)
  const runs = known.commands.flatMap((check) => {
    const outcome = checkRun(command, check, exit)
    return outcome === null ? [] : [{ check, outcome, exit }]
  })
  const places = runs.flatMap(({ check }) => placeOfCheck(command, check) ?? [])
  const wrote = filesWritten(command, call.folder())
  const reach = reachOf(command, known.commands)
  const isRun = runs.length > 0
  const isPassed = runs.some(({ outcome }) => outcome === "passed")
  const isDoubtful = wrote.some(({ how }) => how !== "surely")
  const isAsked = isRun || isDoubtful || (isWaiting && reach !== "nothing")
  const kept = { isKept: isPassed || isWaiting, isFresh: isRun }
  const seen = isAsked ? await seeTree(shell, { leadId, plan }, kept) : UNASKED
  const { tree, hasMoved } = seen
  const { written, isBehind } = countedWrites(wrote, places, hasMoved)
  const { entries, hasEditedPlan } = await writesOf(shell, pathsOf(written), known)
  const behind = await writesOf(shell, pathsOf(written.filter(isBehind)), known)
  const isUnsaid = hasMoved === true && isUntold({ reach, isRun, isOld })
  return {
    entries: [
      ...withTree([...entries, ...(isUnsaid ? [UNSAID] : [])], seen),
      ...runs.map((run) => ({ ...run, kind: "run" as const, tree })),
      ...withTree(behind.entries, seen),
    ],
    hasEditedPlan: hasEditedPlan || (before !== undefined && before.hash !== known.hash),
  }
}

async function wroteByTool(
  shell: Shell,
  { leadId, known, isWaiting }: Pick<Watched, "leadId" | "known"> & { readonly isWaiting: boolean },
  call: ToolCall,
): Promise<Seen> {
  const { entries, hasEditedPlan } = await writesOf(shell, call.paths(), known)
  const isAsked = isWaiting && entries.some(({ path }) => path !== "")
  const kept = { isKept: true, isFresh: false }
  const seen = isAsked ? await seeTree(shell, { leadId, plan: known.plan }, kept) : UNASKED
  return { entries: withTree(entries, seen), hasEditedPlan }
}

/** Whether what has moved the tree is told by no words: where an earlier process was killed, nothing but a named write is. */
function isUntold({
  reach,
  isRun,
  isOld,
}: {
  readonly reach: ReturnType<typeof reachOf>
  readonly isRun: boolean
  readonly isOld: boolean
}): boolean {
  return isOld ? isRun || reach !== "told" : reach === "anything" && !isRun
}

function pathsOf(writes: readonly CommandWrite[]): readonly string[] {
  return writes.map(({ path }) => path)
}

function withTree(writes: readonly Written[], { tree }: TreeSeen): readonly Written[] {
  return tree === null ? writes : writes.map((one) => ({ ...one, tree }))
}

const UNASKED: TreeSeen = { tree: null, hasMoved: null }

interface Watched {
  readonly leadId: string
  readonly known: PlanChecks
  readonly tested: { readonly isTested: boolean; readonly isOld: boolean }
}

interface Ran {
  readonly call: ToolCall
  readonly command: string | null
  readonly exit: number | null
}

/** The checks of the plan that a session leads; with `isNow` as the plan has them now. Null where it leads none. */
async function checksOf(
  shell: Shell,
  { leadId, place }: { readonly leadId: string; readonly place: PlaceAsked },
  isNow: boolean,
): Promise<PlanChecks | null> {
  const { checks } = shell.sessions.of(leadId)
  if (checks !== null && !isNow) return checks
  if (checks !== null && (await shell.plans.keptHash(checks.plan)) === checks.hash) return checks
  const path = checks?.plan ?? workLed(await storeSoon(place))?.active_plan ?? null
  const reading = path === null ? null : await shell.plans.read(path)
  if (path === null || reading?.kind !== "read") return checks
  noteChecks(shell, leadId, reading, path)
  return shell.sessions.of(leadId).checks
}

/** The task that the nearest call above has named; null where none runs, or it has named none. */
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

async function writesOf(
  shell: Shell,
  paths: readonly string[],
  { plan }: PlanChecks,
): Promise<Seen<Written>> {
  if (paths.length === 0) return { entries: [], hasEditedPlan: false }
  const root = resolve(shell.root)
  const names = new Set(
    (await writtenNames(shell, { paths: () => paths }, plan)).map((name) =>
      resolve(name) === root ? WHOLE_TREE : name,
    ),
  )
  return {
    entries: [...names]
      .filter((path) => path !== plan)
      .map((path) => ({ kind: "write", path: isSource(path) ? path.slice(-512) : "" })),
    hasEditedPlan: names.has(plan),
  }
}

/** Our own files are no work of a task, and what lies outside of the project is none of its tree. */
function isSource(path: string): boolean {
  return !path.startsWith(".boulder/") && path !== ".boulder" && !isAbsolute(path)
}
