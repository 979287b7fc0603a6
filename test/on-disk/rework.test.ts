// A task that is ticked, and worked on again: by its user's wish, or because a review has rejected the whole.

import { describe, expect, test } from "bun:test"
import { WAVE } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import { withFolder } from "../support/store-folder.ts"

const BLOCKED = "BLOCKED: no key"
const PASSED = "VERDICT: APPROVE"
const REJECTED = "src/a.ts: no error handling.\nVERDICT: REJECT"
const UNMADE =
  "Its last result was BLOCKED: if that still holds, save it as `blocked`, else send it back."

type Scene = Awaited<ReturnType<typeof started>> & {
  readonly call: (key: string, output: string) => Promise<string>
  /** A call that comes to no result. */
  readonly lose: (key: string) => Promise<void>
  readonly idle: () => Promise<string>
  readonly save: (status: "complete" | "blocked", task: string) => Promise<string>
}

const scene = (run: (scene: Scene) => Promise<void>, plan = WAVE, options = {}) =>
  withFolder(async (root) => {
    const made = await started(root, plan, options, ours())
    const { plugin } = made
    await run({
      ...made,
      call: (key, output) =>
        plugin.delegate({ lead: LEAD, key, child: `ses_${key.replace(/\W/g, "")}`, output }),
      async lose(key) {
        const call = { tool: "task", sessionID: LEAD, callID: "call_lost" }
        const args = { description: key, prompt: "do it", subagent_type: "general" }
        await plugin.hooks["tool.execute.before"]?.(call, { args })
        const state = { status: "error", error: "ECONNRESET", input: args }
        const part = { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state }
        await plugin.hooks.event?.({
          event: { type: "message.part.updated", properties: { part } } as never,
        })
      },
      async idle() {
        const before = plugin.prompts.length
        await plugin.fallIdle(LEAD)
        return plugin.prompts.slice(before).join("\n")
      },
      async save(status, task) {
        const context = { sessionID: LEAD, agent: "build", directory: root, worktree: root }
        const abort = new AbortController().signal
        const given = { ...context, abort, metadata() {}, messageID: "msg_1" }
        const reason = status === "blocked" ? { blocked_reason: "no key" } : {}
        const args = { summary: "looked at it", status, task, ...reason }
        const tool = plugin.hooks.tool?.["save_task_progress"]
        return `${await tool?.execute(args as never, given as never)}\n${await plugin.use(LEAD, "save_task_progress")}`
      },
    })
  })

const rejected = async ({ call }: Scene) => {
  await call("final-wave:f1", PASSED)
  await call("final-wave:f2", REJECTED)
}

