// Writes a decision as a line of the journal.

import type { PauseReason } from "../../boulder/boulder.ts"
import { isKnown } from "../../boulder/cost.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import type { Decision } from "../../decide/decision.ts"
import type { Situation } from "../../decide/situation.ts"
import { spentBudget } from "../../decide/spent-budget.ts"
import { budgetWords } from "../../prompts/budget-words.ts"
import type { JournalEntry } from "../../store/records/journal.ts"

/** What led to a decision, for the journal: only numbers and short texts. */
export function factsOf(situation: Situation, decision: Decision): JournalEntry["facts"] {
  const { busyChildren, progress, lastTurn } = situation
  return {
    ...(decision.kind === "pause" ? pauseFacts(situation, decision.reason) : {}),
    ...failureFacts(situation),
    ...(decision.reason === "provider-wait" ? waitFacts(situation) : {}),
    ...countFacts(situation),
    children: busyChildren.length,
    turn_ours: lastTurn?.ours ?? null,
    turn_error: lastTurn?.error ?? null,
    context_tokens: lastTurn?.contextTokens ?? null,
    progress,
  }
}

function pauseFacts({ work, now, limits }: Situation, reason: PauseReason): JournalEntry["facts"] {
  const spent = work === null || reason !== "budget-spent" ? null : spentBudget(work, now, limits)
  return spent === null ? {} : { budget: budgetWords(spent) }
}

/** What the provider said, if a turn failed; how often a work was tried, if it has met a limit. */
function failureFacts({ failure, work }: Situation): JournalEntry["facts"] {
  const limited = work?.limited ?? null
  const attempts = limited === null ? {} : { limit_attempts: limited.attempts }
  if (failure === null) return attempts
  const until = failure.kind === "limited" && failure.until !== null ? isoOf(failure.until) : null
  return { ...attempts, failure: failure.kind, provider_says: failure.words, limited_until: until }
}

function waitFacts({ hostWaitsUntil: until }: Situation): JournalEntry["facts"] {
  return until === null ? {} : { limited_until: isoOf(until) }
}

const WINDOW_CHARS = 200

function countFacts({ work, plan }: Situation): JournalEntry["facts"] {
  if (work === null) return {}
  const kept = {
    ...countsNow(work, plan.kind === "read" ? plan.plan : null),
    continuations: work.continuation.count,
    streak: work.continuation.no_progress_streak,
    failures: work.continuation.failures,
    round: work.round.number,
    checkpoint: work.checkpoint_seq,
    window: work.current_window.join(",").slice(0, WINDOW_CHARS),
    tokens: work.tokens.spent,
    token_ceiling: work.tokens.ceiling,
    usd: isKnown(work.cost) ? work.cost.usd : null,
  }
  const isMissed = plan.kind === "unavailable" && work.status === "active"
  return isMissed ? { ...kept, plan: plan.message } : kept
}
