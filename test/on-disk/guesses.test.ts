import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { changeWork, complete, pause, putWork, stop } from "../../src/boulder/change-work.ts"
import { observeWork } from "../../src/headless/observe-work.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { hashTitle } from "../../src/plan/model/title.ts"
import { findPlans } from "../../src/store/plans/find-plans.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD, NOW } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState, aTaskState } from "../support/task-states.ts"

const PATH = ".boulder/plans/demo.md"
const PLAN = planOf("Write one", "Write two", "Write three", "Write four")
const NEW = `${LEAD.slice(0, -1)}N`
const QUICK = readOptions({ continuation: { cooldown_seconds: 0 } })

interface Scene {
  readonly root: string
  readonly plugin: PluginInProcess
  works(): Promise<readonly Work[]>
}

function withPlan(
  run: (scene: Scene) => Promise<void>,
  shell: Partial<Shell> = {},
  answers: Partial<SessionApi> = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, PATH), PLAN)
    const planPaths = (boulder: Boulder | null) => findPlans(root, boulder)
    const plugin = openPlugin(root, { ...QUICK, planPaths, ...shell }, answers)
    const works = async () =>
      Object.values((await openFileBoulderStore({ root }).read()).boulder?.works ?? {})
    await run({ root, plugin, works })
    await plugin.hooks.dispose?.()
  })
}

/** The same with a session that leads the plan, told so by the host. */
const withLead = (
  run: (scene: Scene) => Promise<void>,
  shell: Partial<Shell> = {},
  answers: Partial<SessionApi> = {},
): Promise<void> =>
  withPlan(
    async (scene) => {
      await scene.plugin.say(LEAD, await scene.plugin.startWork(LEAD, PATH))
      await run(scene)
    },
    shell,
    answers,
  )

const cli = (root: string, line: string, given = {}): Promise<string> =>
  runInFolder(root, line, given).then(({ out, err }) => `${out}${err}`, String)

describe("13l: a turn that the user began is the user's", () => {
  test("no limit of tokens cuts it off, and no round ends in it", () =>
    withLead(async ({ plugin, root }) => {
      await plugin.say(LEAD, "what is in the config?")
      await plugin.tellTokens(LEAD, 61_000)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await plugin.tellTokens(LEAD, 95_000)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await writeFile(join(root, PATH), PLAN.replaceAll("- [ ]", "- [x]"))
      expect(await plugin.use(LEAD, "bash")).toBe("done")
    }))

  test("nor is it refused an edit", () =>
    withLead(
      async ({ plugin, root }) => {
        const args = { filePath: join(root, "a.ts"), content: "a" }
        expect(await plugin.use(LEAD, "write", args)).toContain("refused")
        await plugin.say(LEAD, "mend that typo yourself")
        expect(await plugin.use(LEAD, "write", args)).toBe("done")
      },
      readOptions({ orchestrator_writes: "block" }),
    ))

  test("nor is a turn of another agent's, whoever began it, and it works on no task", () =>
    withLead(async ({ plugin, works }) => {
      const message = { id: "msg_p", sessionID: LEAD, role: "user", agent: "plan" } as never
      const part = { id: "prt_p", type: "text", text: "Continue", synthetic: true }
      await plugin.hooks["chat.message"]?.({ sessionID: LEAD }, { message, parts: [part] as never })
      await plugin.tellTokens(LEAD, 95_000)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect((await works())[0]?.task_sessions).toEqual({})
    }))

  test("but the next round's is ours again", () =>
    withLead(async ({ plugin }) => {
      await plugin.say(LEAD, "what is in the config?")
      const message = { id: "msg_o", sessionID: LEAD, role: "user", agent: "build" } as never
      const part = { id: "prt_o", type: "text", text: "Go on", synthetic: true }
      await plugin.hooks["chat.message"]?.({ sessionID: LEAD }, { message, parts: [part] as never })
      await plugin.tellTokens(LEAD, 95_000)
      expect(await plugin.use(LEAD, "bash")).toContain("refused")
    }))
})

