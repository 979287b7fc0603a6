// Looks at the ticks of a plan: what was seen of its checks is written down with those that are new.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { checkSetbacks } from "../../decide/check-setbacks.ts"
import type { EditedJudges, ProofSummary, UnprovenTick } from "../../decide/decision.ts"
import { holdTicks } from "../../decide/hold-ticks.ts"
import { proofOf, proofSummary } from "../../decide/proof.ts"
import { type SeenTicks, seeTicks, ticksBefore } from "../../decide/see-ticks.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { whyUnproven } from "../../prompts/proof-words.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"

type Judging = Pick<Shell, "options" | "sessions" | "proofs" | "journal" | "log" | "now">

/** A work and its plan as they were read. */
interface Read {
  readonly work: Work
  readonly plan: Plan
}

/** What a look at the ticks has found, and what it holds back. */
export interface Judged {
  /** Ticks that are not proven, and that the lead is still to be told of. */
  readonly unproven: readonly UnprovenTick[]
  /** Of the ticks to be told of, whose tasks have edited what judges them. */
  readonly edited: readonly EditedJudges[]
  readonly hold: (work: Work) => Work
  /** Counts the checks that have failed behind a result. */
  readonly setback: (work: Work) => Work
}

const same = (work: Work): Work => work
/** What a look finds where there is nothing to look at. */
export const UNJUDGED: Judged = { unproven: [], edited: [], hold: same, setback: same }

/**
 * Looks at the ticks of a work's plan. At most one durable write, and only where a tick is new, was taken back or is
 * proven since. What cannot be written is looked at again with the next tick.
 */
export async function judgeTicks(shell: Judging, { work, plan }: Read): Promise<Judged> {
  if (!isAsked(shell, plan)) return UNJUDGED
  const at = isoOf(shell.now())
  const leads = [...new Set([...work.session_ids, work.lead_session_id])]
  const seen = leads.flatMap((id) => shell.sessions.of(id).seen)
  const { lead_session_id: leadId } = work
  const { untold } = shell.sessions.of(leadId)
  const judged: { made: SeenTicks | null; all: readonly ProofEntry[] } = { made: null, all: [] }
  const isWritten = await unlessFailed(
    shell,
    async () => {
      await shell.proofs.add(work.work_id, (known) => {
        const made = seeTicks(plan, [...known, ...seen], at, untold)
        Object.assign(judged, { made, all: [...known, ...seen, ...made.added] })
        return made.added.length === 0 ? [] : [...seen, ...made.added]
      })
      return true
    },
    false,
  )
  const { made, all } = judged
  if (made === null) return UNJUDGED
  const fresh = new Set(made.unproven.map(({ task }) => task.key).filter((key) => isNew(made, key)))
  const hold =
    shell.options.ticks === "require"
      ? holdTicks(plan, proofOf(plan, all), { fresh, whyOf: whyUnproven })
      : UNJUDGED.hold
  const setback = checkSetbacks(plan, all)
  const { added, unproven, edited } = made
  if (!isWritten) return { unproven: [], edited: [], hold, setback }
  if (added.length === 0) return { unproven, edited, hold, setback }
  for (const id of leads) {
    const { length: count } = shell.sessions.of(id).seen.filter((one) => seen.includes(one))
    shell.sessions.note({ kind: "seen-written", sessionId: id, count })
  }
  const keys = [...unproven.map(({ task }) => task.key), ...edited.map(({ taskKey }) => taskKey)]
  shell.sessions.note({
    kind: "ticks-untold",
    sessionId: leadId,
    keys: [...new Set([...untold, ...keys])],
  })
  const news = unproven.filter(({ task }) => fresh.has(task.key))
  for (const one of news.slice(0, MAX_TOLD)) await tell(shell, work, one, at)
  return { unproven, edited, hold, setback }
}

/** The same count before a task is delegated again, of what was seen since the last look. */
export async function setbacksNow(
  shell: Pick<Shell, "options" | "sessions" | "proofs" | "log">,
  { work, plan }: Read,
): Promise<(work: Work) => Work> {
  return isAsked(shell, plan) ? checkSetbacks(plan, await knownOf(shell, work)) : UNJUDGED.setback
}

