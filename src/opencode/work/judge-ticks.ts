// Looks at the ticks of a plan, and writes down what was seen of its checks together with the new ticks.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { checkSetbacks } from "../../decide/check-setbacks.ts"
import type { ProofSummary, TickNews, UnprovenTick } from "../../decide/decision.ts"
import { holdTicks } from "../../decide/hold-ticks.ts"
import { type Proof, proofOf, proofSummary } from "../../decide/proof/proof.ts"
import { type SeenTicks, seeTicks } from "../../decide/see-ticks.ts"
import { untoldNow, withoutTold, withUntold } from "../../decide/untold.ts"
import { isSettled, type Task } from "../../plan/model/plan.ts"
import { whyUnproven } from "../../prompts/proof-words.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import type { Remembering, Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { seeTree, unsaid } from "../tools/tested-tree.ts"
import {
  isAsked,
  isJudged,
  knownOf,
  leadsOf,
  noteAsked,
  noteChecks,
  type Read,
  seenOf,
  writeSeen,
} from "./note-proof.ts"

type Judging = Pick<
  Shell,
  "options" | "sessions" | "proofs" | "store" | "journal" | "log" | "now" | "tree" | "moved"
>

/** What a look at the ticks has found that the lead must still be told, and what it holds back. */
export interface Judged {
  readonly news: TickNews
  readonly hold: (work: Work) => Work
  /** Counts the checks that have failed after a result. */
  readonly setback: (work: Work) => Work
}

const same = (work: Work): Work => work
/** What a look finds if there is nothing to look at. */
export const UNJUDGED: Judged = {
  news: { unproven: [], edited: [], changed: [] },
  hold: same,
  setback: same,
}

/**
 * Looks at the ticks of a work's plan, and at the checks that it names. Makes at most one durable write, and only if a tick is new, was
 * taken back or has been proven since, or a check has changed. What cannot be written is looked at again with the next tick.
 */
export async function judgeTicks(
  shell: Judging,
  { work, reading }: { readonly work: Work; readonly reading: ReadPlan },
): Promise<Judged> {
  const { plan } = reading
  await noteChecks(shell, work, reading)
  if (!(await isJudged(shell, { work, plan }))) return UNJUDGED
  const at = isoOf(shell.now())
  const leads = leadsOf(shell, work)
  const { lead_session_id: leadId } = work
  await noteMoved(shell, work, at)
  const untold = untoldNow(shell.sessions.of(leadId).untold, plan)
  if (untold.length > 0) shell.sessions.note({ kind: "ticks-untold", sessionId: leadId, untold })
  const isRequired = shell.options.ticks === "require"
  const by = leads.some((id) => shell.sessions.of(id).hasEditedPlan) ? "agent" : "person"
  const lookAt = (all: readonly ProofEntry[], isLost: boolean): SeenTicks => {
    // If what was written down is lost, nobody knows which ticks are older than the work.
    const look = { at, by: isRequired && isLost ? "agent" : by, isRequired, untold } as const
    return seeTicks(plan, all, look)
  }
  const judged: { made: SeenTicks | null; all: readonly ProofEntry[] } = { made: null, all: [] }
  const isWritten = await unlessFailed(
    shell,
    async () => {
      await writeSeen(shell, work, (known, isLost) => {
        const made = lookAt(known, isLost)
        Object.assign(judged, { made, all: [...known, ...made.added] })
        return made.added.length === 0 ? null : made.added
      })
      return true
    },
    false,
  )
  const { made, all } = judged
  if (made === null) {
    if (!isRequired) return UNJUDGED
    // What cannot be read counts as lost until it can be read: meanwhile no tick settles a task, and no held tick is released.
    const seen = seenOf(shell, work)
    const proof = proofOf(plan, [...seen, ...lookAt(seen, true).added])
    return {
      ...UNJUDGED,
      hold: holdMore(holdTicks(plan, proof, { fresh: new Set(), whyOf: whyUnproven })),
    }
  }
  const proof = proofOf(plan, all)
  noteAsked(shell, { work, plan }, proof)
  if (!plan.tasks.some((task) => isWaiting(task, proof, isRequired)))
    shell.sessions.note({ kind: "tree-seen", sessionId: leadId, tree: null, isFresh: false })
  const fresh = new Set(made.unproven.map(({ task }) => task.key).filter((key) => isNew(made, key)))
  const hold = isRequired ? holdTicks(plan, proof, { fresh, whyOf: whyUnproven }) : UNJUDGED.hold
  const setback = checkSetbacks(plan, all)
  if (!isWritten) return { ...UNJUDGED, hold, setback }
  for (const id of leads) shell.sessions.note({ kind: "plan-looked-at", sessionId: id })
  const { added, edited, changed } = made
  const news = { unproven: await withoutWork(shell, made.unproven), edited, changed }
  if (added.length === 0) return { news, hold, setback }
  const toTell = withUntold(untold, plan, news)
  shell.sessions.note({ kind: "ticks-untold", sessionId: leadId, untold: toTell })
  const unproven = news.unproven.filter(({ task }) => fresh.has(task.key))
  for (const one of unproven.slice(0, MAX_TOLD)) await tell(shell, work, one, at)
  return { news, hold, setback }
}