describe("13o: one lead has one work that goes on", () => {
  test("resume stops the others that its session leads", () =>
    withLead(async ({ plugin, root, works }) => {
      await writeFile(join(root, ".boulder/plans/other.md"), PLAN)
      await plugin.startWork(LEAD, ".boulder/plans/other.md")
      await cli(root, "resume demo")
      const states = (await works()).map(({ plan_name, status }) => `${plan_name} ${status}`)
      expect(states.sort()).toEqual(["demo active", "other paused"])
    }))

  test.each([
    { name: "begins another meanwhile", lead: LEAD, left: ["demo paused", "other active"] },
    { name: "has lost it meanwhile", lead: NEW, left: ["demo active", "other active"] },
  ])("but nothing of a session that $name", ({ lead, left }) =>
    withLead(async ({ plugin, root, works }) => {
      const state = join(root, ".boulder/boulder.json")
      await writeFile(join(root, ".boulder/plans/other.md"), PLAN)
      await openFileBoulderStore({ root }).update(pausedAll)
      const before = await readFile(state)
      if (lead !== LEAD) {
        await plugin.startWork(lead, PATH)
        await openFileBoulderStore({ root }).update(pausedAll)
      }
      await plugin.startWork(LEAD, ".boulder/plans/other.md")
      const meanwhile = await readFile(state)
      await writeFile(state, before)
      // The clock is asked between the look at the work and the write.
      const now = () => {
        writeFileSync(state, meanwhile)
        return NOW
      }
      const said = await cli(root, "resume demo", { now })
      const states = (await works()).map(({ plan_name, status }) => `${plan_name} ${status}`)
      expect(states.sort()).toEqual([...left])
      expect(said).toContain(
        lead === LEAD ? "found it changed meanwhile. Nothing was resumed." : "Resumed: demo",
      )
    }),
  )
})

function pausedAll(boulder: Boulder): Boulder {
  const works = Object.entries(boulder.works)
  const paused = works.map(([id, work]) => [id, pause("no-progress")(work)])
  return { ...boulder, works: Object.fromEntries(paused) }
}

describe("13p: a work can be closed", () => {
  const rename = async ({ root }: Scene): Promise<void> => {
    await writeFile(join(root, "renamed.md"), PLAN)
    await Bun.file(join(root, PATH)).delete()
  }
  test("prune takes one that was stopped, by its name", () =>
    withLead(async (scene) => {
      const { root, works } = scene
      await rename(scene)
      expect(await cli(root, "prune demo --yes")).toContain("found demo active")
      await cli(root, "stop demo")
      expect(await cli(root, "prune --yes")).toContain("No finished work")
      expect(await cli(root, "prune demo --yes")).toContain("Removed: demo")
      expect(await works()).toEqual([])
    }))

  test("resume looks at the plan first", () =>
    withLead(async (scene) => {
      const { root, works } = scene
      const [work] = await works()
      const { store } = { store: openFileBoulderStore({ root }) }
      await store.update(changeWork(work?.work_id ?? "", new Date().toISOString(), stop))
      await rename(scene)
      expect(await cli(root, "resume demo")).toContain("plan")
      expect((await works())[0]?.status).toBe("paused")
    }))
})