/** All that was seen of a work's checks, written down or not. */
async function knownOf(
  shell: Pick<Shell, "sessions" | "proofs" | "log">,
  work: Work,
): Promise<readonly ProofEntry[]> {
  const written = await unlessFailed(shell, () => shell.proofs.read(work.work_id), [])
  return [...written, ...shell.sessions.of(work.lead_session_id).seen]
}

function isNew({ added }: SeenTicks, key: string): boolean {
  return added.some(({ kind, task }) => kind === "tick" && task?.key === key)
}

/** The lead has what was judged in a text of ours: until then it is told of it again. */
export function toldOf(
  { sessions }: Pick<Shell, "sessions">,
  sessionId: string,
  { unproven = [], edited = [] }: Partial<Pick<Judged, "unproven" | "edited">>,
): void {
  const told = new Set([
    ...unproven.map(({ task }) => task.key),
    ...edited.map(({ taskKey }) => taskKey),
  ])
  const { untold } = sessions.of(sessionId)
  if (told.size === 0 || untold.length === 0) return
  sessions.note({ kind: "ticks-untold", sessionId, keys: untold.filter((key) => !told.has(key)) })
}

const MAX_SHOWN = 20

/** The ticked tasks of a work by what they stand on, the first that are not proven; null where its plan names no check. */
export async function summaryNow(
  shell: Pick<Shell, "options" | "sessions" | "proofs" | "log">,
  { work, plan }: Read,
): Promise<ProofSummary | null> {
  if (!isAsked(shell, plan)) return null
  const summary = proofSummary(plan, proofOf(plan, await knownOf(shell, work)))
  return summary && { ...summary, unproven: summary.unproven.slice(0, MAX_SHOWN) }
}

/** Lines of the journal that one look makes. */
const MAX_TOLD = 20

/** What was seen and belongs to no new tick yet is written down: the turn is over, and the process may end. */
export async function keepSeen(shell: Judging, { work, plan }: Read): Promise<void> {
  if (!isAsked(shell, plan)) return
  const { seen } = shell.sessions.of(work.lead_session_id)
  if (!seen.some(({ kind }) => kind === "run")) return
  await unlessFailed(
    shell,
    async () => {
      await shell.proofs.add(work.work_id, () => seen)
      const { length: count } = seen
      shell.sessions.note({ kind: "seen-written", sessionId: work.lead_session_id, count })
    },
    undefined,
  )
}

/** The ticks that a plan has when its work begins are nobody's claim in it; its checks are known from here on. */
export async function beginProof(shell: Judging, work: Work, reading: ReadPlan): Promise<void> {
  const { plan } = reading
  noteChecks(shell, work.lead_session_id, reading, work.active_plan)
  if (!isAsked(shell, plan)) return
  const before = ticksBefore(plan, isoOf(shell.now()))
  const make = (known: readonly ProofEntry[]) => (known.length === 0 ? before : [])
  await unlessFailed(shell, () => shell.proofs.add(work.work_id, make), [])
}

/** The commands that a reading of a plan names as checks, for the memory of the session that leads its work. */
export function noteChecks(
  { sessions }: Pick<Shell, "sessions">,
  sessionId: string,
  { plan, fingerprint }: ReadPlan,
  path: string,
): void {
  const { hash } = fingerprint
  const { checks } = sessions.of(sessionId)
  if (checks?.plan === path && checks.hash === hash) return
  const commands = plan.tasks.flatMap((task) => (task.checks ?? []).map(({ command }) => command))
  sessions.note({
    kind: "checks-read",
    sessionId,
    plan: path,
    hash,
    commands: [...new Set(commands)],
  })
}

/** A delegation begins: with the tree as it is, so that its result can be told from none. */
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

/**
 * A result has come for a task: its checks may be run for it from here on. Git is asked for the tree only where no write
 * was seen.
 */
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

function isAsked({ options }: Pick<Shell, "options">, { tasks }: Plan): boolean {
  return options.ticks !== "trust" && tasks.some(({ checks }) => checks !== undefined)
}

async function tell(
  { journal }: Pick<Shell, "journal">,
  work: Work,
  { task, standing: { tier, check, run, changed }, isNothingDone }: UnprovenTick,
  at: string,
): Promise<void> {
  await journal.append({
    at,
    session: work.lead_session_id,
    work: work.work_id,
    decision: "tick",
    reason: isNothingDone === true ? "nothing-done" : "tick-unproven",
    facts: { task: task.key, tier, check: check.slice(0, 200), exit: run?.exit ?? null, changed },
  })
}
