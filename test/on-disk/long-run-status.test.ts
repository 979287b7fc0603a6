import { expect, test } from "bun:test"
import { runCli } from "../../src/cli/run-cli.ts"
import { aTerminal, runInFolder } from "../support/cli-in-process.ts"
import { waitUntil } from "../support/host-wait.ts"
import { inSections, LEAD, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const STUCK = "I tried.\nBLOCKED: no key for the cloud. Unblock: the key is in .env"
const OPTIONS = { continuation: { cooldown_seconds: 0, max_tokens_per_work: 2_000_000 } }

/** A run in its second round, with a task blocked by its subagent and one by hand. */
async function underWay(root: string) {
  const project = await started(root, inSections(11, 13), OPTIONS)
  const { plugin, edit, plan } = project
  await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK })
  await plugin.tellTokens(LEAD, 41_234)
  await edit(ticked(await plan(), 1, 3, 4, 5).replace("- [ ] 9.", "- [~] 9."))
  await plugin.use(LEAD, "bash")
  await plugin.fallIdle(LEAD)
  await plugin.tellTokens(LEAD, 12_345)
  await edit(ticked(await plan(), 6))
  await plugin.use(LEAD, "bash")
  return project
}

test("status shows round, checkpoint, window, context, tokens and each block with what would take it away", () =>
  withFolder(async (root) => {
    await underWay(root)
    const { out } = await runInFolder(root, "status", { columns: 200 })
    const stable = out.replace(/hnd_\w+/, "hnd_1").replace(/\d+ (s|min|h|days) ago/g, "now")
    expect(stable).toBe(`demo  ████░░░░░░░░░░░░░░░░ 5/24 settled, 2 blocked  idle
  No opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work in opencode, or run: opencode-boulder run
  next: todo:7 Build part 7
  blocked: todo:2 Build part 2: no key for the cloud (hnd_1, 1 attempt, now). Unblock when: the key is in .env
  blocked: todo:9 Build part 9: no reason is given. Unblock: opencode-boulder unblock todo:9

  plan: .boulder/plans/demo.md
  round: 2, 1 task settled since checkpoint 1
  window: todo:7, todo:8, todo:10 (shard 1)
  context: 12,345 tokens, soft limit 60,000, hard limit 90,000
  tokens: 53,579 in all, ceiling 2,000,000
  cost: unknown (53,579 tokens without a price)
  session: ses_lead, 1 continuation, last change now
  last decision: Continued (tasks remain), now
`)
  }))

test("/work-status has them as the plan is now, whoever has ticked it since", () =>
  withFolder(async (root) => {
    const { plugin, edit, plan } = await underWay(root)
    await edit(ticked(await plan(), 7))
    const output = { parts: [] as { text: string }[] }
    const call = { command: "work-status", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(call, output as never)
    const said = output.parts[0]?.text ?? ""
    expect(said).toContain("demo: working, 6/24 tasks settled, 2 blocked")
    expect(said).toContain("Round: 2, 2 tasks settled since checkpoint 1")
    expect(said).toContain("Window: todo:8, todo:10, todo:11 (shard 1)")
    expect(said).toContain("Context: 12,345 tokens, soft limit 60,000, hard limit 90,000")
  }))

test("status --json has the same figures", () =>
  withFolder(async (root) => {
    await underWay(root)
    const { out } = await runInFolder(root, "status --json")
    const [work] = JSON.parse(out).works
    expect(work).toMatchObject({
      counts: { total: 24, settled: 5, blocked: 2 },
      round: { number: 2, ended: null, settled: 1 },
      checkpoint: 1,
      shard: 1,
      window: ["todo:7", "todo:8", "todo:10"],
      context: { tokens: 12_345, soft_limit: 60_000, hard_limit: 90_000, scaled: false },
      tokens: { spent: 53_579, since: 0, ceiling: 2_000_000 },
      blocked: [
        { key: "todo:2", unblock: "the key is in .env", session: "ses_two", attempts: 1 },
        { key: "todo:9", reason: null, handoff: null },
      ],
    })
  }))

test("status --watch tells of the next round by itself", () =>
  withFolder(async (root) => {
    const { plugin, edit, plan } = await underWay(root)
    const ending = new AbortController()
    const terminal = aTerminal({ cwd: root, now: Date.now, signal: ending.signal })
    const watching = runCli(["status", "--watch"], terminal)
    const says = (words: string) =>
      waitUntil(
        () => terminal.said.out.includes(words),
        () => terminal.said.out,
      )
    await says("round: 2, 1 task settled since checkpoint 1")
    await edit(ticked(await plan(), 7, 8))
    await plugin.use(LEAD, "bash")
    await says("round: 2 is over (enough tasks were settled), checkpoint 2")
    ending.abort()
    await watching
  }))

test("why shows the figures behind each decision", () =>
  withFolder(async (root) => {
    await underWay(root)
    const { out } = await runInFolder(root, "why --facts", { columns: 1_000 })
    for (const part of [
      'Blocked todo:2 "Build part 2": a session saved it as blocked (no key for the cloud).\n',
      "title_hash=3a4cd766 why=no key for the cloud unblock=the key is in .env attempts=1 task_session=ses_two handoff=hnd_",
      "Ended the round: enough tasks were settled.\n",
      "round=1 checkpoint=1 settled=4 context_tokens=41234\n",
      "settled=4 total=24 blocked=2 round=1 checkpoint=1 window=todo:6,todo:7,todo:8 tokens=41234 token_ceiling=2000000 ",
    ])
      expect(out).toContain(part)
  }))
