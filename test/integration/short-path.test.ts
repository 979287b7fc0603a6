import { describe, expect, test } from "bun:test"
import { idIn, useTool } from "../support/handoff-tools.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { carryAPlan } from "../support/main-job.ts"
import { startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"
import { untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

describe.each(TESTED_VERSIONS)("opencode %s", (version) => {
  test("start, delegate, record, hint, go on, finish", () => carryAPlan(version), 400_000)

  test("a blocked session hands over, and the next one is told, claims and completes", async () => {
    const host = await startHost({ version, snapshots: true })
    try {
      const [first, second] = [await host.createSession(), await host.createSession()]
      const id = idIn(
        await useTool(host, first, "save_task_progress", {
          summary: "half",
          status: "blocked",
          blocked_reason: "no key",
          task: "the importer",
        }),
      )
      expect(id).not.toBe("")
      const claimed = await useTool(host, second, "get_blocked_task", { id })
      expect(claimed).toContain("Claimed by you until")
      const opening = host.model.mainRequests(second)[0]?.lastUserText ?? ""
      expect(opening).toContain(`task ${id} was left blocked just now.`)
      const done = { summary: "done", status: "complete" }
      expect(await useTool(host, second, "save_task_progress", done)).toContain(
        `Saved ${id}: complete.`,
      )
    } finally {
      await host.stop()
    }
  }, 400_000)

  test("a child that fails, or is aborted, leaves no entry behind (oc#13910)", async () => {
    const host = await startHost({
      version,
      snapshots: true,
      files: { [PLAN]: planOf("Write a.txt") },
      pluginOptions: { continuation: { cooldown_seconds: 0 } },
      script: roles({
        lead: firstTurn(({ stepOfTurn }) =>
          stepOfTurn < 2
            ? { toolCalls: [delegate("todo:1", { prompt: ["FAIL", "HANG"][stepOfTurn] })] }
            : { text: "over" },
        ),
        child: ({ lastUserText }) =>
          lastUserText.includes("FAIL") ? { status: 400 } : { text: "half", hang: true },
      }),
    })
    try {
      const session = await host.createSession()
      const turn = host.command(session, "start-work", "demo").catch(() => undefined)
      const inFlight = () => Object.keys(workOn(host, "demo")?.dispatches ?? {}).length
      await host.waitFor(
        async () => (await host.children(session)).length === 2 && inFlight() === 1,
        {
          what: "the second child",
        },
      )
      await host.abort(session)
      await turn
      const work = await untilWork(host, "demo", "aborted")
      await host.waitFor(() => inFlight() === 0, { what: "no dispatch is left" })
      expect(work.task_sessions).toEqual({})
      expect(workOn(host, "demo")?.task_sessions).toEqual({})
    } finally {
      await host.stop()
    }
  }, 400_000)
})
