import { describe, expect, test } from "bun:test"
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Boulder } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { withUnwritable } from "../support/unwritable-folder.ts"

const PLAN = ".boulder/plans/demo.md"
const state = (root: string) => join(root, ".boulder", "boulder.json")

async function put(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function boulderOf(root: string): Promise<Boulder> {
  return JSON.parse(await readFile(state(root), "utf8"))
}

async function workOf(root: string) {
  const [work] = Object.values((await boulderOf(root)).works)
  if (work === undefined) throw new Error("No work")
  return work
}

async function linesOf(root: string, path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(root, ".boulder", path), "utf8")
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
}

const titles = Array.from({ length: 36 }, (_, index) => `Task number ${index + 1}`)
const tickedTo = (last: number) =>
  Array.from({ length: last }, (_, index) => String(index + 1)).reduce(ticked, planOf(...titles))

describe("what is done with leaves boulder.json", () => {
  test("the sessions of a closed shard do, into settled.jsonl, and are never offered again", () =>
    withFolder(async (root) => {
      await put(root, PLAN, planOf(...titles))
      const plugin = openPlugin(root, readOptions({ long_run: { checkpoint_every: 100 } }))
      await plugin.startWork("ses_lead", PLAN)
      for (let task = 1; task <= 12; task++)
        await plugin.delegate({ lead: "ses_lead", key: `todo:${task}`, child: `ses_c${task}` })
      expect(Object.keys((await workOf(root)).task_sessions).length).toBe(12)
      await put(root, PLAN, tickedTo(12))
      const said = await plugin.delegate({ lead: "ses_lead", key: "todo:13", child: "ses_c13" })
      expect(said).toContain("Preferred reuse session for todo:13: ses_c13")
      const work = await workOf(root)
      expect(Object.keys(work.task_sessions)).toEqual(["todo:13"])
      const settled = await linesOf(root, `works/${work.work_id}/settled.jsonl`)
      expect(settled.map(({ task_key }) => task_key)).toEqual(
        Array.from({ length: 12 }, (_, index) => `todo:${index + 1}`),
      )

      await put(root, PLAN, tickedTo(12).replace("- [x] 2.", "- [ ] 2."))
      const again = await plugin.delegate({ lead: "ses_lead", key: "todo:3", child: "ses_c3" })
      expect(again).toContain("(11/36 settled)")
      expect(again).not.toContain("ses_c2")
      expect(plugin.logs).toEqual([])
    }))

  test("the oldest of many former leads do, at a start", () =>
    withFolder(async (root) => {
      await put(root, PLAN, planOf("One"))
      const plugin = openPlugin(root)
      for (let lead = 1; lead <= 40; lead++) await plugin.startWork(`ses_${lead}`, PLAN)
      const work = await workOf(root)
      expect(work.session_ids).toEqual(Array.from({ length: 6 }, (_, index) => `ses_${index + 35}`))
      expect(work.lead_session_id).toBe("ses_40")
      const settled = await linesOf(root, `works/${work.work_id}/settled.jsonl`)
      expect(settled.map(({ session_id }) => session_id)).toEqual(
        Array.from({ length: 34 }, (_, index) => `ses_${index + 1}`),
      )
      expect(plugin.logs).toEqual([])
    }))

  test("finished works do after a minute, but for the last one", () =>
    withFolder(async (root) => {
      let nowMs = Date.now()
      const plugin = openPlugin(root, { now: () => nowMs })
      for (const name of ["a", "b", "c", "d", "e"]) {
        nowMs += name === "e" ? 50_000 : 70_000
        const path = `plans/${name}.md`
        await put(root, path, planOf("One"))
        await plugin.startWork("ses_lead", path)
        await plugin.delegate({ lead: "ses_lead", key: "todo:1", child: "ses_child" })
        await put(root, path, ticked(planOf("One"), "1"))
        await plugin.fallIdle("ses_lead")
      }
      const works = Object.values((await boulderOf(root)).works)
      expect(works.map(({ plan_name, status }) => `${plan_name} ${status}`)).toEqual([
        "d completed",
        "e completed",
      ])
      expect(works.map(({ task_sessions }) => task_sessions)).toEqual([{}, {}])
      const archived = await openWorkArchive(openRecordFiles({ root })).list()
      expect(archived.works.map(({ plan_name }) => plan_name)).toEqual(["c", "b", "a"])
      expect(plugin.logs).toEqual([])
    }))
})

describe("another plugin that continues sessions by itself", () => {
  test.each([
    [["opencode-boulder", "oh-my-opencode@4.19.4"], "oh-my-opencode"],
    [["oh-my-openagent", "oh-my-opencode"], "oh-my-openagent"],
    [["file:///home/me/oh-my-openagent/dist/index.js"], "oh-my-openagent"],
  ])("%j: one warning at the start, to the user and in the text", (names, named) =>
    withFolder(async (root) => {
      await put(root, PLAN, planOf("One"))
      const plugin = openPlugin(root, {}, { pluginNames: async () => names })
      const said = await plugin.startWork("ses_lead", PLAN)
      expect(said.match(/^Note: .*$/gm)).toHaveLength(1)
      expect(said).toContain(`Note: ${named} is configured too`)
      expect(said).toContain("the two would fight, keep one")
      expect(plugin.toasts).toHaveLength(1)
      expect(plugin.toasts[0]).toContain("the two would fight, keep one")
    }),
  )

  test("is none of those that do not", () =>
    withFolder(async (root) => {
      await put(root, PLAN, planOf("One"))
      const names = [
        "opencode-boulder",
        "file:///home/me/opencode-boulder",
        "@tarquinen/opencode-dcp",
      ]
      const plugin = openPlugin(root, {}, { pluginNames: async () => names })
      expect(await plugin.startWork("ses_lead", PLAN)).not.toContain("Note:")
      expect(plugin.toasts).toEqual([])
    }))
})

