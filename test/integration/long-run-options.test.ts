import { afterEach, describe, expect, test } from "bun:test"
import { bulkyPlan, bulkyScript } from "../support/bulky-run.ts"
import { useTool } from "../support/handoff-tools.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { figuresOf, tokensOf } from "../support/request-figures.ts"
import { tokensSpent } from "../support/tokens-spent.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const MODEL = 48_000

let host: OpencodeHost
afterEach(() => host.stop())

/** A plan of so many tasks, carried out with these options on a model of 48,000 tokens of context. */
async function built(tasks: number, longRun: object) {
  host = await startHost({
    files: { [PLAN]: bulkyPlan(tasks) },
    pluginOptions: { long_run: longRun, continuation: { cooldown_seconds: 0 } },
    contextLimit: MODEL,
    script: bulkyScript({ project: () => host.project, planPath: PLAN, outputTokens: 4_000 }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const work = await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  const said = host.model.mainRequests(session).at(-1)?.allText() ?? ""
  const ends = reasonsOf(host, session).filter((reason) => reason.startsWith("end-round"))
  const toasts = host
    .eventsOf("tui.toast.show")
    .map(({ properties }) => String(properties["message"]))
    .filter((message) => message.includes("token limits"))
  return { work, said, ends, toasts, largest: figuresOf(host.model.requests).largest }
}

describe("token limits on a model of 48,000 tokens", () => {
  test("as shares of its context", async () => {
    const { work, ends, toasts, largest } = await built(8, {
      checkpoint_every: 100,
      token_soft_limit: "50%",
      token_hard_limit: "75%",
    })
    expect(work.context).toMatchObject({ soft_limit: 24_000, hard_limit: 36_000, scaled: false })
    expect(ends.length).toBeGreaterThan(0)
    expect(ends).not.toContain("end-round checkpoint-due")
    expect(toasts).toEqual([])
    expect(largest).toBeLessThanOrEqual(36_000)
  }, 120_000)

  test("as they are by default: scaled down, said once, and shown", async () => {
    const { work, toasts, largest } = await built(8, { checkpoint_every: 100 })
    expect(work.context).toMatchObject({ soft_limit: 27_000, hard_limit: 36_000, scaled: true })
    expect(toasts).toEqual([
      "The token limits do not fit this model's context of 48000 tokens, which opencode compacts at 40000: 27000 (soft) and 36000 (hard) are in force.",
    ])
    expect(largest).toBeLessThanOrEqual(36_000)
    expect(figuresOf(host.model.requests).compactions).toBeGreaterThan(0)
    expect(work.tokens.spent).toBe(await tokensSpent(host, work.lead_session_id))
  }, 120_000)
})

test("a model that heeds no notice is held at the hard limit, and the plan still ends", async () => {
  const limits = { soft: 24_000, hard: 30_000 }
  const build = bulkyScript({
    project: () => host.project,
    planPath: PLAN,
    outputTokens: 5_000,
    heedsNotices: false,
  })
  host = await startHost({
    files: { [PLAN]: bulkyPlan(6) },
    pluginOptions: {
      long_run: { token_soft_limit: limits.soft, token_hard_limit: limits.hard },
      continuation: { cooldown_seconds: 0 },
    },
    script: (request) => {
      const [last] = request.kind === "main" ? request.lastToolResults().slice(-1) : []
      const usage = { input: tokensOf(request), output: 40 }
      return last?.text.includes("boulder: refused, your context is at its hard limit")
        ? { text: "I am told to stop.", usage }
        : build(request)
    },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  const requests = host.model.mainRequests(session)
  expect(requests.some((request) => request.allText().includes("boulder: refused"))).toBe(true)
  expect(reasonsOf(host, session)).toContain("end-round hard-limit")
  expect(Math.max(...requests.map(tokensOf))).toBeLessThan(limits.hard + 7_000)
  expect(host.readFile(PLAN)).not.toContain("- [ ]")
}, 120_000)

test("switched off there are no rounds, no checkpoints, no limits and no shards, but the window", async () => {
  const options = { enabled: false, token_soft_limit: 1_000, token_hard_limit: 2_000 }
  const { work, ends, said } = await built(4, options)
  expect(ends).toEqual([])
  expect(work).toMatchObject({ checkpoint_seq: 0, context: null, round: { number: 1 } })
  expect(host.hasFile(`.boulder/works/${work.work_id}/shards`)).toBe(false)
  expect(said).toContain('Next (lines of the plan):\n- todo:1 "Build part number 1"')
  expect(said).not.toContain("nd this turn")
  expect(said).not.toContain("boulder: refused")
}, 120_000)

describe("save_task_progress", () => {
  test.each([
    { updates: true, box: "[x]", words: "todo:2 is marked done in the plan." },
    { updates: false, box: "[ ]", words: "Mark todo:2 in the plan yourself." },
  ])(
    "with partial_plan_updates $updates leaves $box",
    async ({ updates, box, words }) => {
      host = await startHost({
        files: { [PLAN]: planOf("Write a.txt", "Write b.txt") },
        pluginOptions: { long_run: { partial_plan_updates: updates } },
      })
      const session = await host.createSession()
      await host.command(session, "start-work", "demo")
      const args = { summary: "Written.", status: "complete", task: "todo:2" }
      await useTool(host, session, "save_task_progress", args)
      expect(host.model.mainRequests(session).some((one) => one.allText().includes(words))).toBe(
        true,
      )
      expect(host.readFile(PLAN)).toContain(`- ${box} 2. Write b.txt`)
      expect(workOn(host, "demo")?.completed_count).toBe(updates ? 1 : 0)
    },
    60_000,
  )
})
