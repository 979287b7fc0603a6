import { afterEach, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { keyInPrompt, orchestratorScript } from "../support/orchestrator.ts"
import { planOf } from "../support/plans.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

let host: OpencodeHost
afterEach(() => host.stop())

test("a blocked task does not stop the rest, the end waits for it, and an edit of the plan goes on", async () => {
  let hasKey = false
  host = await startHost({
    files: { [PLAN]: planOf("Build it", "Deploy it", "Test it", "Tell of it") },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: orchestratorScript({
      project: () => host.project,
      planPath: PLAN,
      tasksPerTurn: 1,
      child: (request) =>
        keyInPrompt(request) === "todo:2" && !hasKey
          ? { text: "I looked everywhere.\nBLOCKED: no key. Unblock: the key is in .env" }
          : undefined,
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "only-blocked-left")
  expect(host.readFile(PLAN)).toMatch(
    /- \[x\] 1\. Build it\n- \[~\] 2\. Deploy it\n {2}- BLOCKED: no key\. Unblock: the key is in \.env \(hnd_\w+\)\n- \[x\] 3\. Test it\n- \[x\] 4\. Tell of it\n/,
  )
  expect(workOn(host, "demo")).toMatchObject({ completed_count: 3, blocked_count: 1 })
  expect(reasonsOf(host, session)).toContain("task-blocked by-record")
  const before = host.model.mainRequests(session).length

  hasKey = true
  const unblocked = host
    .readFile(PLAN)
    .replace("[~] 2.", "[ ] 2.")
    .replace(/ {2}- BLOCKED.*\n/, "")
  host.writeFile(PLAN, unblocked)
  await untilWork(host, "demo", "completed")
  expect(host.readFile(PLAN)).not.toContain("[ ]")
  expect(host.model.mainRequests(session).length).toBeGreaterThan(before)
}, 120_000)