test("what the store has to tell reaches the user and the journal, once", () =>
  withFolder(async (root) => {
    await put(root, PLAN, planOf("One", "Two"))
    await openPlugin(root).startWork("ses_lead", PLAN)
    await writeFile(state(root), "{")
    const plugin = openPlugin(root)
    await plugin.delegate({ lead: "ses_lead", key: "todo:1", child: "ses_child" })
    await plugin.fallIdle("ses_lead")
    const told = plugin.toasts.filter((toast) => toast.includes("restored from its copy"))
    expect(told.length).toBe(1)
    const notices = (await linesOf(root, "journal.jsonl")).filter(
      ({ decision }) => decision === "notice",
    )
    expect(notices).toMatchObject([{ reason: "restored", session: null, work: null }])
    expect(JSON.stringify(notices[0])).toContain("restored from its copy")
    expect(plugin.logs).toEqual([])
  }))

test("a user whose state was cleaned away (git clean -fdx) is told that the plan is not resumed", () =>
  withFolder(async (root) => {
    const plugin = openPlugin(root)
    await put(root, "plans/p.md", planOf("One", "Two"))
    await plugin.startWork("ses_lead", "plans/p.md")
    await rm(join(root, ".boulder"), { recursive: true })
    await plugin.fallIdle("ses_lead")
    expect(plugin.toasts.filter((toast) => toast.includes("Not resumed: p."))).toHaveLength(1)
    await plugin.fallIdle("ses_lead")
    expect(plugin.toasts.filter((toast) => toast.includes("Not resumed: p."))).toHaveLength(1)
    expect(await plugin.startWork("ses_lead", "plans/p.md")).toContain("Next")
  }))

test("a plan in a folder that takes no file is started: an agent can tick it with its own edit", () =>
  withFolder(async (root) => {
    await put(root, PLAN, planOf("One"))
    await withUnwritable(
      join(root, ".boulder/plans"),
      async () => {
        expect(await openPlugin(root).startWork("ses_lead", PLAN)).toContain("todo:1")
      },
      join(root, PLAN),
    )
  }))

test("a plan that cannot be marked is not started, and pauses one that was, with the reason", () =>
  withFolder(async (root) => {
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    await put(root, PLAN, planOf("One", "Two"))
    await chmod(join(root, PLAN), 0o444)
    const expected = `Expected to mark tasks in ${PLAN}; found E`
    await withUnwritable(join(root, ".boulder/plans"), async () => {
      expect(await plugin.startWork("ses_lead", PLAN)).toContain(expected)
      expect(await readdir(join(root, ".boulder"))).toEqual(["plans"])
      for (const command of ["plan demo", "doctor"])
        expect((await runInFolder(root, command, { columns: 1_000 })).out).toContain(expected)
    })
    await plugin.startWork("ses_lead", PLAN)
    await withUnwritable(join(root, ".boulder/plans"), async () => {
      await plugin.fallIdle("ses_lead")
      expect(await workOf(root)).toMatchObject({ pause_reason: "plan-unavailable" })
      expect(plugin.toasts.at(-1)).toContain(expected)
    })
    await plugin.fallIdle("ses_lead")
    expect(await workOf(root)).toMatchObject({ status: "active", pause_reason: null })
    expect(plugin.prompts).toHaveLength(1)
  }))

test("a plan with nothing left to mark ends, though it cannot be marked", () =>
  withFolder(async (root) => {
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    await put(root, PLAN, planOf("One"))
    await plugin.startWork("ses_lead", PLAN)
    await put(root, PLAN, ticked(planOf("One"), "1"))
    await chmod(join(root, PLAN), 0o444)
    await withUnwritable(join(root, ".boulder/plans"), async () => {
      await plugin.fallIdle("ses_lead")
      expect(await workOf(root)).toMatchObject({ status: "completed" })
    })
  }))

test("a session that starts a second plan is told that its first one is stopped", () =>
  withFolder(async (root) => {
    const plugin = openPlugin(root)
    await put(root, "plans/one.md", planOf("One"))
    await put(root, "plans/two.md", planOf("Two"))
    expect(await plugin.startWork("ses_lead", "plans/one.md")).not.toContain("was paused")
    expect(await plugin.startWork("ses_lead", "plans/two.md")).toContain(
      "Note: one was paused: a session leads only one plan (to resume it: /start-work one)",
    )
    const works = Object.values((await boulderOf(root)).works)
    expect(works.map(({ plan_name, status }) => `${plan_name} ${status}`).sort()).toEqual([
      "one paused",
      "two active",
    ])
  }))
