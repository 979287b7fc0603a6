// Looks after each tool of a lead session: settled tasks, limits, the end of a round.
import { mayRunAtHardLimit, reachedLimit } from "../../decide/decide-round.ts"
import { isUsersOwn } from "../../decide/memory/users-turn.ts"
import { workAtHand } from "../../decide/place.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { hardLimitRefusal } from "../../prompts/refusal-text.ts"
import { HANDOFF_TOOLS } from "../../prompts/tool-definitions.ts"
import type { ToolText } from "../../prompts/tool-text.ts"
import { readOnce } from "../../store/handoffs/read-once.ts"
import { hashNow } from "../../store/plans/plan-files.ts"
import { openTurns } from "../host/in-turn.ts"
import { limitsInForce } from "../host/limits-in-force.ts"
import type { Shell } from "../host/shell.ts"
import { LOOK_LIMIT_MS } from "../host/time-limit.ts"
import { ToolRefusal } from "../host/tool-refusal.ts"
import { type PlaceAsked, workAndPlan } from "../work/place-of.ts"
import { lookBehind } from "./look-behind.ts"
import { onDiskAtEnd } from "./on-disk-at-end.ts"
import { toolTextBehind } from "./tool-facts.ts"
import { writtenNames } from "./write-guard.ts"

/** Rounds of the works that sessions of this process lead. */
export type Rounds = ReturnType<typeof openRounds>

const OURS: ReadonlySet<string> = new Set(Object.keys(HANDOFF_TOOLS))
const NOTHING = Promise.resolve(null)

export function openRounds(shell: Shell) {
  const isOff = (sessionId: string): boolean => {
    const { leads, isAtRest } = shell.sessions.of(sessionId)
    return !shell.options.long_run.enabled || !leads || isAtRest
  }
  const inTurn = openTurns(LOOK_LIMIT_MS, "a look behind a tool")
  const look = (sessionId: string, place: PlaceAsked): Promise<ToolText | null> =>
    inTurn(sessionId, () => onDiskAtEnd(shell, (soon) => lookNow(soon, sessionId, place)))
  return {
    /** Waits for the session's earlier looks: parallel tools of one message end a round only once. */
    inTurn,
    /** Whether a look would find nothing. Known at once, from memory and the plan's `stat`. */
    isAsSeen: (sessionId: string) =>
      isOff(sessionId) || seenNow(shell, sessionId, keptHash(shell, sessionId)),
    /**
     * Looks at the plan and the context after a tool of a session. Newly settled tasks are counted once, and a round that is due ends with a
     * checkpoint. Gives what to tell the model; null for nothing. For a session that leads no work this costs a look into memory, and its
     * place is not asked for.
     */
    look: (sessionId: string, place: PlaceAsked) =>
      isOff(sessionId) ? NOTHING : look(sessionId, place),
    /**
     * What to do before a tool of a lead session beyond its hard limit: it throws a `ToolRefusal` if the tool may not run. Null, after a look
     * into memory, for every other session.
     */
    hardLimit(call: ToolCall, place: PlaceAsked) {
      const { sessionId } = call
      if (isOff(sessionId)) return null
      const limits = limitsInForce(shell, sessionId)
      const { contextTokens } = shell.sessions.of(sessionId)
      if (contextTokens < limits.hard || OURS.has(call.name)) return null
      return async () => {
        const work = workAtHand(await place())
        if (work === null) shell.sessions.note({ kind: "at-rest", sessionId })
        if (work === null || isUsersOwn(shell.sessions.of(sessionId), work)) return
        const { active_plan: planPath } = work
        const named = await writtenNames(shell, call, planPath)
        if (mayRunAtHardLimit({ ...call, named }, { planPath, ours: OURS })) return
        await look(sessionId, place)
        throw new ToolRefusal(hardLimitRefusal(contextTokens, limits.hard))
      }
    },
  }
}

async function lookNow(
  shell: Shell,
  sessionId: string,
  place: PlaceAsked,
): Promise<ToolText | null> {
  const { plans } = readOnce(shell)
  const { sessions } = shell
  if (seenNow(shell, sessionId, await hashSeen({ sessions, plans }, sessionId))) return null
  const found = await workAndPlan({ plans }, await place(), workAtHand)
  if (found === null) sessions.note({ kind: "at-rest", sessionId })
  if (found?.reading.kind !== "read") return null
  const { work, reading } = found
  const looked = await lookBehind(shell, { sessionId, work, reading })
  return looked === null ? null : toolTextBehind(shell, looked)
}

/** Whether nothing has changed since the last look of this turn, judged only by the plan's hash and by memory. */
function seenNow(shell: Shell, sessionId: string, hash: string | null): boolean {
  const { looked, contextTokens } = shell.sessions.of(sessionId)
  if (looked === null || hash !== looked.hash) return false
  return reachedLimit(contextTokens, limitsInForce(shell, sessionId)) === looked.limit
}

/** The hash of the plan that was looked at, known at once; null if it cannot be. */
function keptHash({ sessions, plans }: Shell, sessionId: string): string | null {
  const { looked } = sessions.of(sessionId)
  return looked === null ? null : plans.keptHash(looked.plan)
}

/** The same, as the file is now; null if nothing was looked at. */
async function hashSeen(
  { sessions, plans }: Pick<Shell, "sessions" | "plans">,
  sessionId: string,
): Promise<string | null> {
  const { looked } = sessions.of(sessionId)
  return looked === null ? null : hashNow(plans, looked.plan)
}
