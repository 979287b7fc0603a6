// The step that a compaction "cut off" is that compaction's, or is not named.
import { expect, test } from "bun:test"
import { LEAD, started } from "../support/long-run-project.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

async function compacted({ hooks }: PluginInProcess, messageID: string, text: string) {
  const output: { context: string[]; prompt?: string } = { context: [] }
  await hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
  await hooks["chat.params"]?.(
    { sessionID: LEAD, agent: "compaction", model: { limit: { context: 1 } } } as never,
    {} as never,
  )
  const part = { text }
  await hooks["experimental.text.complete"]?.({ sessionID: LEAD, messageID, partID: "prt" }, part)
  await hooks.event?.({
    event: { type: "session.compacted", properties: { sessionID: LEAD } } as never,
  })
  return part.text
}
let n = 0
const state = { isSummary: false }
const turns = {
  lastTurn: async () => {
    n += 1
    const lastTurn = {
      messageId: `msg_t${n}`,
      createdAt: Date.now(),
      ours: !state.isSummary,
      error: null,
      ended: true,
      contextTokens: 10,
      isSummary: state.isSummary,
      isUnanswered: false,
    }
    return {
      lastTurn,
      failure: null,
      identity: { agent: null, model: null, variant: null },
      model: null,
    }
  },
} as never

test("a step of an earlier compaction, whose task is settled by now, is not what the model was about to do", () =>
  withFolder(async (root) => {
    state.isSummary = false
    const { plugin, plan, edit } = await started(
      root,
      "# P\n\n## TODOs\n\n- [ ] 1. Build\n- [ ] 2. Paint\n- [ ] 3. Sell\n",
      {},
      turns,
    )
    await compacted(
      plugin,
      "msg_1",
      compactionAnswer(
        aTaskState({ next_step: "Delegate todo:1, it has not been begun" }),
        "Began.",
      ),
    )
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_1" })
    await edit((await plan()).replace("[ ] 1", "[x] 1"))
    await plugin.use(LEAD, "edit", { filePath: `${root}/.boulder/plans/demo.md` })
    // The next one comes into the middle of a turn, and its answer cannot be used.
    await compacted(plugin, "msg_2", "I have nothing to say.")
    state.isSummary = true
    await plugin.fallIdle(LEAD)
    await plugin.hooks.dispose?.()
    expect(plugin.prompts.at(-1)).toContain("1 of 3 settled")
    expect(plugin.prompts.at(-1)).not.toContain("You were about to: Delegate todo:1")
  }))
