// Adds what the sessions of a work have spent to what is remembered of it.
import type { Work } from "./boulder.ts"
import { added, type Cost, charged, isNone, NO_COST } from "./cost.ts"
import { dispatchKey, dispatchOf } from "./find-dispatch.ts"

/** What one session of a work has spent since it was asked last. */
export interface Spent {
  /** The session, and those above it up to the lead, which is left out: none for the lead's own. */
  readonly path: readonly string[]
  /** The `task` call in flight that it runs for. */
  readonly callId: string | null
  readonly tokens: number
  readonly usd: number
  /** Of the tokens, those of answers without a price; below 0 where one that was counted has got its price since. */
  readonly unpricedTokens: number
  /** Answers whose usage the provider has not told; below 0 as for the tokens, left out where there is none. */
  readonly unknownAnswers?: number | undefined
  /** When the provider has last answered it whole, in ms; left out where it has not. */
  readonly answeredAt?: number | undefined
}

const MAX_ROUNDS = 64

/** Adds what the sessions of a work have spent to its sums, and to its tasks where no change comes between. */
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
 * Adds what subagents have spent to their tasks: to the call in flight, or to the task whose session it was. Asked
 * behind the change that a call's end makes. What is of neither stays in the sum of the work alone.
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
