// Adds our one text to a tool's result.
import { msUntil } from "../../boulder/iso-time.ts"
import type { LostCall } from "../../decide/decision.ts"
import { workAtHand } from "../../decide/place.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { findAgain, keyNow } from "../../plan/match-tasks.ts"
import { isSettled } from "../../plan/model/plan.ts"
import type { LostToTell } from "../../prompts/news-lines.ts"
import { NOTHING_TOLD, type Remark, type ToolText, toolText } from "../../prompts/tool-text.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { toldOf } from "../work/judge-ticks.ts"
import { type PlaceAsked, type WorkAndPlan, workAndPlan } from "../work/place-of.ts"
import { tellKeys } from "../work/show-window.ts"
import { toolTextOfLost } from "./tool-facts.ts"
import { judgeWrite } from "./write-guard.ts"

/** A tool that a session has run. */
interface Ran {
  readonly call: ToolCall
  readonly place: PlaceAsked
}

/** Adds our one text to a tool's result. `looked` is what the looks after the tool have found; null if nothing. */
export async function addToolText(
  shell: Shell,
  ran: Ran,
  looked: ToolText | null,
  result: Pick<ToolResult, "text">,
): Promise<void> {
  const { sessionId } = ran.call
  const known = shell.sessions.of(sessionId).lost
  const ask = async () => workAndPlan(shell, await ran.place(), workAtHand)
  const found = known.length === 0 ? null : await unlessFailed(shell, ask, null)
  const lost = known.flatMap((one) => lostToTell(one, found, shell.now()))
  const isLimited = looked === null && lost.some(({ kind }) => kind === "limited")
  const told = isLimited && found !== null ? toolTextOfLost(shell, found) : looked
  const isRoomForRemark = told === null || (told.cameBack === null && told.next.kind === "go-on")
  const remark = isRoomForRemark ? await remarkOf(shell, ran, told) : null
  if (remark !== null)
    shell.sessions.note({ kind: "told-of-writes", sessionId: ran.call.sessionId })
  if (known.length > 0) shell.sessions.note({ kind: "told-of-lost", sessionId })
  const text = toolText({ ...(told ?? NOTHING_TOLD), remark, lost }, shell.words)
  if (told !== null) noteTold(shell, sessionId, told)
  if (text !== null) result.text += `\n\n${text}`
}

/** Notes what the text has said, so that it is not said again. */
function noteTold(shell: Shell, sessionId: string, told: ToolText): void {
  toldOf(shell, sessionId, told)
  if (told.renumbered) tellKeys(shell, sessionId, told.renumbered.keys)
}

/** A lost call, as it is told now: its limit may be over, its task may have another number. Nothing if the task is settled or blocked. */
function lostToTell(
  { task, ...how }: LostCall,
  found: WorkAndPlan | null,
  now: number,
): readonly LostToTell[] {
  const reading = found?.reading ?? { kind: "unavailable" }
  const there = reading.kind === "read" ? findAgain(reading.plan, task) : null
  if (there !== null && (isSettled(there) || there.state === "blocked")) return []
  const taskKey = keyNow(reading, task)
  const isOver = how.kind === "limited" && how.until !== null && msUntil(how.until, now) <= 0
  return [isOver ? { kind: "limit-over", taskKey } : { ...how, taskKey }]
}

/** What the orchestrator did by itself. Said once a round, and never in a turn of the user's own. */
async function remarkOf(
  shell: Shell,
  { call, place }: Ran,
  told: ToolText | null,
): Promise<Remark | null> {
  const { toldOfWrites, isUsersTurn, leads } = shell.sessions.of(call.sessionId)
  if (!leads || toldOfWrites || isUsersTurn || shell.options.orchestrator_writes === "allow")
    return null
  if (told !== null && told.remark !== null) return told.remark
  if (call.kind !== "write") return null
  const { kind } = await judgeWrite(shell, { call, place })
  return kind === "remind" ? { kind: "edited-source" } : null
}
