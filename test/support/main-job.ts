import { expect } from "bun:test"
import { startHost } from "./opencode-host.ts"
import { orchestratorScript } from "./orchestrator.ts"
import { planOf } from "./plans.ts"
import { recordedTasks, untilWork } from "./work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

/** The main job in a host: two tasks are delegated, recorded and hinted at; we continue once, and finish. */
export async function carryAPlan(version: string): Promise<void> {
  const host = await startHost({
    version,
    snapshots: true,
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
    const tasks = await recordedTasks(host, work)
    expect(tasks.map((one) => one.session_id).sort()).toEqual(children)
    expect(work.continuation.count).toBe(1)
    const read = host.model.requests.map((request) => request.allText()).join("\n")
    for (const { task_key, session_id } of tasks)
      expect(read).toContain(`Preferred reuse session for ${task_key}: ${session_id}`)
  } finally {
    await host.stop()
  }
}
