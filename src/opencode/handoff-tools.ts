import type { Hooks } from "@opencode-ai/plugin"
import type { Offer } from "../boulder/handoff-outcome.ts"
import { groupedByReason, offersOf } from "../decide/handoff-offers.ts"
import { refusedText } from "../prompts/handoff-refusal.ts"
import { handoffText, listText, savedText } from "../prompts/handoff-text.ts"
import {
  argumentsText,
  HANDOFF_TOOLS,
  type HandoffToolName,
  handoffArgs,
} from "../prompts/handoff-tools.ts"
import type { HandoffCaller, HandoffDesk } from "../store/handoff-desk.ts"
import { taskOf } from "../store/handoff-mark.ts"
import type { Leases } from "./handoff-leases.ts"
import { offerSession } from "./offer-session.ts"
import type { Shell } from "./shell.ts"

/** What the tools stand on. `run` is the hook table's guard: it gives the words for a failure of ours. */
export interface ToolGround {
  readonly shell: Shell
  readonly desk: HandoffDesk
  readonly leases: Leases
  readonly caller: (sessionId: string, agent: string) => Promise<HandoffCaller>
  readonly run: (tool: HandoffToolName, work: () => Promise<string>) => Promise<string>
}

/** The three tools as the host takes them. It checks no arguments: we do, and say what to send instead. */
export function handoffToolsOf(ground: ToolGround): NonNullable<Hooks["tool"]> {
  const { run } = ground
  return {
    save_task_progress: {
      ...HANDOFF_TOOLS.save_task_progress,
      execute: (args, { sessionID, agent }) =>
        run("save_task_progress", () => save(ground, args, sessionID, agent)),
    },
    list_blocked_tasks: {
      ...HANDOFF_TOOLS.list_blocked_tasks,
      execute: (_, { sessionID, agent }) =>
        run("list_blocked_tasks", () => list(ground, sessionID, agent)),
    },
    get_blocked_task: {
      ...HANDOFF_TOOLS.get_blocked_task,
      execute: (args, { sessionID, agent }) =>
        run("get_blocked_task", () => get(ground, args, sessionID, agent)),
    },
  }
}

async function save(
  { desk, leases, caller }: ToolGround,
  given: unknown,
  sessionId: string,
  agent: string,
): Promise<string> {
  const args = handoffArgs.save_task_progress.safeParse(given)
  if (!args.success) return argumentsText("save_task_progress", args.error)
  const { summary, status, blocked_reason: reason, task } = args.data
  const request = { summary, status, reason: reason || null, task: task || null }
  const outcome = await desk.save(await caller(sessionId, agent), request)
  if (outcome.kind === "refused") return refusedText(outcome)
  if (status === "in_progress") leases.hold(sessionId, outcome.handoff.id)
  return savedText(outcome)
}

async function list(
  { desk, shell }: ToolGround,
  sessionId: string,
  agent: string,
): Promise<string> {
  const now = shell.now()
  const { offers, total } = offersOf(await desk.open(agent), { sessionId, now })
  const shown = await Promise.all(
    offers.map(async (offer) => ({ ...offer, reuse: await reuseFor(shell, offer) })),
  )
  return listText({ groups: groupedByReason(shown), total, now })
}

async function get(
  { desk, leases, caller, shell }: ToolGround,
  given: unknown,
  sessionId: string,
  agent: string,
): Promise<string> {
  const args = handoffArgs.get_blocked_task.safeParse(given)
  if (!args.success) return argumentsText("get_blocked_task", args.error)
  const { id, claim } = args.data
  const outcome = await desk.get(await caller(sessionId, agent), id, claim ?? id.startsWith("hnd_"))
  if (outcome.kind === "refused") return refusedText(outcome)
  const { handoff, claimed } = outcome
  if (claimed) leases.hold(sessionId, handoff.id)
  const reuse = await reuseFor(shell, { handoff })
  return handoffText(handoff, { claimed, now: shell.now(), reuse })
}

/** The session of the task that could be resumed, checked with the host; null where none may be. */
async function reuseFor(shell: Shell, { handoff }: Pick<Offer, "handoff">): Promise<string | null> {
  if (shell.options.reuse === "off" || handoff.work_id === null) return null
  const found = await taskOf(shell, handoff, (await shell.store.read()).boulder)
  if (found === null) return null
  const reuse = await offerSession(shell, found.work, found.task, null)
  return reuse.kind === "reuse" ? reuse.sessionId : null
}
