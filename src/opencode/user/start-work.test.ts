import { describe, expect, test } from "bun:test"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { BoulderStore } from "../../store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

test("a work whose lead works on it right now is not taken over", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    let busy = new Set([LEAD])
    const { startWork, hooks } = openPlugin(root, {}, { busySessions: async () => busy })
    await startWork(LEAD, "demo")
    const begun = await startWork(LEAD, "plans/demo.md")
    expect(begun).not.toContain("to be free")
    expect(await startWork("ses_other", "plans/demo.md")).toContain(
      `Expected demo to be free, found session ${LEAD} working on it right now. Stop it there first, or take it over: /start-work plans/demo.md --take-over`,
    )
    busy = new Set()
    expect(await startWork("ses_other", "plans/demo.md")).not.toContain("to be free")
    await hooks.dispose?.()
  }))

const OTHER = "ses_other"

/** The plugin with the plans `a` and `b`. `works` gives the state of each work. */
function withPlans(
  run: (scene: {
    root: string
    plugin: PluginInProcess
    write: (name: string, plan: string) => Promise<void>
    fileOf: (name: string) => string
    works: () => Promise<readonly string[]>
  }) => Promise<void>,
  options: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const fileOf = (name: string) => join(root, `plans/${name}.md`)
    const write = (name: string, plan: string) => writeFile(fileOf(name), plan)
    for (const name of ["a", "b"]) await write(name, planOf("Write one", "Write two"))
    const plugin = openPlugin(root, readOptions(options))
    const works = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const all = Object.values(boulder?.works ?? {})
      return all.map((work) => `${work.plan_name} ${work.status} ${work.lead_session_id}`).sort()
    }
    await run({ root, plugin, write, fileOf, works })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test("a file of data without a task is to be given some", () =>
  withPlans(async ({ plugin, root }) => {
    await writeFile(join(root, "prd.json"), '{"userStories": []}')
    expect(await plugin.startWork(LEAD, "prd.json")).toContain(
      "Add tasks to it, then start the plan again.",
    )
  }))

test("what is advised for a plan that was moved and edited is typed as it stands", () =>
  withPlans(async ({ plugin, root, fileOf }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    await rm(fileOf("a"))
    await mkdir(join(root, "plans/done"))
    await writeFile(join(root, "plans/done/a.md"), planOf("Rest", "Sleep", "Eat"))
    const said = await plugin.startWork(OTHER, "plans/done/a.md")
    const name = /\/stop-work (\S+),/.exec(said)?.[1] ?? ""
    expect(name).toBe("plans/a.md")
    expect(await plugin.command(OTHER, "stop-work", name)).toContain("stopped")
  }))

test("a task begun under another session is told by no key that is another task's by now", () =>
  withPlans(async ({ plugin, write }) => {
    await write("a", planOf("Write one", "Write two", "Write three"))
    await plugin.startWork(LEAD, "plans/a.md")
    let said = ""
    await plugin.delegate({
      ...{ lead: LEAD, key: "todo:2", child: "ses_child" },
      during: async () => {
        await write("a", planOf("Write one", "Write three"))
        said = await plugin.startWork(OTHER, "plans/a.md --take-over")
      },
    })
    expect(said).toContain(`taken over from session ${LEAD}`)
    expect(said).not.toContain("had begun todo:2")
  }))

describe("a start that is refused changes nothing", () => {
  test.each([
    {
      name: "of a plan without a task",
      plan: "# Plan\n\nWords.\n",
      says: "found none.\nRead as: generic format, 0 tasks, 0 settled.\nWrite each task as such a row, then start the plan again.\n",
    },
    {
      name: "of a plan that is settled",
      plan: ["1", "2"].reduce(ticked, planOf("Write one", "Write two")),
      says: "Nothing to do",
    },
  ])("$name", ({ plan, says }) =>
    withPlans(async ({ plugin, write, works }) => {
      await write("a", plan)
      expect(await plugin.startWork(LEAD, "plans/a.md")).toContain(says)
      expect(await works()).toEqual([])
    }),
  )
})