describe("13q: one plan has one real path", () => {
  const withLink = (run: (scene: Scene) => Promise<void>): Promise<void> =>
    withFolder(async (root) => {
      await mkdir(join(root, "docs/plans"), { recursive: true })
      await mkdir(join(root, ".boulder"))
      await writeFile(join(root, "docs/plans/demo.md"), PLAN)
      await symlink("../docs/plans", join(root, ".boulder/plans"))
      const planPaths = (boulder: Boulder | null) => findPlans(root, boulder)
      const plugin = openPlugin(root, { ...QUICK, planPaths })
      const works = async () =>
        Object.values((await openFileBoulderStore({ root }).read()).boulder?.works ?? {})
      await run({ root, plugin, works })
      await plugin.hooks.dispose?.()
    })
  const spellings = ["demo", ".boulder/plans/demo.md", "docs/plans/demo.md"]

  test.each(spellings)("%s starts the one work of it, and its lead ticks by either path", (name) =>
    withLink(async ({ root, plugin, works }) => {
      for (const spelling of [name, ...spellings]) await plugin.startWork(LEAD, spelling)
      expect(await works()).toHaveLength(1)
      await plugin.tellTokens(LEAD, 95_000)
      for (const path of ["docs/plans/demo.md", ".boulder/plans/demo.md"]) {
        const edit = { filePath: join(root, path), oldString: "- [ ] 1.", newString: "- [x] 1." }
        expect(await plugin.use(LEAD, "edit", edit)).not.toContain("boulder: refused")
      }
    }),
  )

  test("no subagent ticks by either path", () =>
    withLink(async ({ root, plugin }) => {
      await plugin.startWork(LEAD, "demo")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      for (const path of ["docs/plans/demo.md", ".boulder/plans/demo.md"]) {
        const edit = { filePath: join(root, path), oldString: "- [ ] 1.", newString: "- [x] 1." }
        expect(await plugin.use(CHILD, "edit", edit)).toContain("refused")
      }
    }))

  test("the command line means the same work by either path", () =>
    withLink(async ({ root, plugin }) => {
      await plugin.startWork(LEAD, "demo")
      for (const path of spellings)
        expect(await cli(root, `stop ${path}`)).toMatch(/^Stopped: |was stopped already/)
    }))

  /** As older formats write it: by way of the link. */
  const writeOlder = (root: string, given: Partial<Work> = {}) =>
    openFileBoulderStore({ root }).update((boulder: Boulder) =>
      Object.values(boulder.works).reduce(
        (all, work) => putWork(all, { ...work, active_plan: ".boulder/plans/demo.md", ...given }),
        boulder,
      ),
    )

  test("a state that was written with the other path goes on as the one work, by the real one", () =>
    withLink(async ({ root, plugin, works }) => {
      await plugin.startWork(LEAD, "demo")
      await writeOlder(root)
      await plugin.startWork(LEAD, "docs/plans/demo.md")
      expect((await works()).map((work) => work.active_plan)).toEqual(["docs/plans/demo.md"])
    }))

  test("the command line knows it by either path before that, and run says what a person is needed for", () =>
    withLink(async ({ root, plugin }) => {
      await plugin.startWork(LEAD, "demo")
      const row = "- [x] F1. Review all"
      const text = `${PLAN.replaceAll("[ ]", "[x]")}\n## Final Verification Wave\n\n${row}\n`
      await writeFile(join(root, "docs/plans/demo.md"), text)
      const rejected = { title_hash: hashTitle("Review all"), verdict: "reject" as const }
      const at = new Date().toISOString()
      await writeOlder(root, {
        final_wave: { "final-wave:f1": { ...rejected, session_id: CHILD, at } },
      })
      for (const plan of spellings)
        expect(await cli(root, `run ${plan} --attach http://127.0.0.1:1`)).not.toContain("Complete")
      for (const path of spellings)
        expect(await cli(root, `stop ${path}`)).toMatch(/^Stopped: |was stopped already/)
    }))
})

