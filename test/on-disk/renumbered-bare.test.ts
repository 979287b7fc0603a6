// A lead that names a task by its key alone, once a row was inserted above it: the key is of the plan that it was told of.
import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const MOVED = planOf("New", "Write a", "Write b")
const LINE = "The plan was renumbered: todo:1 is todo:2 now, todo:2 is todo:3 now."

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** The plan as a person writes it. */
  readonly edit: (text: string) => Promise<void>
  /** The model reads all that was said to it, and answers in a new message. */
  readonly answers: () => Promise<void>
  /** Another opencode on the folder. */
  readonly restarted: () => PluginInProcess
}

function scene(run: (given: Scene) => Promise<void>) {
  return withFolder(async (root) => {
    let passed = 0
    const now = () => {
      passed += 1
      return Date.parse("2026-11-26T12:00:00.000Z") + passed
    }
    const edit = (text: string) => writeFile(join(root, PLAN), text)
    await mkdir(join(root, "plans"))
    await edit(planOf("Write a", "Write b"))
    const plugin = openPlugin(root, { now })
    await plugin.startWork(LEAD, PLAN)
    const answers = () => plugin.tellTokens(LEAD, 1_000)
    await run({ plugin, root, edit, answers, restarted: () => openPlugin(root, { now }) })
  })
}

async function recorded(root: string) {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  return Object.values(work?.task_sessions ?? {}).map(({ task_title }) => task_title)
}

const plan = (root: string) => readFile(join(root, PLAN), "utf8")

const save = async (plugin: PluginInProcess, task: string, sessionID = LEAD) =>
  String(
    await plugin.hooks.tool?.["save_task_progress"]?.execute(
      { summary: "b is written", status: "complete", task } as never,
      { sessionID, agent: "build" } as never,
    ),
  )

const REFUSED =
  'Refused: the plan has changed: todo:2 is "Write a" now, and todo:3 "Write b" was todo:2. Name the task by key and title.'

for (const named of ["todo:2", "todo:2 as we said", "Task 2"])
  test(`"${named}" counts for nobody, and its result says which keys are others now`, () =>
    scene(async ({ plugin, root, edit }) => {
      await edit(MOVED)
      const output = "BLOCKED: no key for the cloud"
      const said = await plugin.delegate({ lead: LEAD, key: named, child: "ses_c", output })
      expect(said).toContain("the call named none, several, or one by its old key")
      expect(said).toContain(LINE)
      expect(await recorded(root)).toEqual([])
      expect(await plan(root)).toBe(MOVED)
    }))

for (const task of ["todo:2", "Task 2", "2"])
  test(`a save of "${task}" is refused, and ticks nothing`, () =>
    scene(async ({ plugin, root, edit }) => {
      await edit(MOVED)
      expect(await save(plugin, task)).toContain(REFUSED)
      expect(await plan(root)).toBe(MOVED)
    }))

test("a key of a row that was taken out means no row that has it now", () =>
  scene(async ({ plugin, root, edit }) => {
    const left = planOf("Write b")
    await edit(left)
    expect(await save(plugin, "todo:1")).toContain(
      'Refused: the plan has changed: todo:1 is "Write b" now. If that is what is done, save it again.',
    )
    expect(await plan(root)).toBe(left)
  }))

test("a key counts with the title of its row behind it", () =>
  scene(async ({ plugin, root, edit }) => {
    await edit(MOVED)
    await plugin.delegate({ lead: LEAD, key: "todo:2 Write a", child: "ses_c" })
    expect(await recorded(root)).toEqual(["Write a"])
    expect(await save(plugin, 'todo:3 "Write b"')).toContain("todo:3")
    expect(await plan(root)).toBe(MOVED.replace("- [ ] 3", "- [x] 3"))
  }))

test("a key of a row that has kept it counts", () =>
  scene(async ({ plugin, root, edit }) => {
    await edit(planOf("Write a", "New", "Write b"))
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_c" })
    expect(await recorded(root)).toEqual(["Write a"])
  }))

test("a continuation tells the keys that it names, and no others", () =>
  scene(async ({ plugin, root, edit, answers }) => {
    const titles = ["Write a", "Write b", "Write c", "Write d", "Write e"]
    await edit(planOf(...titles))
    await plugin.startWork(LEAD, PLAN)
    await plugin.delegate({ lead: LEAD, key: "todo:5", child: "ses_c" })
    await answers()
    await edit(planOf("New", ...titles))
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).not.toContain("Write e")
    await answers()
    expect(await save(plugin, "todo:5")).toContain(
      'Refused: the plan has changed: todo:5 is "Write d" now, and todo:6 "Write e" was todo:5.',
    )
    expect(await plan(root)).toBe(planOf("New", ...titles))
    expect(await plugin.use(LEAD, "read")).toContain("todo:5 is todo:6 now")
    await answers()
    await save(plugin, "todo:6")
    expect(await plan(root)).toContain("- [x] 6. Write e")
  }))

