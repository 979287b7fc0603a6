// Keeps what is seen of a work's checks, in memory and on disk.
// Over 250 lines: which work and plan the checks are of decides what is seen for them.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { asLines, inOrder, mergedByTime } from "../../boulder/proof-order.ts"
import { placeIn, workLed } from "../../decide/place.ts"
import { type Proof, proofOf } from "../../decide/proof/proof.ts"
import { proofAtBegin, takenBack } from "../../decide/see-ticks.ts"
import { withChecks } from "../../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { storeSoon } from "./comes-once.ts"
import type { PlaceAsked } from "./place-of.ts"

/** A work and its plan, as they were read. */
export interface Read {
  readonly work: Work
  readonly plan: Plan
}

type Seeing = Pick<Shell, "options" | "sessions" | "proofs" | "log" | "now">
type Keeping = Pick<Shell, "sessions" | "proofs" | "log" | "store">

/** From here on the checks that a plan names are known. The ticks that it already has are not claimed by anyone in this work. */
export async function beginProof(
  shell: Seeing & Keeping,
  work: Work,
  reading: ReadPlan,
): Promise<void> {
  const { plan } = reading
  await noteChecks(shell, work, reading)
  if (!isAsked(shell, plan)) return
  const before = proofAtBegin(plan, isoOf(shell.now()))
  const make = (known: readonly ProofEntry[]) => (known.length === 0 ? before : [])
  await unlessFailed(shell, () => shell.proofs.add(work.work_id, make), [])
  await noteTakenBack(shell, { work, plan })
}

/** A session that leads a work, and its place; `isOwn`: it makes the call itself. */
export interface Led {
  readonly leadId: string
  readonly isOwn: boolean
  readonly place: PlaceAsked
}

/**
 * What to do before a call in a lead's family that can tick a task: what was unticked since the plan was last read must be done again,
 * unless a command of a subagent has done that itself: for one that still runs nobody can tell. Null if the plan is as it was then.
 */
export function lookBack(
  shell: Seeing & Keeping & Pick<Shell, "plans">,
  led: Led,
): (() => Promise<void>) | null {
  if (isAsRead(shell, led)) return null
  const { begun } = shell.sessions.of(led.leadId)
  return async () => {
    const read = await readChecks(shell, led)
    if (read !== null && begun.length === 0) await noteTakenBack(shell, read)
  }
}

/**
 * Reads the checks of the plan that a session leads, unless they are as they were read. What runs below a call belongs to the work of the
 * checks, whatever its lead leads by now. Gives what was read if it was not read like this before.
 */
export async function readChecks(
  shell: Keeping & Pick<Shell, "plans">,
  led: Led,
): Promise<Read | null> {
  if (isAsRead(shell, led)) return null
  const { checks } = shell.sessions.of(led.leadId)
  // A state that cannot be read must not cost a run: what is known is kept.
  const now = await (checks ? unlessFailed(shell, led.place, null) : storeSoon(led.place))
  const known = now?.boulder?.works[checks?.workId ?? ""]
  const found = (led.isOwn ? null : known) ?? (now && workLed(now)) ?? known
  const reading = found && (await shell.plans.read(found.active_plan))
  if (!found || reading?.kind !== "read") return null
  const work = { ...found, lead_session_id: led.leadId }
  return (await noteChecks(shell, work, reading)) ? { work, plan: reading.plan } : null
}

/** Whether the work that a session leads, and its plan, are as its checks were read. What cannot be told at once counts as changed. */
function isAsRead(
  { sessions, plans, store }: Pick<Shell, "sessions" | "plans" | "store">,
  { leadId, isOwn }: Led,
): boolean {
  const { checks } = sessions.of(leadId)
  if (checks === null || plans.keptHash(checks.plan) !== checks.hash) return false
  const now = isOwn ? store.kept() : undefined
  if (now === null) return false
  const work = now && workLed(placeIn(now, [leadId]))
  return !work || work.work_id === checks.workId
}

