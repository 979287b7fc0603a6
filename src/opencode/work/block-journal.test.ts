import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { aWork, LEAD, NOW } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import { type JournalEntry, openJournal } from "../../store/records/journal.ts"
import { readOptions } from "../host/options.ts"
import { openSessions } from "../host/sessions.ts"
import { noteBlocks } from "./journal-reading.ts"

const text = "## TODOs\n- [!] 1. A\n- [ ] 2. B\n"
const plan = parsePlan(text)
const fingerprint = { hash: "0badcafe", size: 1, mtime_ms: 1 }
const reading = { kind: "read", plan, lines: text.split("\n"), fingerprint } as const

/** The tasks that are written down as newly blocked, reading by reading. */
async function written(blocked_count: number, readings: number): Promise<readonly unknown[]> {
  const entries: JournalEntry[] = []
  const shell = {
    sessions: openSessions(),
    now: () => NOW,
    log: async () => undefined,
    handoffs: { open: async () => ({ handoffs: [] }) } as never,
    journal: {
      append: async (entry: JournalEntry) => void entries.push(entry),
      readLast: async () => ({ entries: [], skipped: 0 }),
    },
  }
  for (let at = 0; at < readings; at++)
    await noteBlocks(shell, { before: aWork({ blocked_count }), after: aWork() }, reading)
  return entries.map(({ facts }) => facts["task"])
}

test("a task that is newly blocked is written down once", async () =>
  expect(await written(0, 2)).toEqual(["todo:1"]))

test("what was blocked when this process began is not new", async () =>
  expect(await written(1, 2)).toEqual([]))

describe("whoever blocks it, and wherever the plan is read next", () => {
  const PLAN = "plans/demo.md"
  const OPEN = planOf("Write a", "Write b")
  /** The tasks that the journal calls blocked, after an edit of the plan and then `act`. */
  const behind = (
    act: (plugin: PluginInProcess) => Promise<unknown>,
    { first = OPEN, options = {} }: { first?: string; options?: object } = {},
  ) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, PLAN), first)
      const given = { continuation: { cooldown_seconds: 0 }, ...options }
      const plugin = openPlugin(root, readOptions(given))
      await plugin.startWork(LEAD, PLAN)
      const note = "Write b\n  - BLOCKED: no key for the cloud"
      await writeFile(join(root, PLAN), first.replace("Write b", note))
      await act(plugin)
      // What was told is not told again.
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
      const { entries } = await openJournal({ root }).readLast(50)
      await plugin.hooks.dispose?.()
      return entries
        .filter(({ decision }) => decision === "task-blocked")
        .map(({ reason, facts }) => `${facts["task"]} ${reason}: ${facts["why"]}`)
    })
  const TOLD = ["todo:2 by-mark: no key for the cloud"]

  test.each<{ where: string; act: (plugin: PluginInProcess) => Promise<unknown> }>([
    { where: "an idle", act: ({ fallIdle }) => fallIdle(LEAD) },
    { where: "a tool of the lead", act: ({ use }) => use(LEAD, "bash") },
    {
      where: "a call that comes back",
      act: ({ delegate }) => delegate({ lead: LEAD, key: "todo:1", child: "ses_child" }),
    },
    { where: "/start-work", act: ({ startWork }) => startWork(LEAD, PLAN) },
  ])("it is written down once, behind $where", async ({ act }) => {
    expect(await behind(act)).toEqual(TOLD)
  })
  test("also where no rounds are counted", async () => {
    const act = ({ delegate }: PluginInProcess) =>
      delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    expect(await behind(act, { options: { long_run: { enabled: false } } })).toEqual(TOLD)
  })
  test("what was blocked when the work was begun is not new, and hides nothing that is", async () => {
    const first = OPEN.replace("Write a", "Write a\n  - BLOCKED: no build")
    expect(await behind(({ fallIdle }) => fallIdle(LEAD), { first })).toEqual(TOLD)
  })
})

test.each(["a restart", "a take-over"])(
  "a task that is blocked behind %s is written down, one that was before is not again",
  (what) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      const path = join(root, "plans/demo.md")
      let now = planOf("Write a", "Write b", "Write c")
      const block = async (title: string) => {
        now = now.replace(title, `${title}\n  - BLOCKED: no key`)
        await writeFile(path, now)
        await Bun.sleep(150)
      }
      await writeFile(path, now)
      const given = readOptions({ continuation: { cooldown_seconds: 0 } })
      const first = openPlugin(root, given)
      await first.startWork(LEAD, "plans/demo.md")
      await block("Write a")
      await first.use(LEAD, "bash")
      await first.hooks.dispose?.()
      await block("Write b")
      const second = openPlugin(root, given)
      if (what === "a take-over") await second.startWork("ses_other", "plans/demo.md --take-over")
      else await second.fallIdle(LEAD)
      const isIts = ({ decision }: JournalEntry) => decision === "task-blocked"
      const { entries } = await openJournal({ root }).readLast(9, isIts)
      expect(entries.map(({ facts }) => facts["task"])).toEqual(["todo:1", "todo:2"])
      await second.hooks.dispose?.()
    }),
)

test("what was blocked in a plan before is not new when its session goes on to it, or comes back", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), planOf("Write a"))
    const blocked = planOf("Write it", "Write b\n  - BLOCKED: no key")
    await writeFile(join(root, "plans/b.md"), blocked)
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    for (const name of ["a", "b", "a", "b"]) {
      await plugin.say(LEAD, await plugin.startWork(LEAD, `plans/${name}.md`))
      await plugin.fallIdle(LEAD)
    }
    const isIts = ({ decision }: JournalEntry) => decision === "task-blocked"
    expect((await openJournal({ root }).readLast(9, isIts)).entries).toEqual([])
    await plugin.hooks.dispose?.()
  }))
