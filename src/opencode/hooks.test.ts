import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../test/support/builders.ts"
import { runInFolder } from "../../test/support/cli-in-process.ts"
import { refusedTurn } from "../../test/support/our-turns.ts"
import { planOf, ticked } from "../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../test/support/plugin-in-process.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import type { Boulder, Change } from "../boulder/boulder.ts"
import { openPlanFiles } from "../store/plans/plan-files.ts"
import type { TaskMark } from "../store/plans/write-plan.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { readOptions } from "./host/options.ts"
import { HostCallError, type SessionApi } from "./host/session-api.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")

const FAILED = {
  lastTurn: refusedTurn(1),
  failure: null,
  identity: { agent: null, model: null, variant: null },
  model: null,
}

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /**
   * Reads of the store, writes, and readings of a plan since the last call; also how often the state was asked whether it is the newest,
   * and how often a plan was marked, which reads it again.
   */
  readonly counts: () => string
  /** Answers of the model that no work has booked yet. */
  readonly spend: (tokens: number) => Promise<void>
  /** The plugin in another process, on the same files, after the first one has ended. */
  readonly again: () => Promise<PluginInProcess>
}

/** Whether a read comes from the panel's view, which reads by a timer of its own: on a busy machine, in the middle of a scene. */
const isOfView = () => new Error().stack?.includes("keep-view") ?? false

/** The plugin on real files, started, with a store and plans that count. */
function counted(
  run: (scene: Scene) => Promise<void>,
  {
    start = true,
    answers = {},
    options = {},
    beforeShown = async () => undefined,
  }: {
    start?: boolean
    answers?: Partial<SessionApi>
    options?: object
    /** Happens between what an idle writes and what it shows. */
    beforeShown?: (plugin: PluginInProcess) => unknown
  } = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const made = { reads: 0, writes: 0, plans: 0, newest: 0, marks: 0 }
    const store = openFileBoulderStore({ root })
    const plans = openPlanFiles({ root, now: Date.now })
    const given = {
      ...readOptions({ continuation: { cooldown_seconds: 0 }, ...options }),
      store: {
        ...store,
        read: () => {
          if (!isOfView()) made.reads += 1
          return store.read()
        },
        isNewest: (boulder: Boulder) => {
          made.newest += 1
          beforeShown(plugin)
          return store.isNewest(boulder)
        },
        update: (change: Change) => {
          made.writes += 1
          return store.update(change)
        },
      },
      plans: {
        ...plans,
        read: (path: string) => {
          if (!isOfView()) made.plans += 1
          return plans.read(path)
        },
        mark: (path: string, mark: TaskMark) => {
          made.marks += 1
          return plans.mark(path, mark)
        },
      },
    }
    const plugin = openPlugin(root, given, answers)
    const counts = () => {
      const { reads, writes, plans: readings, newest, marks } = made
      Object.assign(made, { reads: 0, writes: 0, plans: 0, newest: 0, marks: 0 })
      const more = [newest === 0 ? "" : `, newest ${newest}`, marks === 0 ? "" : `, marks ${marks}`]
      return `${reads}/${writes}/${readings}${more.join("")}`
    }
    const spend = (tokens: number) => plugin.tellTokens(LEAD, tokens)
    if (start) await plugin.startWork(LEAD, PLAN)
    counts()
    const again = async () => {
      await plugin.hooks.dispose?.()
      return openPlugin(root, given, answers)
    }
    await run({ plugin, root, counts, spend, again })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test("/start-work: 1/1/1", () =>
  counted(
    async ({ plugin, counts }) => {
      await plugin.startWork(LEAD, PLAN)
      expect(counts()).toBe("1/1/1")
    },
    { start: false },
  ))

test("a task call, both hooks: 2/2/2", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    expect(counts()).toBe("2/2/2")
  }))

test("the same, of a child that is blocked: 2/2/3, and one mark", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    const output = "BLOCKED: no key for the cloud"
    const said = await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", output })
    expect(said).toContain("todo:1 is recorded as blocked")
    expect(counts()).toBe("2/2/3, marks 1")
  }))

test("the same, of a child that has failed: 2/2/2", () =>
  counted(
    async ({ plugin, counts, spend }) => {
      await spend(10_000)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
      expect(counts()).toBe("2/2/2")
    },
    { answers: { lastTurn: async () => FAILED } },
  ))

