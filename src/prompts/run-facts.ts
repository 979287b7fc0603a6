// Tells where a work stands in its long run: round, window, context, tokens.
import type { Work } from "../boulder/boulder.ts"
import { isNone, spentSince } from "../boulder/cost.ts"
import { costWords, dollarWords, numberWords } from "./budget-words.ts"
import { REASONS } from "./reasons.ts"

/** A fact about a run in words; `name` is how its line begins. */
interface RunFact {
  readonly name: "round" | "window" | "context" | "tokens" | "cost"
  readonly text: string
}

/**
 * Where a work stands in its long run, for a person: round and checkpoint, window, context and limits, tokens and cost with their ceilings.
 * `settled` and `window` come from the plan as it is now. Without the long-run mode only what applies; for a completed work its tokens and
 * cost.
 */
export function runFacts(
  work: Work,
  { settled, window }: { readonly settled: number; readonly window: readonly string[] },
): readonly RunFact[] {
  if (work.status === "completed") return [...tokenFacts(work), ...costFacts(work)]
  const { context } = work
  return [
    ...(context === null ? [] : factOf("round", roundWords(work, settled))),
    ...(window.length === 0 ? [] : factOf("window", windowWords(work, window))),
    ...(context === null ? [] : factOf("context", contextWords(context))),
    ...tokenFacts(work),
    ...costFacts(work),
  ]
}

function factOf(name: RunFact["name"], text: string): readonly RunFact[] {
  return [{ name, text }]
}

function roundWords({ round, checkpoint_seq: seq }: Work, settled: number): string {
  const since = Math.max(0, settled - round.settled_at_checkpoint)
  const tasks = since === 1 ? "1 task" : `${since} tasks`
  const checkpoint = seq === 0 ? "no checkpoint yet" : `checkpoint ${seq}`
  return round.ended === null
    ? `${round.number}, ${tasks} settled since ${seq === 0 ? "its start, no checkpoint yet" : checkpoint}`
    : `${round.number} is over (${REASONS[round.ended].says}), ${checkpoint}`
}

function windowWords({ context, active_shard: shard }: Work, window: readonly string[]): string {
  return `${window.join(", ")}${context === null || shard === 0 ? "" : ` (shard ${shard})`}`
}

function contextWords(context: NonNullable<Work["context"]>): string {
  const { tokens, soft_limit: soft, hard_limit: hard, scaled } = context
  const limits = `soft limit ${numberWords(soft)}, hard limit ${numberWords(hard)}`
  const now = tokens === 0 ? "not known yet" : `${numberWords(tokens)} tokens`
  return `${now}, ${limits}${scaled ? " (scaled down to the model)" : ""}`
}

function tokenFacts({ tokens: { spent, since, ceiling } }: Work): readonly RunFact[] {
  if (spent === 0 && ceiling === null) return []
  const all = `${numberWords(spent)} in all`
  const text =
    ceiling === null
      ? `${all}, no ceiling`
      : since === 0
        ? `${all}, ceiling ${numberWords(ceiling)}`
        : `${all}, ${numberWords(spent - since)} of ${numberWords(ceiling)} since the budget was made fresh`
  return factOf("tokens", text)
}

function costFacts({ cost }: Work): readonly RunFact[] {
  const isNothing = isNone(cost) && cost.ceiling_usd === null
  return isNothing ? [] : factOf("cost", costAgainst(cost))
}

/** What a work has cost, compared with its ceiling if it has one, which counts from when the budget was made fresh. */
export function costAgainst(cost: Work["cost"]): string {
  const { ceiling_usd: ceiling } = cost
  const text = costWords(cost)
  if (ceiling === null) return text
  const since = spentSince(cost)
  const used =
    since === cost.usd ? "" : `${dollarWords(since)} of it since the budget was made fresh, `
  return `${text}, ${used}ceiling ${dollarWords(ceiling)}`
}