async function noteTakenBack(shell: Seeing, { work, plan }: Read): Promise<void> {
  if (!isAsked(shell, plan)) return
  const { lead_session_id: sessionId } = work
  const ticks = (await knownOf(shell, work)).filter(({ kind }) => OF_TICKS.has(kind))
  const entries = takenBack(plan.tasks, proofOf(plan, ticks), isoOf(shell.now()))
  if (entries.length === 0) return
  shell.sessions.note({ kind: "seen", sessionId, entries })
  // Once the box is ticked again, nothing else tells of it.
  await keepSeen(shell, { work, plan })
}

const OF_TICKS: ReadonlySet<ProofEntry["kind"]> = new Set(["tick", "approved", "reopened"])

/**
 * Stores the commands that a reading of a plan names as checks, in the memory of the session that leads its work. What was seen for the
 * work that the session has led so far is written down first: it proves no task of this one. Gives whether it was not read like this before.
 */
export async function noteChecks(
  shell: Keeping,
  work: Pick<Work, "work_id" | "lead_session_id" | "active_plan">,
  { plan, fingerprint: { hash } }: ReadPlan,
): Promise<boolean> {
  const { work_id: workId, lead_session_id: sessionId, active_plan: path } = work
  const { checks } = shell.sessions.of(sessionId)
  const isSame = checks?.workId === workId
  if (isSame && checks.plan === path && checks.hash === hash) return false
  if (checks !== null && !isSame) await keepAllSeen(shell)
  const commands = withChecks(plan.tasks).flatMap(({ checks: named = [] }) =>
    named.map(({ command }) => command),
  )
  // Checks that the plan named before may still be asked for.
  const before = isSame ? checks.commands : []
  const all = [...new Set([...commands, ...before])].slice(0, MAX_COMMANDS)
  const read = { workId, plan: path, hash, commands: all }
  shell.sessions.note({ kind: "checks-read", sessionId, ...read })
  return true
}

/** How many checks a session looks for: as many as a plan has rows that are read. */
const MAX_COMMANDS = 20_000

/** Keeps looking for checks that an agent has removed from the plan. */
export function noteAsked(
  { sessions }: Pick<Shell, "sessions">,
  { work, plan }: Read,
  proof: Proof,
): void {
  const { lead_session_id: sessionId } = work
  const { checks } = sessions.of(sessionId)
  if (checks === null) return
  const known = new Set(checks.commands)
  const missing = plan.tasks.flatMap((task) => proof.asked(task).filter((one) => !known.has(one)))
  if (missing.length === 0) return
  const commands = [...new Set([...checks.commands, ...missing])].slice(0, MAX_COMMANDS)
  sessions.note({ ...checks, kind: "checks-read", sessionId, commands })
}

/** A delegation begins. Notes the tree as it is, to see whether its result has changed anything. */
export async function noteBegun(
  shell: Observing,
  {
    sessionId,
    key,
    plan,
  }: { readonly sessionId: string; readonly key: string | null | undefined; readonly plan: Plan },
): Promise<void> {
  const task = isAsked(shell, plan) ? plan.tasks.find((one) => one.key === key) : undefined
  if (task === undefined) return
  const tree = await unlessFailed(shell, shell.tree, null)
  const at = isoOf(shell.now())
  const entry = { kind: "begun", at, session: sessionId, task: namedIn(task), tree } as const
  shell.sessions.note({ kind: "seen", sessionId, entries: [entry] })
}

/** A result has come for a task, so its checks may be run for it from here on. Git is asked for the tree only if no write was seen. */
export async function noteBack(
  shell: Observing,
  sessionId: string,
  childId: string,
  { task, plan }: { readonly task: Task | null; readonly plan: Plan },
): Promise<void> {
  if (task === null || !isAsked(shell, plan)) return
  const of = namedIn(task)
  const hasWritten = shell.sessions
    .of(sessionId)
    .seen.some((one) => one.kind === "write" && one.task?.key === of.key)
  const tree = hasWritten ? null : await unlessFailed(shell, shell.tree, null)
  const entry = { kind: "back", at: isoOf(shell.now()), session: childId, task: of, tree } as const
  shell.sessions.note({ kind: "seen", sessionId, entries: [entry] })
}