/** Holds what `hold` holds, and everything that is held already. */
function holdMore(hold: (work: Work) => Work): (work: Work) => Work {
  return (work) => {
    const { held } = hold(work)
    return Object.keys(held).length === 0 ? work : { ...work, held: { ...work.held, ...held } }
  }
}

/** Notes that the work tree has changed since the last call, through something that nobody has seen. */
async function noteMoved(
  shell: Pick<Shell, "sessions" | "tree" | "moved" | "log">,
  { lead_session_id: sessionId, active_plan: plan }: Work,
  at: string,
): Promise<void> {
  const { tested } = shell.sessions.of(sessionId)
  if (tested?.tree == null) return
  // Right after a run, the tree is the one that the check ran in, whatever keeps moving it.
  if (tested.isFresh) {
    shell.sessions.note({ kind: "tree-seen", sessionId, tree: tested.tree, isFresh: false })
    return
  }
  const look = { isKept: true, isFresh: false }
  const { tree, before, hasMoved } = await seeTree(shell, { leadId: sessionId, plan }, look)
  if (hasMoved !== true) return
  const by = { at, session: sessionId, task: null, tree }
  const entries = unsaid(shell, before, tree).map((one) => ({ ...one, ...by }))
  shell.sessions.note({ kind: "seen", sessionId, entries })
}

/** Whether a check was run for a task that is not settled yet. */
function isWaiting(task: Task, proof: Proof, isRequired: boolean): boolean {
  const isOpen = isRequired || !isSettled(task)
  return isOpen && !proof.isTickProven(task) && proof.of(task) !== null
}

/** Does not say that nothing was done if the tree has changed since: then something that nobody has seen has changed it. */
async function withoutWork(
  shell: Pick<Shell, "tree" | "log">,
  unproven: readonly UnprovenTick[],
): Promise<readonly UnprovenTick[]> {
  if (!unproven.some(({ nothingDoneIn }) => nothingDoneIn !== undefined)) return unproven
  const tree = await unlessFailed(shell, shell.tree, null)
  return unproven.flatMap((one) => {
    const { nothingDoneIn, ...rest } = one
    if (nothingDoneIn === undefined || nothingDoneIn === tree) return [one]
    return one.standing.check === "" ? [] : [rest]
  })
}

/** The same count before a task is delegated again, from what was seen since the last look. */
export async function setbacksNow(
  shell: Pick<Shell, "options" | "sessions" | "proofs" | "log">,
  { work, plan }: Read,
): Promise<(work: Work) => Work> {
  return isAsked(shell, plan) ? checkSetbacks(plan, await knownOf(shell, work)) : UNJUDGED.setback
}

function isNew({ added }: SeenTicks, key: string): boolean {
  return added.some(({ kind, task }) => kind === "tick" && task?.key === key)
}

/** The lead has been told in a text of ours what was judged. Until then it is told again. */
export function toldOf(
  { sessions }: Remembering,
  sessionId: string,
  judged: Partial<TickNews>,
): void {
  const { untold } = sessions.of(sessionId)
  if (untold.length === 0) return
  sessions.note({ kind: "ticks-untold", sessionId, untold: withoutTold(untold, judged) })
}

const MAX_SHOWN = 20

/** The ticked tasks of a work by what they stand on, with the first ones that are not proven; null if its plan names no check. */
export async function summaryNow(
  shell: Pick<Shell, "options" | "sessions" | "proofs" | "log">,
  { work, plan }: Read,
): Promise<ProofSummary | null> {
  if (!(await isJudged(shell, { work, plan }))) return null
  const summary = proofSummary(plan, proofOf(plan, await knownOf(shell, work)))
  return summary && { ...summary, unproven: summary.unproven.slice(0, MAX_SHOWN) }
}

/** The number of journal lines that one look makes at most. */
const MAX_TOLD = 20

async function tell(
  { journal }: Pick<Shell, "journal">,
  work: Work,
  { task, standing: { tier, check, run, changed }, nothingDoneIn }: UnprovenTick,
  at: string,
): Promise<void> {
  await journal.append({
    at,
    session: work.lead_session_id,
    work: work.work_id,
    decision: "tick",
    reason: nothingDoneIn === undefined ? "tick-unproven" : "nothing-done",
    facts: {
      ...taskFacts(task),
      tier,
      check: check.slice(0, 200),
      exit: run?.exit ?? null,
      changed,
    },
  })
}