test("a write of the lead, with the word about it, both hooks: 2/1/1", () =>
  counted(async ({ plugin, counts }) => {
    const said = await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
    expect(said).toContain("boulder")
    expect(counts()).toBe("2/1/1")
  }))

/** The plan is as fresh as an edit leaves it: no `stat` can say yet that nothing else has changed in it. */
test("a tick by an edit of the lead, both hooks: 2/1/1", () =>
  counted(async ({ plugin, root, counts }) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    await Bun.sleep(150)
    await plugin.use(LEAD, "read")
    counts()
    const tick = () => writeFile(join(root, PLAN), ticked(TWO, "1"))
    await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) }, tick)
    expect(counts()).toBe("2/1/1")
  }))

test("a tool that is refused at the hard limit: 1/1/1", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(900_000)
    expect(await plugin.use(LEAD, "bash")).toContain("hard limit")
    expect(counts()).toBe("1/1/1")
  }))

test("an idle that continues and books tokens: 1/1/1, and once whether it is still so before the prompt", () =>
  counted(async ({ plugin, counts, spend }) => {
    await spend(10_000)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    expect(counts()).toBe("1/1/1, newest 1")
  }))

describe("a continuation that is reserved and not sent is given back: 1/2/1", () => {
  const refuse = async () => {
    throw new HostCallError("session.promptAsync: 503")
  }
  const turn = { sessionID: LEAD, status: { type: "busy" } }
  const begins = ({ hooks }: PluginInProcess) =>
    hooks.event?.({ event: { type: "session.status", properties: turn } as never })
  test.each([
    { name: "another turn has begun behind the reservation", beforeShown: begins },
    { name: "the host refuses the prompt", answers: { prompt: refuse } },
  ])("$name", ({ name: _, ...more }) =>
    counted(async ({ plugin, counts }) => {
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toEqual([])
      expect(counts()).toBe("1/2/1, newest 1")
    }, more),
  )
})

test("an idle that finishes: 2/2/1", () =>
  counted(async ({ plugin, root, counts, spend }) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    await writeFile(join(root, PLAN), ["1", "2"].reduce(ticked, TWO))
    await Bun.sleep(150)
    await spend(10_000)
    counts()
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts).toHaveLength(1)
    expect(counts()).toBe("2/2/1")
  }))

test("an idle below a subagent, while the host waits for all beside it: 1/1/0, told again 1/0/0", () =>
  counted(async ({ plugin, counts }) => {
    const tell = (type: string, properties: object) =>
      plugin.hooks.event?.({ event: { type, properties } as never })
    const during = async () => {
      await tell("session.created", { info: { id: "ses_below", parentID: "ses_child" } })
      await tell("session.status", { sessionID: "ses_below", status: { type: "busy" } })
      const next = Date.now() + 3_600_000
      const status = { type: "retry", attempt: 1, message: "limit", next }
      await tell("session.status", { sessionID: "ses_child", status })
      counts()
      for (const said of ["1/1/0", "1/0/0"]) {
        await plugin.fallIdle("ses_below")
        expect(counts()).toBe(said)
      }
    }
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
  }))

test("a tool of a session that is none of ours: 0/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.use("ses_other", "bash")
    expect(counts()).toBe("0/0/0")
  }))

test("a tool of a lead session while nothing has changed: 0/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await Bun.sleep(150)
    await plugin.use(LEAD, "bash")
    counts()
    await plugin.use(LEAD, "bash")
    expect(counts()).toBe("0/0/0")
  }))

test("in a plan with checks, commands that are none, and those that run one: 0/0/0 till the next look", () =>
  counted(async ({ plugin, root, counts }) => {
    await writeFile(join(root, PLAN), `${TWO}  Verify: \`npm test\`\n`)
    await Bun.sleep(150)
    const during = async () => {
      await plugin.bash("ses_child", "ls")
      counts()
      await plugin.bash("ses_child", "ls -l")
      await plugin.bash("ses_child", "npm test")
      expect(counts()).toBe("0/0/0")
    }
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
    await plugin.bash(LEAD, "ls")
    counts()
    await plugin.bash(LEAD, "ls -l")
    expect(counts()).toBe("0/0/0")
  }))