type Observing = Pick<Shell, "options" | "sessions" | "tree" | "now" | "log">

function namedIn({ key, titleHash }: Task) {
  return { key, title_hash: titleHash }
}

/**
 * Writes down what was seen and does not belong to a new tick yet: a subagent has returned or the turn is over, and the process may end.
 * The next tick takes it to disk with its own write.
 */
export async function keepSeen(shell: Seeing, { work, plan }: Read): Promise<void> {
  if (!hasNews(seenOf(shell, work)) || !(await isJudged(shell, { work, plan }))) return
  await unlessFailed(shell, () => writeSeen(shell, work, () => [], "unsynced"), undefined)
}

/** Writes down what was seen, for every work: this instance ends, or a session changes to another. */
export async function keepAllSeen(shell: Keeping): Promise<void> {
  const read = await unlessFailed(shell, () => shell.store.read(), null)
  for (const work of Object.values(read?.boulder?.works ?? {}))
    if (leadsOf(shell, work).length > 0)
      await unlessFailed(shell, () => writeSeen(shell, work, () => [], "unsynced"), undefined)
}

/**
 * Writes down what was seen by then, and after it what `make` gives for everything known, in its order. Nothing if `make` gives null.
 * `isLost`: nothing was written down before.
 */
export async function writeSeen(
  shell: Pick<Shell, "sessions" | "proofs">,
  work: Work,
  make: (all: readonly ProofEntry[], isLost: boolean) => readonly ProofEntry[] | null,
  how?: "unsynced",
): Promise<void> {
  const written = new Set<ProofEntry>()
  await shell.proofs.add(
    work.work_id,
    (known) => {
      const seen = seenOf(shell, work)
      const added = make(inOrder([...known, ...seen]), known.length === 0)
      if (added === null || (added.length === 0 && !hasNews(seen))) return []
      for (const one of seen) written.add(one)
      return [...asLines(seen), ...added]
    },
    how,
  )
  for (const sessionId of leadsOf(shell, work))
    if (shell.sessions.of(sessionId).seen.some((one) => written.has(one)))
      shell.sessions.note({ kind: "seen-written", sessionId, entries: written })
}

/** Whether anything was done, and not only begun. */
function hasNews(seen: readonly ProofEntry[]): boolean {
  return seen.some(({ kind }) => kind !== "call")
}

/** The sessions that lead a work or have led it, and have not gone on to another since. */
export function leadsOf(
  { sessions }: Pick<Shell, "sessions">,
  { work_id: workId, session_ids: ids, lead_session_id: leadId }: Work,
): readonly string[] {
  return [...new Set([...ids, leadId])].filter((id) => sessions.of(id).checks?.workId === workId)
}

/** What was seen below all leads of a work and is not written down yet, in its order. */
export function seenOf(shell: Pick<Shell, "sessions">, work: Work): readonly ProofEntry[] {
  const lists = leadsOf(shell, work).map((id) => shell.sessions.of(id).seen)
  return lists.length === 1 ? lists.flat() : inOrder(mergedByTime(lists))
}

/** Everything that was seen of a work's checks, written down or not. */
export async function knownOf(
  shell: Pick<Shell, "sessions" | "proofs" | "log">,
  work: Work,
): Promise<readonly ProofEntry[]> {
  const written = await unlessFailed(shell, () => shell.proofs.read(work.work_id), [])
  return inOrder([...written, ...seenOf(shell, work)])
}

/** Whether a plan names checks, and the options ask for what they say. */
export function isAsked({ options }: Pick<Shell, "options">, { tasks }: Plan): boolean {
  return options.ticks !== "trust" && withChecks(tasks).length > 0
}

/** The same for a work: whether its plan names checks, or has named one. */
export async function isJudged(
  shell: Pick<Shell, "options" | "proofs" | "log">,
  { work, plan }: Read,
): Promise<boolean> {
  if (shell.options.ticks === "trust") return false
  if (isAsked(shell, plan)) return true
  const known = await unlessFailed(shell, () => shell.proofs.read(work.work_id), [])
  return known.length > 0
}
