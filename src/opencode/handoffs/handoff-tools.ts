// Answers the three tools when the host calls them.
import type { Handoff } from "../../boulder/handoff.ts"
import { answerTool } from "../../handoffs/answer-tool.ts"
import type { HandoffToolName } from "../../prompts/tool-definitions.ts"
import type { HandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import { taskOf } from "../../store/handoffs/handoff-mark.ts"
import { readOnce } from "../../store/handoffs/read-once.ts"
import type { Reactions } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { checkReuse } from "../work/check-reuse.ts"
import { callerOf } from "./handoff-caller.ts"
import type { Leases } from "./handoff-leases.ts"

/** What the tools need. `run` is the hook table's guard: it gives the words for a failure of ours. */
export interface ToolNeeds {
  readonly shell: Shell
  readonly desk: HandoffDesk
  readonly leases: Leases
  readonly run: (
    tool: HandoffToolName,
    sessionId: string,
    work: () => Promise<string>,
  ) => Promise<string>
}

/** Answers a call of a tool of ours, on one reading of state and plan. No host checks arguments: we do, and say what to send instead. */
export function handoffToolsOf({ shell: given, desk, leases, run }: ToolNeeds): Reactions["tool"] {
  return (tool, args, { sessionId, agent }) =>
    run(tool, sessionId, async () => {
      const readings = readOnce(given)
      const shell = { ...given, ...readings }
      const { text } = await answerTool({
        tool,
        given: args,
        sessionId,
        agent,
        now: shell.now(),
        desk: desk.on(readings),
        caller: () => callerOf(shell, sessionId, agent),
        holds: (handoffId) => leases.hold(sessionId, handoffId),
        reuseFor: (handoff) => reuseFor(shell, handoff),
      })
      return text
    })
}

/** The session of the task that may be resumed, checked with the host; null if there is none. */
async function reuseFor(shell: Shell, handoff: Handoff): Promise<string | null> {
  if (shell.options.reuse === "off" || handoff.work_id === null) return null
  const found = await taskOf(shell, handoff, (await shell.store.read()).boulder)
  if (found === null) return null
  const reuse = await checkReuse(shell, found.work, found.task, null)
  return reuse?.kind === "reuse" ? reuse.sessionId : null
}