describe("a fix that was not made", () => {
  test("leaves the rejection standing, and its task to be done", () =>
    scene(async (s) => {
      await rejected(s)
      expect(await s.call("todo:1", BLOCKED)).toContain(
        "The rework of todo:1 was not finished, and it is open again (0/3 settled): no key. Solve that, then send it back; if you cannot, ask with `question` or save it as `blocked`.",
      )
      for (const text of [await s.idle(), await s.idle()]) {
        const [, first = "", second = ""] = text.split("\n- ")
        expect(first).toContain(UNMADE)
        expect(second).toMatch(/^final-wave:f2 .* REJECTED: first delegate the fix/)
        expect(text).not.toContain("run it again")
      }
    }))

  test("is named where the round ends with it too", () =>
    scene(async (s) => {
      await rejected(s)
      await s.plugin.tellTokens(LEAD, 65_000)
      expect(await s.call("todo:1", BLOCKED)).toContain("End this turn")
      expect(await s.idle()).toContain(UNMADE)
    }))

  test("and was lost leaves the rejection standing", () =>
    scene(async (s) => {
      await rejected(s)
      await s.lose("todo:1")
      const [, first] = (await s.idle()).split("\n- ")
      expect(first).toMatch(/^final-wave:f2 .* REJECTED: first delegate the fix/)
    }))

  test("is made when its result is back; then the reviews are run again", () =>
    scene(async (s) => {
      await rejected(s)
      await s.call("todo:1", BLOCKED)
      expect(await s.call("todo:1", "fixed")).toContain(
        "Verify: if it is not right, send it back, else leave it settled and delegate final-wave:f1 and final-wave:f2 again: the work may have changed since.",
      )
      const text = await s.idle()
      expect(text).not.toMatch(/REJECTED|BLOCKED|todo:1 "/)
      expect(text.match(/The work may have changed since this review/g)).toHaveLength(2)
    }))

  test("ends with its lead's word that the task is done", () =>
    scene(async (s) => {
      await rejected(s)
      await s.call("todo:1", BLOCKED)
      expect(await s.save("complete", "todo:1")).toContain("todo:1 is marked done in the plan")
      const text = await s.idle()
      expect(text).not.toContain("todo:1")
      expect(text.split("\n- ")[1]).toContain("REJECTED")
    }))

  test("waits for the user where its lead saves it as blocked, whose tick goes", () =>
    scene(async (s) => {
      await rejected(s)
      await s.call("todo:1", BLOCKED)
      expect(await s.save("blocked", "todo:1")).toContain("todo:1 is marked blocked in the plan")
      expect(await s.plan()).toContain("- [~] 1. Build it")
      await s.idle()
      expect((await s.work()).pause_reason).toBe("only-blocked-left")
    }))
})

describe("where its lead marks the plan, a fix that was not made", () => {
  const byHand = { long_run: { partial_plan_updates: false } }
  const act = "untick its box and write `BLOCKED: why` below its row in the plan"
  test("waits for the user once its lead has blocked it as it was told", () =>
    scene(
      async (s) => {
        await rejected(s)
        expect(await s.call("todo:1", BLOCKED)).toContain(`or ${act}`)
        expect(await s.idle()).toContain(`if that still holds, ${act}`)
        await s.edit(
          (await s.plan()).replace("[x] 1. Build it", "[ ] 1. Build it\n  BLOCKED: no key"),
        )
        expect(await s.idle()).toBe("")
        expect((await s.work()).pause_reason).toBe("only-blocked-left")
      },
      WAVE,
      byHand,
    ))

  test("ends with its lead's word that the task is done", () =>
    scene(
      async (s) => {
        await rejected(s)
        await s.call("todo:1", BLOCKED)
        await s.save("complete", "todo:1")
        expect(await s.idle()).not.toContain("todo:1")
      },
      WAVE,
      byHand,
    ))
})

test("a rework that the user asked for, and that could not be made, is to be done before its reviews are run again", () =>
  scene(async (s) => {
    for (const row of ["f1", "f2"]) await s.call(`final-wave:${row}`, PASSED)
    await s.idle()
    await s.plugin.say(LEAD, "Not yet: let task 1 use the new key first")
    await s.call("todo:1", BLOCKED)
    const text = await s.idle()
    expect(text).toContain(UNMADE)
    expect(text).not.toContain("final-wave:")
  }))

test("a fix whose call has named no task is not told to begin with the reviewing row's key, nor offered its reviewer", () =>
  scene(async (s) => {
    await rejected(s)
    const told = await s.call("Fix the error handling", "fixed")
    expect(told).toContain("counted for no task")
    expect(told).not.toContain("final-wave:f2")
  }))

test("a rework of a ticked task is a new result, twice since its tick; the same words again are none", () =>
  scene(async (s) => {
    for (const output of ["redid it", "redid it once more"]) {
      await s.idle()
      await s.call("todo:1", output)
      expect(await s.idle()).not.toContain("brought no new result")
    }
    await s.call("todo:1", "redid it once more")
    expect(await s.idle()).toContain("brought no new result")
  }, "# Plan\n\n## TODOs\n\n- [x] 1. Build it\n- [ ] 2. Ship it\n"))