describe("13t: a session is offered with the agent that it runs", () => {
  test("a session of explore is named as one", () =>
    withLead(async ({ plugin, root }) => {
      const args = { description: "todo:1", prompt: "look", subagent_type: "explore" }
      const call = { tool: "task", sessionID: LEAD, callID: "call_e" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      const result = { title: "", output: "seen", metadata: { sessionId: CHILD } }
      await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      const text = await plugin.startWork(LEAD, PATH)
      expect(`${text}${root}`).toMatch(new RegExp(`${CHILD} \\(.*explore`))
    }))
})

describe("13u: what an older plugin remembers", () => {
  const older = (root: string, name: string, status = "active") => ({
    active_plan: join(root, `.sisyphus/plans/${name}.md`),
    plan_name: name,
    status,
    session_ids: [CHILD],
    task_sessions: {},
  })
  const write = async (root: string, names: readonly string[]): Promise<void> => {
    await mkdir(join(root, ".sisyphus/plans"), { recursive: true })
    for (const name of names) await writeFile(join(root, `.sisyphus/plans/${name}.md`), PLAN)
    const works = Object.fromEntries(names.map((name) => [name, older(root, name)]))
    const json = JSON.stringify({ schema_version: 2, works })
    await writeFile(join(root, ".sisyphus/boulder.json"), json)
  }
  const namesOf = async ({ works }: Scene) =>
    (await works()).map(({ plan_name, status }) => `${plan_name} ${status}`).sort()

  test("is taken over with a note where it is found later, once", () =>
    withLead(async (scene) => {
      const { root, plugin } = scene
      await write(root, ["old"])
      expect(await plugin.startWork(LEAD, PATH)).toContain("state imported from .sisyphus")
      expect(await namesOf(scene)).toEqual(["demo active", "old paused"])
      expect(await plugin.startWork(LEAD, PATH)).not.toContain("taken over from .sisyphus")
      await cli(root, "prune old --yes")
      await plugin.startWork(LEAD, PATH)
      expect(await namesOf(scene)).toEqual(["demo active"])
    }))

  test("and what it has begun since", () =>
    withLead(async (scene) => {
      const { root, plugin } = scene
      await write(root, ["old"])
      await plugin.startWork(LEAD, PATH)
      await write(root, ["old", "newer"])
      expect(await plugin.startWork(LEAD, PATH)).toContain("state imported from .sisyphus")
      expect(await namesOf(scene)).toEqual(["demo active", "newer paused", "old paused"])
    }))
})

describe("a run follows the work that its session has begun, whatever else that session leads", () => {
  const SIDE = ".boulder/plans/side.md"

  /** How it stands for a run on `demo`, which has four tasks, and how many it was told to have, the first look behind `before`. */
  const seen = async (
    setUp: (scene: Scene) => Promise<unknown>,
    before: (scene: Scene) => Promise<unknown>,
    behind: (scene: Scene) => Promise<unknown>,
  ): Promise<string> => {
    const said: (string | number)[] = []
    await withPlan(async (scene) => {
      const { root, plugin } = scene
      await writeFile(join(root, SIDE), planOf("Sweep"))
      await setUp(scene)
      let now = Date.now()
      const run = observeWork({
        ...{ leadId: NEW, since: "", now: () => now, journal: openJournal({ root }) },
        store: openFileBoulderStore({ root }),
        plans: openPlanFiles({ root, now: Date.now }),
        live: openLiveFiles({ root }),
        emit: (event) => {
          if (event.kind === "progress") said.push(event.total)
        },
      })
      said.push((await run.look(true)).kind)
      await plugin.startWork(NEW, PATH)
      await before(scene)
      await run.look(true)
      await behind(scene)
      await run.look(true)
      // Its line in the journal is waited for.
      now += 5_000
      const standing = await run.look(true)
      said.push("need" in standing ? standing.need.reason : standing.kind)
    })
    return said.join(" ")
  }
  const nothing = async (): Promise<void> => undefined
  const older = async ({ root }: Scene): Promise<void> => {
    await mkdir(join(root, ".omo"))
    await writeFile(join(root, ".omo/boulder.json"), JSON.stringify({ active_plan: SIDE }))
  }
  /** Begun and stopped long ago: in the file it stands before the run's. */
  const earlier = async ({ plugin, root }: Scene): Promise<void> => {
    await plugin.startWork(LEAD, SIDE)
    await cli(root, "stop side")
  }
  const stopDemo = ({ root }: Scene) => cli(root, "stop demo")
  const takeDemo = ({ plugin }: Scene) => plugin.startWork(LEAD, PATH)
  const begin = ({ plugin }: Scene) => plugin.startWork(NEW, SIDE)
  const endOther = async ({ plugin, root, works }: Scene): Promise<void> => {
    await plugin.startWork(NEW, SIDE)
    const side = (await works()).find(({ active_plan: path }) => path === SIDE)
    if (side === undefined) throw new Error("Expected the work side, found none.")
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, complete(side)))
  }

  test.each([
    { what: "alone", setUp: nothing, ends: "going" },
    { what: "beside an older plugin's, taken over as its session's", setUp: older, ends: "going" },
    {
      what: "and stopped before it looked",
      setUp: older,
      before: stopDemo,
      ends: "stopped-by-user",
    },
    { what: "and stopped behind that", setUp: older, behind: stopDemo, ends: "stopped-by-user" },
    { what: "taken over before it looked", setUp: older, before: takeDemo, ends: "taken-over" },
    { what: "taken over behind that", setUp: older, behind: takeDemo, ends: "taken-over" },
    {
      what: "left by its user for an older plan",
      setUp: older,
      behind: begin,
      ends: "stopped-by-user",
    },
    {
      what: "left by its user for a plan of before",
      setUp: earlier,
      behind: begin,
      ends: "stopped-by-user",
    },
    {
      what: "left by its user for a plan that is complete by now",
      setUp: earlier,
      behind: endOther,
      ends: "stopped-by-user",
    },
    {
      what: "left and taken over while its session leads another",
      setUp: earlier,
      behind: async (scene: Scene) => begin(scene).then(() => takeDemo(scene)),
      ends: "taken-over",
    },
  ])("$what", async ({ setUp, before = nothing, behind = nothing, ends }) => {
    expect(await seen(setUp, before, behind)).toBe(`not-started 4 ${ends}`)
  })
})

