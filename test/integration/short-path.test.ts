import { describe, expect, test } from "bun:test"
import { SUPPORTED_VERSIONS } from "../support/host-version.ts"
import { startHost } from "../support/opencode-host.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import { planOf } from "../support/plans.ts"
import { untilWork } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

describe.each(SUPPORTED_VERSIONS)("opencode %s", (version) => {
  test("start, delegate, record, hint, go on, finish", async () => {
    const host = await startHost({
      version,
      files: { [PLAN]: planOf("Write a.txt", "Write b.txt") },
      pluginOptions: { continuation: { cooldown_seconds: 0 } },
      script: orchestratorScript({
        project: () => host.project,
        planPath: PLAN,
        tasksPerTurn: 1,
      }),
    })
    try {
      const session = await host.createSession()
      await host.command(session, "start-work", "demo")
      const work = await untilWork(host, "demo", "completed")
      const children = (await host.children(session)).map(({ id }) => id).sort()
      const recorded = Object.values(work.task_sessions).map((one) => one.session_id)
      expect(recorded.sort()).toEqual(children)
      expect(work.continuation.count).toBe(1)
      const read = host.model.requests.map((request) => request.allText()).join("\n")
      for (const { task_key, session_id } of Object.values(work.task_sessions))
        expect(read).toContain(`Preferred reuse session for ${task_key}: ${session_id}`)
    } finally {
      await host.stop()
    }
  }, 400_000)
})
