// Answers a call of a handoff tool, from whatever host it came.
import type { Handoff } from "../boulder/handoff.ts"
import { groupedByReason, offersOf } from "../decide/handoff-offers.ts"
import { refusedText } from "../prompts/handoff-refusal.ts"
import { handoffText, listText, savedText } from "../prompts/handoff-text.ts"
import { argumentsText, type HandoffToolName, handoffArgs } from "../prompts/tool-definitions.ts"
import type { HandoffCaller, HandoffDesk } from "../store/handoffs/handoff-desk.ts"

/** What a tool says, and whether it refused. */
export interface Answer {
  readonly text: string
  readonly refused: boolean
}

/** One call of a handoff tool, with everything that differs between hosts. */
export interface ToolCall {
  readonly tool: HandoffToolName
  /** The arguments as they came: no host checks them for us. */
  readonly given: unknown
  readonly sessionId: string
  readonly agent: string | null
  /** ms since 1970 */
  readonly now: number
  readonly desk: HandoffDesk
  /** The caller, with its place in a work. */
  readonly caller: () => Promise<HandoffCaller>
  /** The caller holds this record from now on. */
  readonly holds: (handoffId: string) => void
  /** The caller reads what the row of a key says by now. */
  readonly tells: (key: string) => Promise<void>
  /** The session of the record's task that could be resumed; null if none may be. */
  readonly reuseFor: (handoff: Handoff) => Promise<string | null>
}

type Answerer = (call: ToolCall) => Promise<Answer>

const ANSWERS: Readonly<Record<HandoffToolName, Answerer>> = {
  save_task_progress: save,
  list_blocked_tasks: list,
  get_blocked_task: get,
}

/** Answers a call of a handoff tool, from whatever host it came; throws `StoreError`. */
export function answerTool(call: ToolCall): Promise<Answer> {
  return ANSWERS[call.tool](call)
}

async function save({ given, desk, caller, holds, tells }: ToolCall): Promise<Answer> {
  const args = handoffArgs.save_task_progress.safeParse(given)
  if (!args.success) return refusal(argumentsText("save_task_progress", args.error))
  const { summary, status, blocked_reason: reason, task } = args.data
  const request = { summary, status, reason: reason || null, task: task || null }
  const outcome = await desk.save(await caller(), request)
  if (outcome.kind === "refused") {
    const [key = "", ...others] = outcome.reason === "moved-key" ? outcome.ids : []
    if (key !== "" && others.length === 0) await tells(key.split(" ")[0] ?? "")
    return refusal(refusedText(outcome))
  }
  if (status === "in_progress") holds(outcome.handoff.id)
  return answer(savedText(outcome))
}

async function list({ desk, sessionId, agent, reuseFor }: ToolCall): Promise<Answer> {
  const { handoffs, now, old } = await desk.open(agent)
  const { offers, total } = offersOf(handoffs, { sessionId, now })
  const shown = await Promise.all(
    offers.map(async (offer) => ({ ...offer, reuse: await reuseFor(offer.handoff) })),
  )
  return answer(listText({ groups: groupedByReason(shown), total, now, old }))
}

async function get({ given, desk, caller, holds, now, reuseFor }: ToolCall): Promise<Answer> {
  const args = handoffArgs.get_blocked_task.safeParse(given)
  if (!args.success) return refusal(argumentsText("get_blocked_task", args.error))
  const { id, claim } = args.data
  const outcome = await desk.get(await caller(), id, claim ?? id.startsWith("hnd_"))
  if (outcome.kind === "refused") return refusal(refusedText(outcome))
  const { handoff, claimed } = outcome
  if (claimed) holds(handoff.id)
  return answer(handoffText(handoff, { claimed, now, reuse: await reuseFor(handoff) }))
}

function answer(text: string): Answer {
  return { text, refused: false }
}

function refusal(text: string): Answer {
  return { text, refused: true }
}