describe("13u: a file of the original at .boulder/boulder.json", () => {
  const PLAN_PATH = ".sisyphus/plans/old.md"
  const v1 = { active_plan: PLAN_PATH, plan_name: "old", session_ids: [CHILD] }
  const v2 = { schema_version: 2, works: { old: { ...v1, status: "active" } } }
  const nobodys = { active_plan: PLAN_PATH, plan_name: "old" }
  const withOriginal = (
    json: unknown,
    run: (root: string, text: string) => Promise<void>,
  ): Promise<void> =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder"))
      await mkdir(join(root, ".sisyphus/plans"), { recursive: true })
      await writeFile(join(root, PLAN_PATH), PLAN)
      const text = JSON.stringify(json)
      await writeFile(join(root, ".boulder/boulder.json"), text)
      await run(root, text)
    })
  const keptOf = async (root: string): Promise<readonly string[]> =>
    (await readdir(join(root, ".boulder"))).filter((name) => /\.older-\d/.test(name))

  test.each([
    { name: "its first format", json: v1 },
    { name: "its second one", json: v2 },
    { name: "one that names no session", json: nobodys },
  ])("of $name is upgraded where it lies, kept beside it, and said once", ({ json }) =>
    withOriginal(json, async (root, text) => {
      const { err } = await runInFolder(root, "status")
      const [kept = "", ...others] = await keptOf(root)
      expect(others).toEqual([])
      expect(await readFile(join(root, ".boulder", kept), "utf8")).toBe(text)
      expect(err).toContain(`The old file is kept as ${join(root, ".boulder", kept)}`)
      const { boulder, notices } = await openFileBoulderStore({ root }).read()
      expect(notices).toEqual([])
      expect(boulder).toMatchObject({ schema_version: 3, revision: 1 })
      expect(Object.values(boulder?.works ?? {})).toMatchObject([
        { plan_name: "old", active_plan: PLAN_PATH, status: "paused" },
      ])
    }),
  )

  test("/start-work goes on with it, and says so", () =>
    withOriginal(v2, async (root) => {
      const planPaths = (boulder: Boulder | null) => findPlans(root, boulder)
      const plugin = openPlugin(root, { ...QUICK, planPaths })
      const text = await plugin.startWork(LEAD, "old")
      expect(text).toContain("Resume the plan old")
      expect(text).toContain("was upgraded")
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect(Object.values(boulder?.works ?? {})).toMatchObject([
        { status: "active", lead_session_id: LEAD, session_ids: [CHILD, LEAD] },
      ])
      await plugin.hooks.dispose?.()
    }))

  test("its works come beside ours where it was put over our file", () =>
    withOriginal(v2, async (root, text) => {
      await Bun.file(join(root, ".boulder/boulder.json")).delete()
      await mkdir(join(root, ".boulder/plans"))
      await writeFile(join(root, PATH), PLAN)
      const plugin = openPlugin(root, QUICK)
      await plugin.startWork(LEAD, PATH)
      await writeFile(join(root, ".boulder/boulder.json"), text)
      const { boulder } = await openFileBoulderStore({ root }).read()
      const states = Object.values(boulder?.works ?? {}).map((work) => work.plan_name)
      expect(states.sort()).toEqual(["demo", "old"])
      expect(await keptOf(root)).toHaveLength(1)
      await plugin.hooks.dispose?.()
    }))

  test.each([
    { name: "of which nothing can be taken over", json: { ...v1, active_plan: "/elsewhere.md" } },
    { name: "of a format newer than any we know", json: { ...v2, schema_version: 3 } },
    { name: "that says nothing", json: {} },
  ])("one $name is refused and left as it is", ({ json }) =>
    withOriginal(json, async (root, text) => {
      await expect(openFileBoulderStore({ root }).read()).rejects.toThrow("It was left as it is")
      expect(await readFile(join(root, ".boulder/boulder.json"), "utf8")).toBe(text)
      expect(await keptOf(root)).toEqual([])
    }),
  )
})

