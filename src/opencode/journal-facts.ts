import type { Situation } from "../decide/situation.ts"
import type { JournalEntry } from "../store/journal.ts"

/** What made a decision, for the journal: numbers and short texts only. */
export function factsOf(situation: Situation): JournalEntry["facts"] {
  const { busyChildren, progress, lastTurn } = situation
  return {
    ...countFacts(situation),
    children: busyChildren.length,
    turn_ours: lastTurn?.ours ?? null,
    turn_error: lastTurn?.error ?? null,
    context_tokens: lastTurn?.contextTokens ?? null,
    progress,
  }
}

function countFacts({ work, plan }: Situation): JournalEntry["facts"] {
  if (work === null) return {}
  const kept = {
    settled: work.completed_count,
    total: work.total_count,
    blocked: work.blocked_count,
    continuations: work.continuation.count,
    streak: work.continuation.no_progress_streak,
    failures: work.continuation.failures,
  }
  if (plan.kind === "unavailable")
    return work.status === "active" ? { ...kept, plan: plan.message } : kept
  const { done, cancelled, total, blocked } = plan.plan.counts
  return { ...kept, settled: done + cancelled, total, blocked }
}
