// A session is given another plan in the midst of a turn: what its model, and its subagents, say by key still means the plan before.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

interface Scene {
  readonly plugin: PluginInProcess
  readonly start: (name: string) => Promise<string>
  /** The model begins its next message. */
  readonly answers: () => Promise<void>
  readonly save: (task: string, sessionId?: string, status?: string) => Promise<string>
  readonly resume: (name: string) => Promise<string>
  readonly plan: (name: string) => Promise<string>
  readonly of: (name: string) => Promise<Work>
  /** The titles of the tasks that a work keeps sessions for. */
  readonly recorded: (name: string) => Promise<readonly string[]>
}

/** Two plans whose keys are the same; the session leads a, and its model has read that. */
function scene(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    let passed = 0
    const now = () => Date.parse("2026-11-26T12:00:00.000Z") + ++passed
    await mkdir(join(root, "plans"))
    for (const name of ["a", "b"])
      await writeFile(join(root, `plans/${name}.md`), planOf(`Write ${name}1`, `Write ${name}2`))
    const plugin = openPlugin(root, { now })
    const start = (name: string) => plugin.startWork(LEAD, `plans/${name}.md`)
    const of = async (name: string): Promise<Work> => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const work = Object.values(boulder?.works ?? {}).find((one) => one.plan_name === name)
      if (work === undefined) throw new Error("no work")
      return work
    }
    const answers = () => plugin.tellTokens(LEAD, 1_000)
    await plugin.say(LEAD, await start("a"))
    await answers()
    await run({
      plugin,
      start,
      answers,
      save: async (task, sessionID = LEAD, status = "complete") => {
        const given = { summary: "It is written.", status, task, blocked_reason: "no key" }
        const context = { sessionID, agent: "build" } as never
        const { save_task_progress: tool } = plugin.hooks.tool ?? {}
        return String(await tool?.execute(given as never, context))
      },
      resume: async (name) => (await runInFolder(root, `resume ${name}`)).out,
      plan: (name) => readFile(join(root, `plans/${name}.md`), "utf8"),
      of,
      recorded: async (name) =>
        Object.values((await of(name)).task_sessions).map(({ task_title: title }) => title),
    })
  })
}

const UNTICKED = (name: string) => planOf(`Write ${name}1`, `Write ${name}2`)

test("/start-work b in a turn of a: what that turn still says by key counts for nothing of b", () =>
  scene(async ({ plugin, start, answers, save, plan, recorded }) => {
    await start("b")
    expect(await save("todo:2")).toContain('todo:2 is "Write b2" now')
    const said = await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD })
    expect(said).toContain("is counted for no task")
    expect([await plan("a"), await plan("b")]).toEqual([UNTICKED("a"), UNTICKED("b")])
    expect([await recorded("a"), await recorded("b")]).toEqual([[], []])
    await answers()
    expect(await save("todo:2")).toContain("is marked done")
    expect(await plan("b")).toContain("[x] 2. Write b2")
  }))

test("resume a in a turn of b: what that turn still says by key counts for nothing of a, until a is prompted", () =>
  scene(async ({ plugin, start, answers, save, resume, plan, recorded }) => {
    await plugin.say(LEAD, await start("b"))
    await answers()
    expect(await resume("a")).toContain(
      " b was paused: a session leads only one plan (to resume it: opencode-boulder resume b).",
    )
    expect(await save("todo:2")).toContain('todo:2 is "Write a2" now')
    const said = await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD })
    expect(said).toContain("is counted for no task")
    expect([await plan("a"), await plan("b")]).toEqual([UNTICKED("a"), UNTICKED("b")])
    expect([await recorded("a"), await recorded("b")]).toEqual([[], []])
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.join()).toContain("plans/a.md")
    await answers()
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD })
    expect(await recorded("a")).toEqual(["Write a2"])
  }))

test("/start-work b while a subagent works for a: what it saves is kept for a, and ticks its task there", () =>
  scene(async ({ plugin, start, save, plan, of }) => {
    await plugin.delegate({
      ...{ lead: LEAD, key: "todo:2", child: CHILD },
      during: async () => {
        await start("b")
        expect(await save("todo:2", CHILD, "blocked")).toContain("todo:2 is marked blocked")
        expect(Object.keys((await of("a")).blocked)).toEqual(["todo:2"])
        expect(await save("todo:2", CHILD)).toContain("is marked done")
      },
    })
    expect(await plan("a")).toContain("[x] 2. Write a2")
    expect(await plan("b")).toEqual(UNTICKED("b"))
  }))