describe("13w: a new lead", () => {
  const states = (root: string) => openTaskStateFiles(openRecordFiles({ root }))
  test("has the task state of the old one, which keeps its own", () =>
    withLead(async ({ plugin, root }) => {
      const old = aStoredTaskState({ session_id: LEAD, task_state: aTaskState({ goal: "G" }) })
      await states(root).save(old)
      await plugin.startWork(NEW, PATH)
      const taken = await states(root).load(NEW)
      expect(taken).toMatchObject({ session_id: NEW, task_state: { goal: "G" } })
      expect(taken?.summary_id).toBeUndefined()
      expect(await states(root).load(LEAD)).toEqual(old)
    }))

  test("has it though its process dies right behind the write", () =>
    withLead(async ({ plugin, root }) => {
      await states(root).save(aStoredTaskState({ session_id: LEAD }))
      const store = openFileBoulderStore({ root })
      const dead = new Promise<never>(() => undefined)
      await new Promise<void>((written) => {
        const update: typeof store.update = async (change) => {
          await store.update(change)
          written()
          return dead
        }
        void openPlugin(root, { ...QUICK, store: { ...store, update } }).startWork(NEW, PATH)
      })
      await plugin.startWork(NEW, PATH)
      expect(await states(root).load(NEW)).not.toBeNull()
    }))

  test.each([
    { name: "has none of a start that was not written", own: null },
    { name: "keeps its own, newer one behind such a start", own: "newer" },
  ])("$name", ({ own }) =>
    withLead(async ({ plugin, root }) => {
      await plugin.startWork(LEAD, PATH)
      await states(root).save(aStoredTaskState({ session_id: LEAD }))
      const store = openFileBoulderStore({ root })
      const task_state = aTaskState({ goal: own ?? "" })
      const update = async (): Promise<never> => {
        if (own !== null) await states(root).save(aStoredTaskState({ session_id: NEW, task_state }))
        throw new Error("disk full")
      }
      const other = openPlugin(root, { ...QUICK, store: { ...store, update } })
      expect(await other.startWork(NEW, PATH)).toContain("disk full")
      expect((await states(root).load(NEW))?.task_state.goal ?? null).toBe(own)
    }),
  )

  test("keeps the one that it has", () =>
    withLead(async ({ plugin, root }) => {
      for (const [session_id, goal] of [
        [LEAD, "old"],
        [NEW, "own"],
      ] as const)
        await states(root).save(aStoredTaskState({ session_id, task_state: aTaskState({ goal }) }))
      await plugin.startWork(NEW, PATH)
      expect((await states(root).load(NEW))?.task_state.goal).toBe("own")
    }))
})