test("a stopped work whose last box was ticked by hand is resumed, and ends with that turn", () =>
  withPlans(async ({ plugin, write, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    await plugin.command(LEAD, "stop-work", "a")
    await write("a", ["1", "2"].reduce(ticked, planOf("Write one", "Write two")))
    expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("Nothing is left to do")
    expect(await works()).toEqual([`a active ${LEAD}`])
    await plugin.fallIdle(LEAD)
    expect(await works()).toEqual([`a completed ${LEAD}`])
    expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("Nothing to do")
  }))

test("a session leads only one plan: the start of another stops the first, and tells model and user", () =>
  withPlans(async ({ plugin, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const said = "a was paused: a session leads only one plan (to resume it: /start-work a)"
    expect(await plugin.startWork(LEAD, "plans/b.md")).toContain(said)
    expect(plugin.toasts.at(-1)).toBe(said)
    expect(await works()).toEqual([`a paused ${LEAD}`, `b active ${LEAD}`])
  }))

test("the start of another plan in the turn that has ticked the last box of the first finishes that one", () =>
  withPlans(async ({ plugin, write, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    await write("a", ["1", "2"].reduce(ticked, planOf("Write one", "Write two")))
    expect(await plugin.startWork(LEAD, "plans/b.md")).not.toContain("was paused")
    expect(plugin.toasts).toEqual(["Plan a complete: 2/2 tasks settled."])
    expect(await works()).toEqual([`a completed ${LEAD}`, `b active ${LEAD}`])
  }))

test("the end of a plan names what its tasks leave out", () =>
  withPlans(async ({ plugin, write }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const rows = [
      "- [x] 1. Write one",
      "- [x] 2. Write two",
      "## Phase 2",
      "1. Sweep the yard",
      "2. Lock up",
    ]
    await write("a", ["# Plan", "## Phase 1", ...rows].join("\n\n"))
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts.at(-1)).toMatch(
      /^Plan a complete: 2\/2 tasks settled\. Left out: line \d+: 1 heading has no box and is not run \("Phase 2"\)/,
    )
  }))

test("a pause since something is open outside the tasks names it", () =>
  withPlans(async ({ plugin, write }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const done = ["1", "2"].reduce(ticked, planOf("Write one", "Write two"))
    await write("a", `${done}\n## Ideas\n\n- [ ] Sweep the yard\n`)
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts.at(-1)).toContain(
      `something open is outside them (line 10: 1 open row is outside the task sections and is not counted: "Sweep the yard")`,
    )
  }))

test("nothing is finished by the start of another while a subagent of it runs", () =>
  withPlans(async ({ plugin, write, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const during = async () => {
      await write("a", ["1", "2"].reduce(ticked, planOf("Write one", "Write two")))
      await plugin.startWork(LEAD, "plans/b.md")
    }
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c", during })
    expect(await works()).toEqual([`a paused ${LEAD}`, `b active ${LEAD}`])
  }))

describe("a plan whose file is renamed while its work is open", () => {
  test("is resumed under its new path, whatever was ticked meanwhile; its old path begins anew", () =>
    withPlans(async ({ plugin, write, fileOf, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await rename(fileOf("a"), fileOf("c"))
      await plugin.fallIdle(LEAD)
      expect(await works()).toEqual([`a paused ${LEAD}`])
      await write("c", ticked(planOf("Write one", "Write two"), "1"))
      const said = await plugin.startWork(OTHER, "plans/c.md")
      expect(said).toContain("Resume the plan c (plans/c.md)")
      const note = "plans/a.md is gone and this plan has its tasks, so its work continues here"
      expect(said).toContain(`Note: ${note}\n`)
      expect(plugin.toasts.at(-1)).toBe(note)
      expect(await works()).toEqual([`c active ${OTHER}`])
      await write("a", planOf("Write one", "Write two"))
      expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("Start the plan a (plans/a.md)")
      expect(await works()).toEqual([`a active ${LEAD}`, `c active ${OTHER}`])
    }))

  const SIX = ["one", "two", "three", "four", "five", "six"].map((name) => `Write ${name}`)
  test.each([
    { name: "a row is another", from: SIX, rows: ["Look", ...SIX.slice(1, 6)] },
    { name: "a row is missing", from: SIX, rows: [...SIX.slice(2), "Write one"] },
    { name: "more rows follow", from: SIX, rows: [...SIX, ...SIX.map((row) => `${row} again`)] },
    { name: "two rows of six are others", from: SIX, rows: [...SIX.slice(0, 4), "Rest", "Sleep"] },
    { name: "of too few rows one is another", from: SIX.slice(0, 4), rows: SIX.slice(0, 3) },
  ])("is begun anew where $name: one template may have made both", ({ from, rows }) =>
    withPlans(async ({ plugin, write, fileOf, works }) => {
      await write("a", planOf(...from))
      await plugin.startWork(LEAD, "plans/a.md")
      await rm(fileOf("a"))
      await write("c", planOf(...rows))
      const said = await plugin.startWork(OTHER, "plans/c.md")
      expect(said).toContain("Start the plan c (plans/c.md)")
      expect(said).toContain("If this is that plan, move it back and type /start-work a;")
      expect(await works()).toEqual([`a active ${LEAD}`, `c active ${OTHER}`])
    }),
  )

  test("is named at the start of a plan with other tasks, with what to do, and at no other", () =>
    withPlans(async ({ plugin, write, fileOf, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await rm(fileOf("a"))
      await write("b", planOf("Write one", "Write three"))
      const said = await plugin.startWork(LEAD, "plans/b.md")
      expect(said).toContain("Start the plan b (plans/b.md)")
      const note =
        "plans/a.md is gone. If this is that plan, move it back and type /start-work a; else drop its work: /stop-work a, then opencode-boulder prune a --yes"
      expect(said).toContain(`Note: ${note}\n`)
      expect(plugin.toasts.at(-1)).toBe(note)
      expect(await works()).toEqual([`a paused ${LEAD}`, `b active ${LEAD}`])
      expect(await plugin.startWork(LEAD, "plans/b.md")).not.toContain("is gone")
    }))

  test("is not said to be gone, nor continued by another, where it only cannot be looked at now", () =>
    withPlans(async ({ plugin, root, fileOf, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await rm(fileOf("a"))
      await symlink("a.md", fileOf("a"))
      await writeFile(join(root, "c.md"), planOf("Write one", "Write two"))
      const said = await plugin.startWork(OTHER, "c.md")
      expect(said).toContain("Start the plan c (c.md)")
      expect(said).not.toContain("is gone")
      expect(await works()).toEqual([`a active ${LEAD}`, `c active ${OTHER}`])
    }))

  test("is not taken for a copy of a plan that is still there, nor for one of two", () =>
    withPlans(async ({ plugin, write, fileOf, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await plugin.startWork(OTHER, "plans/b.md")
      expect(await works()).toHaveLength(2)
      await rm(fileOf("a"))
      await rm(fileOf("b"))
      await write("c", planOf("Write one", "Write two"))
      expect(await plugin.startWork("ses_third", "plans/c.md")).toContain("Start the plan c")
      expect(await works()).toHaveLength(3)
    }))
})

test("a start in another session takes the work over: its former lead is prompted no more", () =>
  withPlans(async ({ plugin, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    expect(await plugin.startWork(OTHER, "plans/a.md")).toContain(`taken over from session ${LEAD}`)
    expect(await works()).toEqual([`a active ${OTHER}`])
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
  }))

test("a session that takes a work over reads what its former lead had begun, so that two do not work on one task", () =>
  withPlans(async ({ plugin }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    let said = ""
    await plugin.delegate({
      ...{ lead: LEAD, key: "todo:2", child: "ses_child" },
      during: async () => {
        said = await plugin.startWork(OTHER, "plans/a.md --take-over")
      },
    })
    expect(said).toContain(
      `Note: taken over from session ${LEAD}, which had begun todo:2: see what is there before you begin it again\n`,
    )
  }))

test("a work whose budget was spent has it anew, and the start says what was spent", () =>
  withPlans(
    async ({ plugin, works }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      for (let times = 0; times < 2; times++) await plugin.fallIdle(LEAD)
      expect(await works()).toEqual([`a paused ${LEAD}`])
      expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("its budget was spent")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(2)
    },
    { continuation: { cooldown_seconds: 0, max_per_work: 1 } },
  ))

test("a finished work whose plan has a new task begins anew", () =>
  withPlans(async ({ plugin, write, works }) => {
    await plugin.startWork(LEAD, "plans/a.md")
    const all = ["1", "2"].reduce(ticked, planOf("Write one", "Write two"))
    await write("a", all)
    await plugin.fallIdle(LEAD)
    expect(await works()).toEqual([`a completed ${LEAD}`])
    await write("a", `${all}- [ ] 3. Write three\n`)
    expect(await plugin.startWork(LEAD, "plans/a.md")).toContain("todo:3")
    expect(await works()).toEqual([`a active ${LEAD}`])
  }))

test.each([
  { title: "New session - 2026-11-22T08:00:00.000Z", named: ["demo"] },
  { title: "My shop", named: [] },
])("a session called $title is called by its plan, unless somebody has named it", (given) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const named: string[] = []
    const { startWork, hooks } = openPlugin(
      root,
      {},
      {
        session: async (id) => ({ id, parentId: null, agent: null, title: given.title }),
        rename: async (_, title) => void named.push(title),
      },
    )
    expect(await startWork(LEAD, "plans/demo.md")).toContain("Start the plan demo")
    expect(named).toEqual([...given.named])
    await hooks.dispose?.()
  }),
)

test("what was spent is booked once where a start is in place, though no disk holds it yet", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
    const files = openFileBoulderStore({ root })
    let fails = false
    const update: BoulderStore["update"] = async (...given) => {
      const made = await files.update(...given)
      const words = { expected: "the disk", found: "EIO", todo: "Check it." }
      if (fails) throw new StoreError({ code: "not-durable", ...words })
      return made
    }
    const plugin = openPlugin(root, { store: { ...files, update } })
    await plugin.startWork(LEAD, "plans/a.md")
    await plugin.say(LEAD, "go")
    await plugin.tellTokens(LEAD, 500)
    fails = true
    await plugin.startWork(LEAD, "plans/a.md").catch(() => undefined)
    fails = false
    await plugin.fallIdle(LEAD)
    const { boulder } = await files.read()
    expect(Object.values(boulder?.works ?? {}).map(({ tokens }) => tokens.spent)).toEqual([500])
    await plugin.hooks.dispose?.()
  }))
