// What a lead knows its plan's keys by, at the seams: its own edits, a prompt whose answer has begun, rows of one title.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const MOVED = planOf("New", "Write a", "Write b")

function scene(
  run: (g: {
    plugin: PluginInProcess
    root: string
    edit: (t: string) => Promise<void>
    answers: () => Promise<void>
    now: () => number
  }) => Promise<void>,
  options: object = {},
  api: (p: () => PluginInProcess) => object = () => ({}),
) {
  return withFolder(async (root) => {
    let passed = 0
    const now = () => Date.parse("2026-11-26T12:00:00.000Z") + ++passed
    const edit = (text: string) => writeFile(join(root, PLAN), text)
    await mkdir(join(root, "plans"))
    await edit(planOf("Write a", "Write b"))
    let plugin: PluginInProcess
    plugin = openPlugin(root, { now, ...readOptions(options as never) }, api(() => plugin) as never)
    await plugin.startWork(LEAD, PLAN)
    await run({ plugin, root, edit, answers: () => plugin.tellTokens(LEAD, 1_000), now })
  })
}
async function recorded(root: string) {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  return Object.values(work?.task_sessions ?? {}).map(({ task_title }) => task_title)
}
const save = async (plugin: PluginInProcess, task: string, sessionID = LEAD) =>
  String(
    await plugin.hooks.tool?.["save_task_progress"]?.execute(
      { summary: "b is written", status: "complete", task } as never,
      { sessionID, agent: "build" } as never,
    ),
  )

test("without long runs a call by an old key is told so, and from the next message on it counts", () =>
  scene(
    async ({ plugin, root, edit, answers }) => {
      await edit(MOVED)
      const said = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
      expect(said).toContain("todo:1 is todo:2 now")
      expect(await recorded(root)).toEqual([])
      await answers()
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_d" })
      expect(await recorded(root)).toEqual(["Write a"])
    },
    { long_run: { enabled: false } },
  ))

test("without long runs a save by an old key is refused, and one by key and title ticks", () =>
  scene(
    async ({ plugin, root, edit }) => {
      await edit(MOVED)
      expect(await save(plugin, "todo:2")).toContain("Name the task by key and title")
      expect(await readFile(join(root, PLAN), "utf8")).toBe(MOVED)
      expect(await save(plugin, 'todo:2 "Write a"')).not.toContain("Refused")
      const ticked = MOVED.replace("- [ ] 2", "- [x] 2")
      expect(await readFile(join(root, PLAN), "utf8")).toBe(ticked)
    },
    { long_run: { enabled: false } },
  ))

test("the host has begun the answer before it has answered the prompt: the keys in the prompt count for it", () =>
  scene(
    async ({ plugin, root, edit }) => {
      await edit(MOVED)
      await plugin.say(LEAD, "What is next?")
      await plugin.tellTokens(LEAD, 1_000)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.join()).toContain('todo:2 "Write a"')
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_c" })
      expect(await recorded(root)).toEqual(["Write a"])
    },
    {},
    (plugin) => ({
      prompt: async (_: string, text: string) => {
        plugin().prompts.push(text)
        await plugin().tellTokens(LEAD, 1_000)
      },
    }),
  ))

test("a call whose end could not be asked for leaves its lead to be decided on", () =>
  scene(
    async ({ plugin, answers }) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_c" })
      await answers()
      await plugin.fallIdle(LEAD)
      for (let n = 0; n < 3 && plugin.prompts.length === 0; n++) await Bun.sleep(1100)
      expect(plugin.prompts).toHaveLength(1)
    },
    {},
    () => ({
      lastTurn: async (id: string) => {
        if (id === "ses_c") throw new TypeError("fetch failed")
        return {
          lastTurn: null,
          failure: null,
          identity: { agent: null, model: null, variant: null },
          model: null,
        }
      },
    }),
  ))

test("a row that is added with the title of another moves nobody's key", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write the parser", "Run the tests"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await writeFile(
      join(root, PLAN),
      planOf("Write the parser", "Run the tests", "Write the printer", "Run the tests"),
    )
    expect(await plugin.use(LEAD, "read")).not.toContain("renumbered")
  }))

test("the same in a plan without numbers, by the lead's own shell", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const rows = ["Write the parser", "Run the tests"]
    const text = (all: string[]) => `# Plan\n\n${all.map((one) => `- [ ] ${one}`).join("\n")}\n`
    await writeFile(join(root, PLAN), text(rows))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    const during = () =>
      writeFile(join(root, PLAN), text([...rows, "Write the printer", "Run the tests"]))
    expect(await plugin.bash(LEAD, "cat more.md >> plans/demo.md", 0, { during })).not.toContain(
      "renumbered",
    )
  }))

test("one of two rows with one title is reworded: its key is still its own, and completes it together with its new words", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write tests", "Build", "Write tests"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await writeFile(join(root, PLAN), planOf("Write unit tests", "Build", "Write tests"))
    expect(await save(plugin, "todo:1")).toContain(
      'Refused: the plan has changed: todo:1 is "Write unit tests" now. If that is what is done, save it again.',
    )
    expect(await save(plugin, 'todo:1 "Write unit tests"')).not.toContain("Refused")
  }))

const phase = (at: number) => `## Phase ${at}\n\n- [ ] Write tests\n- [ ] Build part ${at}\n\n`
const ticked = (text: string) => text.replaceAll("[ ]", "[x]")

test.each([
  {
    what: "a phase is inserted above",
    before: phase(1) + phase(2),
    after: phase(0) + phase(1) + phase(2),
  },
  {
    what: "the finished phase is deleted",
    before: ticked(phase(1)) + phase(2) + phase(3),
    after: phase(2) + phase(3),
  },
  { what: "phases change places", before: phase(1) + phase(2), after: phase(2) + phase(1) },
])(
  "a save by the key of a row whose title others have ticks none where $what, and one behind a word of that does",
  ({ before, after }) =>
    scene(async ({ plugin, root, edit, answers }) => {
      await edit(`# P\n\n${before}`)
      const shown = await plugin.startWork(LEAD, PLAN)
      const key = /^- (task:\S+) "Write tests"/m.exec(shown)?.[1] ?? ""
      expect(key).toStartWith("task:~63edf339")
      await answers()
      const moved = `# P\n\n${after}`
      const told = await plugin.delegate({
        ...{ lead: LEAD, key: `${key} Write tests`, child: "ses_c" },
        during: () => edit(moved),
      })
      expect(await save(plugin, `${key} Write tests`)).toContain("the plan has changed")
      expect(await readFile(join(root, PLAN), "utf8")).toBe(moved)
      expect(told).toContain("The plan was renumbered: read it again.")
      await answers()
      expect(await save(plugin, "task:~63edf339")).toContain("is marked done in the plan")
      expect(await readFile(join(root, PLAN), "utf8")).toBe(moved.replace("[ ]", "[x]"))
    }),
)