test("a reworded row is still meant by its key", () =>
  scene(async ({ plugin, root, edit }) => {
    await edit(planOf("Write a", "Write b in Rust"))
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
    expect(await recorded(root)).toEqual(["Write b in Rust"])
  }))

describe("a row that was given other words", () => {
  const REPLACED = planOf("Write a", "Translate the manual")
  const SAYS =
    'Refused: the plan has changed: todo:2 is "Translate the manual" now. If that is what is done, save it again.'

  test.each([{ name: "todo:2" }, { name: "todo:2 Write b" }, { name: "Task 2" }])(
    "is not ticked by a save that says $name: what is done was told by the words before",
    ({ name }) =>
      scene(async ({ plugin, root, edit, answers }) => {
        await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
        await edit(REPLACED)
        await plugin.use(LEAD, "read")
        await answers()
        expect(await save(plugin, name)).toContain(SAYS)
        expect(await plan(root)).toBe(REPLACED)
        await answers()
        await save(plugin, name)
        expect(await plan(root)).toBe(REPLACED.replace("- [ ] 2", "- [x] 2"))
      }),
  )

  test("beside a row that was added is not ticked either: that others are renumbered says nothing of its words", () =>
    scene(async ({ plugin, root, edit, answers }) => {
      const both = planOf("Write a", "Translate the manual", "New", "Write c")
      await edit(planOf("Write a", "Write b", "Write c"))
      await plugin.startWork(LEAD, PLAN)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
      await answers()
      await edit(both)
      expect(await plugin.use(LEAD, "read")).toContain("todo:3 is todo:4 now")
      await answers()
      expect(await plugin.use(LEAD, "read")).not.toContain("renumbered")
      expect(await save(plugin, "todo:2")).toContain(SAYS)
      expect(await plan(root)).toBe(both)
    }))

  test("while its subagent runs is not ticked either: the result says to settle no task", () =>
    scene(async ({ plugin, root, edit }) => {
      const during = () => edit(REPLACED)
      const told = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c", during })
      expect(told).toContain("Settle no task for it")
      expect(await save(plugin, "todo:2")).toContain(SAYS)
      expect(await plan(root)).toBe(REPLACED)
    }))
})

test("it is told below the next tool, once, and counts from the next message on", () =>
  scene(async ({ plugin, root, edit, answers }) => {
    await edit(MOVED)
    expect(await plugin.use(LEAD, "read")).toContain(LINE)
    // Another call of the same message: the model has not read it yet.
    expect(await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })).not.toContain(LINE)
    expect(await recorded(root)).toEqual([])
    expect(await save(plugin, "todo:2")).toContain(REFUSED)
    await answers()
    expect(await plugin.use(LEAD, "read")).not.toContain(LINE)
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_d" })
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_e" })
    expect(await recorded(root)).toEqual(["Write a", "Write b"])
    await save(plugin, "todo:3")
    expect(await plan(root)).toBe(MOVED.replace("- [ ] 3", "- [x] 3"))
  }))

test("the lead's own edit is told too, and its keys count from the next message on", () =>
  scene(async ({ plugin, root, edit, answers }) => {
    const said = await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) }, () => edit(MOVED))
    expect(said).toContain(LINE)
    await answers()
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
    expect(await recorded(root)).toEqual(["Write a"])
  }))

test("a row that was inserted before the lead's own tick is told under that", () =>
  scene(async ({ plugin, root, edit }) => {
    await edit(MOVED)
    const ticked = MOVED.replace("- [ ] 2. Write a", "- [x] 2. Write a")
    const said = await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) }, () => edit(ticked))
    expect(said).toContain("The plan was renumbered: todo:2 is todo:3 now, todo:1 is todo:2 now.")
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
    expect(await recorded(root)).toEqual([])
  }))

test("another opencode knows which keys the lead was told", () =>
  scene(async ({ root, edit, restarted }) => {
    await edit(MOVED)
    const plugin = restarted()
    await plugin.say(LEAD, "Go on.")
    expect(await save(plugin, "todo:2")).toContain(REFUSED)
    const said = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
    expect(said).toContain(LINE)
    expect(await recorded(root)).toEqual([])
    expect(await plan(root)).toBe(MOVED)
  }))

test("a continuation tells the keys of now", () =>
  scene(async ({ plugin, root, edit, answers }) => {
    await edit(MOVED)
    await plugin.say(LEAD, "What is next?")
    await answers()
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    await answers()
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_c" })
    expect(await recorded(root)).toEqual(["Write b"])
  }))

test("a subagent's save by the key that it was given is refused too, and made under the key of now", () =>
  scene(async ({ plugin, root, edit }) => {
    const said: string[] = []
    const during = async () => {
      await edit(MOVED)
      for (const key of ["todo:2", "todo:3"]) said.push(await save(plugin, key, "ses_c"))
    }
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c", during })
    const [first, second] = said
    expect(first).toContain(REFUSED)
    expect(second).toContain("todo:3 is marked done")
    expect(await plan(root)).toBe(MOVED.replace("- [ ] 3", "- [x] 3"))
  }))