/** The look at a command reads the plan as it is when the command ends; the look at the round reads it once more in its turn. */
test("a command that runs a check, behind an edit of the plan: 1/1/2", () =>
  counted(async ({ plugin, root, counts }) => {
    await plugin.bash(LEAD, "ls")
    await writeFile(join(root, PLAN), `${TWO}  Verify: \`npm test\`\n`)
    await Bun.sleep(150)
    counts()
    await plugin.bash(LEAD, "npm test")
    expect(counts()).toBe("1/1/2")
  }))

/** The state is read before the command too, since something may have been unticked, but only if nothing of the plan was read yet. */
test("a command of the lead that runs a check, as the first tool behind a restart: 2/1/2", () =>
  counted(async ({ again, root, counts }) => {
    await writeFile(join(root, PLAN), `${TWO}  Verify: \`npm test\`\n`)
    await Bun.sleep(150)
    const plugin = await again()
    await plugin.say(LEAD, "go on")
    counts()
    await plugin.bash(LEAD, "npm test")
    expect(counts()).toBe("2/1/2")
    await plugin.hooks.dispose?.()
  }))

/** The program gets the newest state: it may run a minute after the question. */
test("a question to the user of which a program is told: 2/0/0", () =>
  counted(
    async ({ plugin, counts }) => {
      const asked = { id: "que_1", sessionID: LEAD, questions: [] }
      await plugin.hooks.event?.({ event: { type: "question.asked", properties: asked } as never })
      expect(counts()).toBe("2/0/0")
    },
    { options: { notify: { command: ["true"], on: ["question"] } } },
  ))

test("a tool of a lead whose work is paused: once a turn 1/0/0, above the hard limit too, then 0/0/0", () =>
  counted(async ({ plugin, root, counts, spend }) => {
    await runInFolder(root, "stop demo")
    counts()
    await plugin.use(LEAD, "bash")
    expect(counts()).toBe("1/0/0")
    await spend(900_000)
    await plugin.use(LEAD, "bash")
    expect(counts()).toBe("0/0/0")
    await plugin.say(LEAD, "what is left?")
    counts()
    for (const said of ["1/0/0", "0/0/0"]) {
      await plugin.use(LEAD, "bash")
      expect(counts()).toBe(said)
    }
  }))

test("a tool of a lead whose work is complete: once a turn 1/0/0, then 0/0/0", () =>
  counted(async ({ plugin, root, counts }) => {
    await writeFile(join(root, PLAN), ["1", "2"].reduce(ticked, TWO))
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts).toHaveLength(1)
    counts()
    for (const said of ["1/0/0", "0/0/0"]) {
      await plugin.use(LEAD, "bash")
      expect(counts()).toBe(said)
    }
  }))

test("a tool of a former lead: once a turn 1/0/0, then 0/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.startWork("ses_other", PLAN)
    counts()
    for (const said of ["1/0/0", "0/0/0"]) {
      await plugin.use(LEAD, "bash")
      expect(counts()).toBe(said)
    }
  }))

test("a lead that has rested in this turn is looked at again once it goes on", () =>
  counted(async ({ plugin, root, counts }) => {
    await runInFolder(root, "stop demo")
    await plugin.use(LEAD, "bash")
    await plugin.startWork(LEAD, PLAN)
    counts()
    await plugin.use(LEAD, "bash")
    expect(counts()).toBe("1/1/1")
  }))

test("an edit of a session that is none of ours: 1/0/0", () =>
  counted(async ({ plugin, counts }) => {
    await plugin.use("ses_other", "edit", { filePath: "src/a.ts" })
    expect(counts()).toBe("1/0/0")
  }))

test("a user's message 1/1/0; a compaction that begins 1/0/1, goes on 1/0/1, and has ended 1/1/1", () =>
  counted(async ({ plugin, counts }) => {
    const ids = { sessionID: LEAD } as never
    await plugin.say(LEAD, "go on")
    expect(counts()).toBe("1/1/0")
    await plugin.hooks["experimental.session.compacting"]?.(ids, { context: [] })
    expect(counts()).toBe("1/0/1")
    await plugin.hooks["experimental.compaction.autocontinue"]?.(ids, {} as never)
    expect(counts()).toBe("1/0/1")
    await plugin.hooks.event?.({ event: { type: "session.compacted", properties: ids } })
    expect(counts()).toBe("1/1/1")
  }))

