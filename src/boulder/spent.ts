// Adds what a work's sessions have spent to the work.
import type { Work } from "./boulder.ts"
import { added, type Cost, charged, isNone, NO_COST } from "./cost.ts"
import { dispatchKey, dispatchOf } from "./find-dispatch.ts"

/** What one session of a work has spent since the last query. */
export interface Spent {
  /** The session and those above it, without the lead; empty for the lead itself. */
  readonly path: readonly string[]
  /** The running `task` call that it works for. */
  readonly callId: string | null
  readonly tokens: number
  readonly usd: number
  /** The tokens of answers without a price; below 0 if a counted answer has got its price since. */
  readonly unpricedTokens: number
  /** Answers whose usage the provider did not report; below 0 as for the tokens, missing if there is none. */
  readonly unknownAnswers?: number | undefined
  /** When the provider last answered it in full, in ms; missing if it has not. */
  readonly answeredAt?: number | undefined
}

const MAX_ROUNDS = 64

/** Adds what the sessions of a work have spent to its sums and, if no change comes in between, to its tasks. */
export function book(spent: readonly Spent[]): (work: Work) => Work {
  return (work) => addToTasks(spent)(addSpent(spent)(work))
}

/** Adds what the sessions of a work have spent to its sums: tokens, dollars, the round's. */
export function addSpent(spent: readonly Spent[]): (work: Work) => Work {
  return (work) => {
    const tokens = spent.reduce((sum, one) => sum + one.tokens, 0)
    const all = sumOf(spent)
    if (tokens === 0 && isNone(all)) return work
    const own = sumOf(spent.filter(({ path }) => path.length === 0))
    const { number } = work.round
    const { rounds } = work.cost
    const now = rounds.find((round) => round.number === number) ?? { number, ...NO_COST }
    const cost = {
      ...work.cost,
      ...added(work.cost, all),
      lead: added(work.cost.lead, own),
      rounds: isNone(all)
        ? rounds
        : [
            ...rounds.filter((round) => round.number !== number),
            { number, ...added(now, all) },
          ].slice(-MAX_ROUNDS),
    }
    return { ...work, cost, tokens: { ...work.tokens, spent: work.tokens.spent + tokens } }
  }
}

/**
 * Adds what subagents have spent to their tasks: that of the running call, or the one whose session it was. Call this after the change that
 * ends a call. What belongs to neither counts only for the work as a whole.
 */
export function addToTasks(spent: readonly Spent[]): (work: Work) => Work {
  return (work) => spent.reduce(withTaskCost, work)
}

function withTaskCost(work: Work, spent: Spent): Work {
  const own = sumOf([spent])
  if (isNone(own)) return work
  const { callId, path } = spent
  const dispatch = callId === null ? undefined : dispatchOf(work, callId)
  if (callId !== null && dispatch !== undefined) {
    const dispatches = { ...work.dispatches, [dispatchKey(callId)]: charged(dispatch, own) }
    return { ...work, dispatches }
  }
  const session = Object.values(work.task_sessions).find(({ session_id: id }) => path.includes(id))
  if (session === undefined) return work
  const task_sessions = {
    ...work.task_sessions,
    [session.task_key]: charged(session, own),
  }
  return { ...work, task_sessions }
}

function sumOf(spent: readonly Spent[]): Cost {
  const answers = spent.reduce((sum, { unknownAnswers = 0 }) => sum + unknownAnswers, 0)
  return {
    usd: spent.reduce((sum, one) => sum + one.usd, 0),
    unpriced_tokens: spent.reduce((sum, one) => sum + one.unpricedTokens, 0),
    ...(answers === 0 ? {} : { unknown_answers: answers }),
  }
}
