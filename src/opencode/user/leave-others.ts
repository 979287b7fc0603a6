// Leaves the other works that a session leads when it starts one: what is done is finished, the rest is stopped.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { complete, putWork, stop } from "../../boulder/change-work.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import { isAtEnd } from "../../decide/decide-continuation.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { othersLed } from "../../decide/place.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { leadsOneWords } from "../../prompts/pause-words.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import type { Shell } from "../host/shell.ts"
import { sayFinished } from "../idle/say-decision.ts"
import { changeReading } from "../work/record-plan.ts"

/**
 * Reads the plans of the active works that a session leads beside `workId`. Gives what leaves them in `boulder.json`, and afterwards tells
 * of it; its words about those that were paused are for the model, too.
 */
export async function leaveOthers(
  shell: Shell,
  boulder: Boulder | null,
  { workId, sessionId }: { readonly workId: string; readonly sessionId: string },
) {
  const ended = new Map<string, { readonly plan: Plan; readonly end: (work: Work) => Work }>()
  for (const other of boulder === null ? [] : othersLed(boulder, workId, sessionId)) {
    const { work, reading } = await readPlanOf(shell.plans, other)
    if (reading.kind !== "read" || !isAtEnd(reading.plan, work)) continue
    const counted = changeReading(shell, reading, sessionId)
    ended.set(other.work_id, { plan: reading.plan, end: (newest) => complete(counted(newest)) })
  }
  let left: readonly Work[] = []
  return {
    change(newest: Boulder): Boulder {
      left = othersLed(newest, workId, sessionId).map((other) => {
        // What still runs may bring a block.
        const isOver = other.status === "active" && Object.keys(other.dispatches).length === 0
        return (isOver ? ended.get(other.work_id)?.end(other) : undefined) ?? stop(other)
      })
      return left.reduce(putWork, newest)
    },
    async told(newest: Boulder): Promise<readonly string[]> {
      const paused: string[] = []
      for (const work of left) {
        const plan = work.status === "completed" ? ended.get(work.work_id)?.plan : undefined
        if (plan === undefined)
          paused.push(leadsOneWords(work, ofWork(shell.typed, nameIfNeeded(work, newest))))
        else await sayEnded(shell, work, plan)
      }
      return paused
    },
  }
}

async function sayEnded(shell: Shell, work: Work, plan: Plan): Promise<void> {
  const { work_id, lead_session_id: session } = work
  const at = isoOf(shell.now())
  const { settled, total } = countsNow(work, plan)
  const said = { decision: "finish", reason: "plan-complete", facts: { settled, total } }
  await shell.journal.append({ at, session, work: work_id, ...said })
  await sayFinished(shell, work, plan)
}
