import { expect, test } from "bun:test"
import { contradictionsIn } from "../support/contradictions.ts"
import { inSections, LEAD, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

type Plugin = Awaited<ReturnType<typeof started>>["plugin"]

/** A `task` call of the lead that its subagent's provider has ended. */
async function limit(plugin: Plugin, key: string, child: string, seconds: number) {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${child}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const tell = (type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const part = (state: object) => {
    const metadata = { sessionId: child }
    const told = { status: "running", input: args, metadata, ...state }
    return tell("message.part.updated", {
      part: { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state: told },
    })
  }
  await part({})
  const responseBody = JSON.stringify({
    error: { type: "usage_limit_reached", resets_in_seconds: seconds },
  })
  const data = { message: "used up", statusCode: 429, responseBody }
  await tell("session.error", { sessionID: child, error: { name: "APIError", data } })
  await part({ status: "error", error: "used up" })
}

const ours = (text: string) => /<boulder>[\s\S]*<\/boulder>/.exec(text)?.[0] ?? ""

test("a limit is a fact where the turn ends, and no second order", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, inSections(6))
    await plugin.tellTokens(LEAD, 61_000)
    await limit(plugin, "todo:1", "ses_a", 3_600)
    const text = ours(await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_b" }))
    expect(text).toContain(
      "The subagent of todo:1 reached its provider's limit, which lasts until ",
    )
    expect(text).toContain("Then end this turn")
    expect(text).not.toContain("delegate other tasks")
    expect(contradictionsIn(text)).toEqual([])
  })
})

test("where every task that is left waits for a limit, the turn ends", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, ticked(inSections(2), 2))
    await limit(plugin, "todo:1", "ses_a", 3_600)
    const text = ours(await plugin.use(LEAD, "bash"))
    expect(text).not.toContain("delegate other tasks")
    expect(text).toContain("End this turn: every task that is left waits for its provider's limit")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
  })
})

test("where another task is left, it is to be delegated", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, inSections(2))
    await limit(plugin, "todo:1", "ses_a", 3_600)
    expect(await plugin.use(LEAD, "bash")).toContain(": delegate other tasks until then.")
  })
})

test("a limit that is over by the time it is told holds nothing up", async () => {
  await withFolder(async (root) => {
    let now = Date.now()
    const { plugin } = await started(root, inSections(3), {}, {}, { now: () => now })
    await limit(plugin, "todo:1", "ses_a", 60)
    now += 7_200_000
    expect(ours(await plugin.use(LEAD, "bash"))).toBe(
      "<boulder>\nThe subagent of todo:1 was ended by its provider's limit, which is over: delegate its task again.\n</boulder>",
    )
  })
})

type Started = Awaited<ReturnType<typeof started>>

// The lead has seen the call fail, and has acted before our text came.
test.each<{ what: string; act: (given: Started) => Promise<string> }>([
  {
    what: "is back from another call",
    act: ({ plugin }) => plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_b" }),
  },
  {
    what: "runs again",
    act: async ({ plugin }) => {
      const call = { tool: "task", sessionID: LEAD, callID: "call_again" }
      const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      return plugin.use(LEAD, "bash")
    },
  },
  {
    what: "is ticked",
    act: async ({ plugin, plan, edit }) => {
      await edit(ticked(await plan(), 1))
      return plugin.use(LEAD, "bash")
    },
  },
  {
    what: "is blocked",
    act: async ({ plugin, plan, edit }) => {
      await edit((await plan()).replace("- [ ] 1.", "- [~] 1."))
      return plugin.use(LEAD, "bash")
    },
  },
])("a lost call is told no more once its task $what", async ({ act }) => {
  await withFolder(async (root) => {
    let now = Date.now()
    const given = await started(root, inSections(3), {}, {}, { now: () => now })
    await limit(given.plugin, "todo:1", "ses_a", 60)
    now += 7_200_000
    const text = ours(await act(given))
    expect(text).not.toContain("delegate its task again")
    expect(text).not.toContain("was ended by")
    expect(ours(await given.plugin.use(LEAD, "bash"))).not.toContain("delegate its task again")
  })
})

test("a lost call whose task is no longer in the plan is a fact, and no order", async () => {
  await withFolder(async (root) => {
    let now = Date.now()
    const { plugin, plan, edit } = await started(root, inSections(3), {}, {}, { now: () => now })
    await limit(plugin, "todo:1", "ses_a", 60)
    now += 7_200_000
    await edit((await plan()).replace(/^- \[ \] 1\. .*\n/m, ""))
    expect(ours(await plugin.use(LEAD, "bash"))).toBe(
      "<boulder>\nA subagent was ended by its provider's limit, which is over.\n</boulder>",
    )
  })
})