describe("13y: a damaged task state", () => {
  const path = `.boulder/sessions/${LEAD}.json`
  const damage = async (root: string): Promise<void> => {
    await mkdir(join(root, ".boulder/sessions"), { recursive: true })
    await writeFile(join(root, path), "{")
  }
  const show = (plugin: PluginInProcess) =>
    plugin.hooks["experimental.chat.system.transform"]?.({ sessionID: LEAD } as never, {
      system: ["a"],
    })
  const toldOf = ({ toasts }: PluginInProcess) =>
    toasts.filter((toast) => toast.includes(`sessions/${LEAD}.json`))

  test("is said to the user once", () =>
    withLead(async ({ plugin, root }) => {
      await damage(root)
      await show(plugin)
      await show(plugin)
      expect(toldOf(plugin)).toHaveLength(1)
    }))

  test("of a lead that comes back is said once too, and left as it is", () =>
    withLead(async ({ plugin, root }) => {
      await plugin.startWork(NEW, PATH)
      const state = aStoredTaskState({ session_id: NEW, task_state: aTaskState({ goal: "G" }) })
      await openTaskStateFiles(openRecordFiles({ root })).save(state)
      await damage(root)
      await plugin.startWork(LEAD, `${PATH} --take-over`)
      await show(plugin)
      await plugin.startWork(NEW, `${PATH} --take-over`)
      await plugin.startWork(LEAD, `${PATH} --take-over`)
      await show(plugin)
      expect(toldOf(plugin)).toHaveLength(1)
      expect(await readFile(join(root, path), "utf8")).toBe("{")
    }))
})

describe("13z: what is over is forgotten, and nothing else", () => {
  test.each([
    { name: "an idle", type: "session.idle", properties: { sessionID: LEAD } },
    {
      name: "an error",
      type: "session.error",
      properties: { sessionID: LEAD, error: { name: "MessageAbortedError" } },
    },
  ])("a compaction that was begun and never asked takes no summary behind $name", (told) =>
    withLead(async ({ plugin }) => {
      await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, { context: [] })
      await plugin.hooks.event?.({ event: told as never })
      const info = {
        id: "msg_s",
        sessionID: LEAD,
        role: "assistant",
        summary: true,
        finish: "stop",
      }
      const parts = [{ id: "prt_s", type: "text", text: "THE SUMMARY" }]
      const messages = [{ info, parts }] as never
      const output = { messages } as never
      await plugin.hooks["experimental.chat.messages.transform"]?.({}, output)
      expect(JSON.stringify(output)).toContain("THE SUMMARY")
    }),
  )

  test("a work tree that git tells of by turns is no progress", () => {
    let turns = 0
    const lastTurn = async () => {
      const turn = { messageId: `msg_${turns}`, createdAt: Date.now(), ours: true, error: null }
      const rest = { ended: true, contextTokens: 0, isSummary: false, isUnanswered: false }
      const identity = { agent: null, model: null, variant: null }
      return { lastTurn: { ...turn, ...rest }, identity, model: null, failure: null }
    }
    return withLead(
      async ({ plugin, works }) => {
        for (; turns < 6; turns++) await plugin.fallIdle(LEAD)
        expect((await works())[0]?.pause_reason).toBe("no-progress")
      },
      { tree: async () => (turns % 2 === 0 ? null : "0123456789abcdef") },
      { lastTurn },
    )
  })
})
