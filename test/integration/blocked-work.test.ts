import { afterEach, expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { keyInPrompt, orchestratorScript } from "../support/orchestrator.ts"
import { planOf } from "../support/plans.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"

let host: OpencodeHost
afterEach(() => host.stop())

test("without blocker_skip the first block pauses the work, and the command line takes it away", async () => {
  let hasKey = false
  host = await startHost({
    files: { [PLAN]: planOf("Build it", "Deploy it", "Test it") },
    pluginOptions: { continuation: { cooldown_seconds: 0 }, long_run: { blocker_skip: false } },
    script: orchestratorScript({
      project: () => host.project,
      planPath: PLAN,
      tasksPerTurn: 1,
      child: (request) =>
        keyInPrompt(request) === "todo:1" && !hasKey ? { text: "BLOCKED: no key." } : undefined,
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "task-blocked")
  const asked = host.model.mainRequests(session).map((request) => request.allText())
  expect(asked.at(-1)).toContain("End this turn: the work waits until a task is unblocked.")
  const refused = runInFolder(host.project, "resume")
  await expect(refused).rejects.toThrow("still paused: a task is blocked")

  hasKey = true
  await runInFolder(host.project, "unblock 1")
  await untilWork(host, "demo", "completed")
  expect(host.readFile(PLAN)).toMatch(/- \[x\] 1\. Build it\n- \[x\] 2\..*\n- \[x\] 3\./)
}, 120_000)

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
