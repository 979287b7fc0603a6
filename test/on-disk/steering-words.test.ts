import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN_TEXT = `# Plan

Must NOT have: a framework.

## TODOs

- [ ] 1. Build it
  What to do: as the drawing has it
- [ ] 2. Paint it
  Depends on: 1
- [ ] 3. Sell it

## Final Verification Wave

- [ ] F1. Review it
`

test("the lines of the window are those of the file that it names", async () => {
  await withFolder(async (root) => {
    const { text } = await started(root, PLAN_TEXT)
    const [, path = "", from = "", to = ""] =
      /\(lines of (\S+); read lines (\d+)-(\d+) first, they hold for every task\)/.exec(text) ?? []
    const file = (await readFile(join(root, path), "utf8")).split("\n")
    expect(file.slice(Number(from) - 1, Number(to)).join("\n")).toContain(
      "Must NOT have: a framework.",
    )
    const [, row = ""] = /- todo:3 "Sell it" \(line (\d+)\)/.exec(text) ?? []
    expect(file[Number(row) - 1]).toBe("- [ ] 3. Sell it")
    expect(text).toContain("Waiting: todo:2 for todo:1.")
  })
})

test("how to work is said once in a conversation, and again once a compaction has taken it away", async () => {
  await withFolder(async (root) => {
    const { plugin, text } = await started(root, PLAN_TEXT)
    const whole = "Ask the user with `question`: words alone stop nothing."
    expect(text).toContain(whole)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("Work as before; ask only with `question`.")
    expect(plugin.prompts.at(-1)).not.toContain(whole)
    const properties = { sessionID: LEAD }
    await plugin.hooks.event?.({ event: { type: "session.compacted", properties } })
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain(whole)
  })
})

test("a subagent is told how its result is read, by the plugin itself", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, PLAN_TEXT)
    const told = async (description: string, prompt: string) => {
      const args = { description, prompt, subagent_type: "general" }
      const call = { tool: "task", sessionID: LEAD, callID: `call_${description}_${prompt.length}` }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      return args.prompt
    }
    expect(await told("todo:1 Build it", "Build it.")).toBe(
      "Build it.\n\n<boulder>\nIf you cannot finish, end with a line `BLOCKED: why`.\n</boulder>",
    )
    const whole = "Sell it. If you cannot finish, end with a line `BLOCKED: why`."
    expect(await told("todo:3", whole)).toBe(whole)
    expect(await told("final-wave:f1", "Review it.")).toContain("`VERDICT: APPROVE`")
    expect(await told("something", "Look around.")).toBe("Look around.")
  })
})

test("a result that is back is to be settled, not delegated anew; so with every row of the window", async () => {
  await withFolder(async (root) => {
    const { plugin, edit } = await started(root, PLAN_TEXT.replace("  Depends on: 1\n", ""))
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_three" })
    await plugin.fallIdle(LEAD)
    const prompt = plugin.prompts.at(-1) ?? ""
    for (const [key, child] of [
      ["todo:1", "ses_one"],
      ["todo:3", "ses_three"],
    ])
      expect(prompt).toContain(
        `A result is back: settle it if it is finished and right, else send it back. Preferred reuse session for ${key}: ${child} (pass it as task_id)`,
      )
    expect(prompt).not.toContain("Preferred reuse session for todo:2")
    await edit(ticked(PLAN_TEXT, 1, 2, 3))
  })
})

test("a save that settles or blocks no task of the plan says so", async () => {
  await withFolder(async (root) => {
    const { plugin, plan } = await started(root, PLAN_TEXT)
    const said = async (sessionID: string, args: object) => {
      const save = { summary: "It is done.", status: "complete", ...args } as never
      const context = { sessionID, agent: "build" } as never
      return String(await plugin.hooks.tool?.["save_task_progress"]?.execute(save, context))
    }
    const none = "It settles no task of the plan: name its key as `task` if you meant one."
    for (const args of [{}, { task: "Build the thing" }])
      expect(await said(LEAD, args)).toContain(none)
    const blocked = { status: "blocked", blocked_reason: "no wood" }
    expect(await said(LEAD, blocked)).toContain(none.replace("settles", "blocks"))
    expect(await plan()).toBe(PLAN_TEXT)
    expect(await said(LEAD, { task: "todo:1" })).toContain("todo:1 is marked done in the plan.")
    // Who is no part of the work means none of its tasks.
    expect(await said("ses_outside", { task: "the importer" })).not.toContain("the plan")
  })
})

// A lead that resumes a session for the next task, since it knows the code: what it has done may be right all the same.
test("work that was done in another task's session may be settled once it is verified", async () => {
  await withFolder(async (root) => {
    const { plugin } = await started(root, PLAN_TEXT)
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
    const args = { description: "todo:3 Sell it", prompt: "Sell it.", task_id: "ses_one" }
    const call = { tool: "task", sessionID: LEAD, callID: "call_again" }
    const result = { title: "", output: "Sold.", metadata: { sessionId: "ses_one" } }
    await plugin.hooks["tool.execute.before"]?.(call, { args })
    await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
    expect(result.output).toContain(
      "the call resumed another task's session. If it has done a task's work, verify it and settle that task. Resume only the session of the task that the description names.",
    )
  })
})

// Whoever took it back, most often the user: a result that was verified once would only be settled again.
test("a task whose tick was taken back is not offered for settling as it is", async () => {
  await withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, PLAN_TEXT)
    const row = async () => {
      await plugin.fallIdle(LEAD)
      return plugin.prompts
        .at(-1)
        ?.split("\n- ")
        .find((one) => one.startsWith("todo:3"))
    }
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_three" })
    await edit(ticked(await plan(), 3))
    await plugin.use(LEAD, "edit")
    await edit(PLAN_TEXT)
    expect(await row()).toContain(
      "Its tick was taken back: find out why, then send it back. Preferred reuse session for todo:3: ses_three",
    )
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_three", output: "Sold better." })
    expect(await row()).toContain("A result is back: settle it if it is finished and right")
  })
})