test("a deleted lead 2/2/0 where it has spent something for a work, told again 0/0/0", () =>
  counted(async ({ plugin, counts, spend }) => {
    const info = { id: LEAD } as never
    await spend(5_000)
    for (const said of ["2/2/0", "0/0/0"]) {
      await plugin.hooks.event?.({ event: { type: "session.deleted", properties: { info } } })
      expect(counts()).toBe(said)
    }
  }))

describe("a handoff tool reads the state and the plan once", () => {
  const call = async ({ hooks }: PluginInProcess, name: string, args: object, sessionID = LEAD) => {
    const tool: unknown = hooks.tool?.[name]?.execute(
      args as never,
      { sessionID, agent: "build" } as never,
    )
    return String(await tool)
  }
  const save = (task: string, more: object) => ({ summary: "half of it", task, ...more })
  const block = (task: string) => save(task, { status: "blocked", blocked_reason: "no key" })

  test.each([
    { name: "saves progress", args: save("todo:1", { status: "in_progress" }), counts: "1/0/1" },
    { name: "saves a block", args: block("todo:1"), counts: "1/1/1, marks 1" },
    {
      name: "saves a task that is done",
      args: save("todo:1", { status: "complete" }),
      counts: "1/1/1, marks 1",
    },
  ])("a lead $name: $counts", ({ args, counts: expected }) =>
    counted(async ({ plugin, counts }) => {
      expect(await call(plugin, "save_task_progress", args)).toMatch(/saved|marked/i)
      expect(counts()).toBe(expected)
    }),
  )
  test("a list of two, with the sessions to resume: 1/0/1", () =>
    counted(async ({ plugin, counts }) => {
      for (const key of ["todo:1", "todo:2"]) await call(plugin, "save_task_progress", block(key))
      counts()
      const said = await call(plugin, "list_blocked_tasks", {}, "ses_other")
      expect(said.match(/hnd_/g)?.length).toBeGreaterThan(1)
      expect(counts()).toBe("1/0/1")
    }))
  test("one that is claimed: 1/0/1", () =>
    counted(async ({ plugin, counts }) => {
      const saved = await call(plugin, "save_task_progress", block("todo:1"))
      const id = /hnd_\w+/.exec(saved)?.[0]
      counts()
      expect(await call(plugin, "get_blocked_task", { id }, "ses_other")).toContain("half of it")
      expect(counts()).toBe("1/0/1")
    }))
})

describe("where a handoff is open, what is said of it costs no read of the state, and one of the plan at most", () => {
  const withBlocked = (run: (scene: Scene) => Promise<void>) =>
    counted(async (scene) => {
      const output = "BLOCKED: no key"
      await scene.plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", output })
      scene.counts()
      await run(scene)
    })

  test("/start-work: 1/1/1", () =>
    withBlocked(async ({ plugin, counts }) => {
      await plugin.startWork(LEAD, PLAN)
      expect(counts()).toBe("1/1/1")
    }))
  test("the first message of another session 1/0/1, of the lead 1/1/1", () =>
    withBlocked(async ({ plugin, counts }) => {
      await plugin.say("ses_other", "hello")
      expect(counts()).toBe("1/0/1")
      await plugin.say(LEAD, "hello")
      expect(counts()).toBe("1/1/1")
    }))
})

test("a question that is answered while the host shows what is wrong with the options is over", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const given = readOptions({ continuation: { cooldown_seconds: 0 } })
    const problems = ["an option is wrong"]
    const plugin = openPlugin(root, { ...given, problems }, { toast: () => Bun.sleep(200) })
    await plugin.startWork(LEAD, PLAN)
    const tell = (type: string, properties: object) =>
      plugin.hooks.event?.({
        event: { type, properties: { sessionID: LEAD, ...properties } } as never,
      })
    const questions = [{ question: "x", header: "h", options: [] }]
    await Promise.all([
      tell("question.asked", { id: "que_1", questions }),
      tell("question.replied", { requestID: "que_1", answers: [["x"]] }),
    ])
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(1)
    await plugin.hooks.dispose?.()
  }))
