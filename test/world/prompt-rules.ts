// Rules for when the plugin may prompt, and when it must.
import { firstBroken, type Invariant } from "./invariant.ts"
import type { Prompt } from "./ledger.ts"

const HOUR_MS = 3_600_000
/** By default. */
const PER_HOUR = 30
const TURNS_WITHOUT_PROGRESS = 2

const notClosed: Invariant = {
  name: "no prompt after a stop or a refusal, until a person resumes the work",
  broken: ({ ledger }) =>
    firstBroken(ledger.prompts, ({ told, sessionId, process }) =>
      told.closed === null ? null : `${process} prompts ${sessionId}, which was ${told.closed}`,
    ),
}

const notAsking: Invariant = {
  name: "no prompt while a question or a permission is open",
  broken: ({ ledger }) =>
    firstBroken(ledger.prompts, ({ waitsFor, sessionId, process }) =>
      waitsFor.length === 0
        ? null
        : `${process} prompts ${sessionId} while ${waitsFor.join(", ")} waits for the user`,
    ),
}

const idleBetween: Invariant = {
  name: "never two prompts without an idle between them",
  broken: ({ ledger }) =>
    firstBroken(ledger.prompts, ({ told, sessionId, process }) =>
      told.isBusy ? `${process} prompts ${sessionId}, which it was told is busy` : null,
    ),
}

const notStopped: Invariant = {
  name: "no prompt behind /stop-work or opencode-boulder stop",
  broken: ({ ledger }) =>
    firstBroken(ledger.prompts, ({ stoppedBefore, sessionId, process }) =>
      stoppedBefore ? `${process} prompts ${sessionId} of a work that was stopped` : null,
    ),
}

const ownAgents: Invariant = {
  name: "no prompt in a session that its user has given to another agent",
  broken: ({ ledger }) =>
    firstBroken(ledger.prompts, ({ told, agent, sessionId, process }) =>
      agent === null || told.agent === null || told.agent === agent
        ? null
        : `${process} prompts ${sessionId}, which ${told.agent} has; its work is ${agent}'s`,
    ),
}

const progress: Invariant = {
  name: "no more than two turns of ours without progress",
  broken: ({ ledger }) =>
    firstBroken([...new Set(ledger.prompts.map(({ sessionId }) => sessionId))], (sessionId) => {
      const turns = ledger.prompts.filter((one) => one.sessionId === sessionId)
      return longestIdle(turns) >= TURNS_WITHOUT_PROGRESS
        ? `${sessionId} is prompted again behind ${TURNS_WITHOUT_PROGRESS} turns that moved nothing`
        : null
    }),
}

/** The most turns in a row that only we began, that did not fail, and that moved nothing. */
function longestIdle(turns: readonly Prompt[]): number {
  let longest = 0
  let now = 0
  for (const [at, { progress: then, failed }] of turns.entries()) {
    const next = turns[at + 1]
    if (next === undefined) break
    if (next.isFresh || next.progress !== then) now = 0
    else if (failed === "no") now += 1
    longest = Math.max(longest, now)
  }
  return longest
}

const cutOff: Invariant = {
  name: "a turn that was cut off with its host is none without progress",
  broken: ({ works, ledger, db }) => {
    const before = ledger.idlePauses
    const paused = works.filter((work) => work.pause_reason === "no-progress")
    ledger.idlePauses = new Set(paused.map(({ work_id: id }) => id))
    return firstBroken(paused, ({ work_id: id, lead_session_id: lead }) => {
      const last = before.has(id) ? undefined : db.lastAssistant(lead)?.info
      return last === undefined || last.time.completed !== undefined
        ? null
        : `${id} is paused as without progress; its last turn, ${last.id}, never came to its end`
    })
  },
}

const hourly: Invariant = {
  name: "no more prompts of a work within an hour than the options say",
  broken: ({ ledger, begin }) =>
    firstBroken(ledger.prompts, ({ decidedAt: at, isOfPlan }) => {
      const fresh = ledger.starts.findLast((one) => one <= at) ?? 0
      const since = Math.max(fresh, at - HOUR_MS)
      const same = ledger.prompts.filter((one) => one.isOfPlan === isOfPlan && one.isTaken)
      const count = same.filter((one) => one.decidedAt > since && one.decidedAt <= at).length
      return count <= perHour(begin.options) ? null : `${count} prompts within an hour`
    }),
}

function perHour({ continuation }: Readonly<Record<string, unknown>>): number {
  return Number(Reflect.get(Object(continuation), "max_per_hour") ?? PER_HOUR)
}

/** When the plugin may prompt. */
export const PROMPT_RULES: readonly Invariant[] = [
  notClosed,
  notAsking,
  idleBetween,
  notStopped,
  ownAgents,
  progress,
  cutOff,
  hourly,
]
