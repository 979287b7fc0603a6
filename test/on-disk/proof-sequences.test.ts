import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { StoreError } from "../../src/store/disk/store-error.ts"
import { openProofFiles } from "../../src/store/records/proof-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ours } from "../support/our-turns.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/* Sequences that an adversary has found: each was a false "complete", an honest task that was held, or a wrong tier. */
const PLAN = "plans/demo.md"
const CHILD = "ses_child"
const CHECK = "npm test -- login"
const REQUIRE = { ticks: "require" }

interface Scene {
  plugin: PluginInProcess
  readonly root: string
  /** What git tells of the work tree. */
  readonly tree: { now: string | null; asked: number; names: readonly string[] | null }
  /** An edit of the plan by a tool of a session, and by no tool. */
  readonly edit: (change: (text: string) => string, by?: string) => Promise<string>
  readonly byHand: (change: (text: string) => string) => Promise<void>
  readonly tick: (label: string) => Promise<string>
  readonly work: () => Promise<Work>
  readonly tier: () => Promise<string | null>
  readonly restart: (more?: Partial<Shell>) => Promise<void>
  /** The same, but nothing is written at the end. */
  readonly again: () => Promise<void>
}

const planOf = (...details: readonly string[]): string =>
  `# Plan\n\n## TODOs\n\n${details.map((detail, at) => `- [ ] ${at + 1}. Do ${at + 1}\n${detail === "" ? "" : `  ${detail}\n`}`).join("")}`
const ONE = planOf(`Verify: \`${CHECK}\``)
const TWO = planOf(`Verify: \`${CHECK}\``, "Verify: `npm run b`")
const SHARED = planOf("Verify: `npm test`", "Verify: `npm test`")
const LINE = `  Verify: \`${CHECK}\`\n`
const untick = (text: string) => text.replace("- [x] 1.", "- [ ] 1.")
const tickOne = (text: string) => ticked(text, "1")
const without = (text: string) => text.replace(LINE, "")

function inWork(plan: string, run: (scene: Scene) => Promise<void>, given: object = REQUIRE) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const tree: Scene["tree"] = { now: "a", asked: 0, names: null }
    const treeNow = async () => {
      tree.asked += 1
      return tree.now
    }
    const options = {
      orchestrator_writes: "allow",
      continuation: { cooldown_seconds: 0 },
      ...given,
    }
    const open = (more: Partial<Shell> = {}) =>
      openPlugin(
        root,
        { ...readOptions(options), tree: treeNow, moved: () => tree.names, ...more },
        ours(),
      )
    const byHand = async (change: (text: string) => string) => {
      await writeFile(join(root, PLAN), change(await readFile(join(root, PLAN), "utf8")))
      await Bun.sleep(15)
    }
    const scene: Scene = {
      plugin: open(),
      root,
      tree,
      byHand,
      edit: (change, by = LEAD) =>
        scene.plugin.use(by, "edit", { filePath: join(root, PLAN) }, () => byHand(change)),
      tick: (label) => scene.edit((text) => ticked(text, label)),
      work: async () => {
        const { boulder } = await openFileBoulderStore({ root }).read()
        const [only] = Object.values(boulder?.works ?? {})
        if (only === undefined) throw new Error("no work")
        return only
      },
      tier: async () => JSON.parse((await runInFolder(root, "proof --json")).out).tasks[0].tier,
      restart: async (more) => {
        await scene.plugin.hooks.dispose?.()
        scene.plugin = open(more)
      },
      again: async () => {
        scene.plugin = open()
      },
    }
    await scene.plugin.startWork(LEAD, PLAN)
    await run(scene)
    await scene.plugin.hooks.dispose?.()
  })
}

const CONTEXT = { sessionID: LEAD, agent: "build", callID: "call_save", ask: async () => undefined }
const say = ({ plugin }: Scene) => plugin.say(LEAD, "do the first again")

/** A subagent's work on the first task. */
const delegated = ({ plugin }: Scene, during: () => Promise<unknown>, key = "todo:1") =>
  plugin.delegate({ lead: LEAD, key, child: CHILD, during })
const proven = (scene: Scene) =>
  delegated(scene, async () => {
    await scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" })
    await scene.plugin.bash(CHILD, CHECK)
  })

/** The work tree becomes another while a command runs. */
const moved =
  ({ tree }: Scene) =>
  () => {
    tree.now = `${tree.now}+`
  }

describe("a check that changes in the plan in the middle of a run", () => {
  test("replaced by the lead: said once, the new one counts, and proof names the old one", () =>
    inWork(TWO, async ({ plugin, edit, tick, root, work }) => {
      await plugin.bash(LEAD, CHECK, 1)
      const said = await edit((text) => text.replace(CHECK, "true"))
      expect(said).toContain(
        `The check of todo:1, \`${CHECK}\`, is now \`true\` in the plan: run that.`,
      )
      const later = (await plugin.bash(LEAD, "true")) + (await tick("1"))
      expect(later).not.toContain(CHECK)
      expect((await work()).completed_count).toBe(1)
      expect((await runInFolder(root, "proof")).out).toContain(`its check was \`${CHECK}\` before`)
      expect((await runInFolder(root, "report demo")).out).toContain(
        `its check was ${CHECK} before`,
      )
    }))

  test.each([
    { what: "with the tick", edits: [(text: string) => tickOne(without(text))] },
    { what: "before the tick", edits: [without, tickOne] },
    { what: "behind the tick, which was held", edits: [tickOne, without] },
  ])("taken out by the lead $what: asked for all the same, until it ends with 0", ({ edits }) =>
    inWork(ONE, async ({ plugin, edit, work }) => {
      await plugin.bash(LEAD, CHECK, 1)
      const said: string[] = []
      for (const change of edits) said.push(await edit(change))
      expect(said.join("\n").split("was taken out of the plan").length - 1).toBe(1)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "active", completed_count: 0 })
      await plugin.bash(LEAD, CHECK)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }),
  )

  test("taken out by a command that does not name the plan, and behind a restart: the same", () =>
    inWork(ONE, async (scene) => {
      const { plugin, byHand, root, work } = scene
      const call = { tool: "bash", sessionID: LEAD, callID: "call_x" }
      const args = { command: "python3 fix.py" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      await byHand((text) => tickOne(without(text)))
      const result = { title: "", output: "done", metadata: { exit: 0 } }
      await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      expect(result.output).toContain("was taken out of the plan: until the user approves")
      await scene.restart()
      await scene.plugin.say(LEAD, "go on")
      await scene.plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      await runInFolder(root, "approve todo:1")
      await scene.plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }))

  test("taken out by a person it is asked for no more", () =>
    inWork(TWO, async ({ plugin, tick, byHand, work }) => {
      await tick("1")
      await byHand(without)
      await plugin.bash(LEAD, "npm run b")
      await tick("2")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }))

  test("given to a task that was ticked without one: the tick stays", () =>
    inWork(tickOne(planOf("", "Verify: `npm run b`")), async ({ edit, work }) => {
      await edit((text) => text.replace("Do 1\n", `Do 1\n${LINE}`))
      expect((await work()).held).toEqual({})
    }))
})

describe("rows that an agent rewrites, and what was written down is lost", () => {
  const open = async ({ plugin, work }: Scene): Promise<readonly unknown[]> => {
    await plugin.fallIdle(LEAD)
    const { status, held = {} } = await work()
    return [status, Object.keys(held)]
  }

  test.each([
    {
      what: "with another number and title",
      change: (text: string) => text.replace("- [ ] 1. Do 1", "- [x] 7. Something else"),
      held: ["todo:7"],
    },
    {
      what: "with another check as well",
      change: (text: string) =>
        text.replace(/- \[ \] 1. Do 1\n.*\n/, "- [x] 7. Something else\n  Verify: `true`\n"),
      held: ["todo:7"],
    },
    {
      what: "into two ticked rows",
      change: (text: string) =>
        text.replace("- [ ] 1. Do 1\n", `- [x] 1.1. Form\n${LINE}- [x] 1.2. Route\n`),
      held: ["todo:1.1", "todo:1.2"],
    },
  ])("$what, ticked in one edit: a claim", ({ change, held }) =>
    inWork(ONE, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK, 1)
      await scene.edit(change)
      expect(await open(scene)).toEqual(["active", held])
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.bash(LEAD, "true")
      expect((await open(scene))[0]).toBe("completed")
    }),
  )

  test.each([REQUIRE, {}])(
    "a new row, ticked with its check in one edit, is a claim: %j",
    (given) =>
      inWork(
        ONE,
        async (scene) => {
          await scene.plugin.bash(LEAD, CHECK)
          await scene.tick("1")
          const said = await scene.edit((text) => `${text}- [x] 2. More\n  Verify: \`npm run b\`\n`)
          expect(said).toContain("todo:2 is ticked, but `npm run b` has not been run")
        },
        given,
      ),
  )

  test.each([{ isHeld: false }, { isHeld: true }])(
    "a row that the lead deletes behind a failed check is asked for, held before: $isHeld",
    ({ isHeld }) =>
      inWork(TWO, async (scene) => {
        const { plugin, edit } = scene
        await plugin.bash(LEAD, CHECK)
        await plugin.bash(LEAD, "npm run b", 1)
        await scene.tick("1")
        if (isHeld) await scene.tick("2")
        const said = await edit((text) => text.replace(/- \[.\] 2[\s\S]*/, ""))
        expect(said).toContain("`npm run b`, was taken out of the plan")
        expect(await open(scene)).toEqual(["active", ["todo:1"]])
        expect((await runInFolder(scene.root, "proof")).out).toContain("npm run b")
        await plugin.bash(LEAD, "npm run b")
        expect(await open(scene)).toEqual(["completed", []])
      }),
  )

  test("a row that a person deletes is gone, whatever the lead edits later", () =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      await scene.byHand((text) => text.replace(/- \[ \] 2[\s\S]*/, ""))
      await scene.plugin.bash(LEAD, "git status")
      await scene.tick("1")
      expect(await open(scene)).toEqual(["completed", []])
    }))

  test("a row that was proven may be deleted by anybody", () =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, "npm run b")
      await scene.tick("2")
      await scene.edit((text) => text.replace(/- \[x\] 2[\s\S]*/, ""))
      await scene.plugin.bash(LEAD, CHECK)
      await scene.tick("1")
      expect(await open(scene)).toEqual(["completed", []])
    }))

  test.each([
    { what: "gone", spoil: (file: string) => rm(file) },
    { what: "torn", spoil: (file: string) => truncate(file, 40) },
    { what: "a folder", spoil: (file: string) => rm(file).then(() => mkdir(file)) },
  ])("proof.jsonl is $what: a tick is a claim all the same", ({ spoil }) =>
    inWork(ONE, async (scene) => {
      const works = join(scene.root, ".boulder/works")
      const [id = ""] = await readdir(works)
      await spoil(join(works, id, "proof.jsonl"))
      await scene.restart()
      await scene.tick("1")
      expect(await open(scene)).toEqual(["active", ["todo:1"]])
    }),
  )
})

test.each([
  { turns: 0, appended: 2 },
  { turns: 1, appended: 2 },
  { turns: 3, appended: 2 },
])("a delegated task with $turns turns between result and tick: one durable write", (given) =>
  inWork(TWO, async (scene) => {
    const [id = ""] = await readdir(join(scene.root, ".boulder/works"))
    const file = join(scene.root, ".boulder/works", id, "proof.jsonl")
    const files = nodeFilePort()
    const synced: string[] = []
    const syncFile: typeof files.syncFile = (path) => {
      synced.push(path)
      return files.syncFile(path)
    }
    const records = openRecordFiles({ root: scene.root, files: { ...files, syncFile } })
    await scene.restart({ proofs: openProofFiles(records) })
    await scene.plugin.say(LEAD, "go on")
    const sizes = new Set<number>()
    const look = async () => {
      const { length } = await readFile(file)
      sizes.add(length)
    }
    await look()
    await delegated(scene, async () => {
      await scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" })
      await look()
      await scene.plugin.bash(CHILD, CHECK)
      await look()
    })
    await look()
    for (let turn = 0; turn < given.turns; turn++) {
      await scene.plugin.fallIdle(LEAD)
      await look()
      expect(await readFile(file, "utf8")).toContain('"outcome":"passed"')
    }
    await scene.tick("1")
    await look()
    await scene.plugin.fallIdle(LEAD)
    await look()
    expect([sizes.size - 1, synced]).toEqual([given.appended, [file]])
  }),
)

describe("proof.jsonl cannot be read", () => {
  /** The record files of a project whose disk gives nothing while `isBad` says so. */
  const unreadable = (root: string, isBad: () => boolean): Partial<Shell> => {
    const records = openRecordFiles({ root })
    const tryRead: typeof records.tryRead = async (path) => {
      if (!isBad()) return records.tryRead(path)
      const [expected, found, todo] = ["to read", "no right to", "Give it."]
      throw new StoreError({ code: "not-permitted", expected, found, todo })
    }
    return { proofs: openProofFiles({ ...records, tryRead }) }
  }
  const works = async ({ plugin, work }: Scene) => {
    await plugin.fallIdle(LEAD)
    const { status, held = {} } = await work()
    return `${status}: ${Object.keys(held)}`
  }

  test("a tick is a claim until it can, and what was proven before counts again then", () =>
    inWork(TWO, async (scene) => {
      let isBad = true
      await proven(scene)
      await scene.tick("1")
      await scene.restart(unreadable(scene.root, () => isBad))
      await scene.plugin.say(LEAD, "go on")
      await scene.tick("2")
      expect(await works(scene)).toBe("active: todo:1,todo:2")
      isBad = false
      // A plan that has not changed is looked at only at the next idle.
      await scene.edit((text) => `${text}\n`)
      expect(Object.keys((await scene.work()).held)).toEqual(["todo:2"])
      await scene.plugin.bash(LEAD, "npm run b")
      expect(await works(scene)).toBe("completed: ")
    }))

  test("what is held stays so, though its checks are taken out meanwhile", () =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      await scene.tick("1")
      await scene.tick("2")
      await scene.restart(unreadable(scene.root, () => true))
      await scene.plugin.say(LEAD, "go on")
      await scene.edit((text) => text.replace("  Verify: `npm run b`\n", ""))
      expect(await works(scene)).toContain("todo:2")
    }))

  test("under `observe` nothing is held", () =>
    inWork(
      ONE,
      async (scene) => {
        await scene.restart(unreadable(scene.root, () => true))
        await scene.plugin.say(LEAD, "go on")
        await scene.tick("1")
        expect(await works(scene)).toBe("completed: ")
      },
      {},
    ))
})

describe("what a task is held for ends when it is proven, and no sooner", () => {
  test("its check ends with 0 while the work is paused: the work goes on by itself", () =>
    inWork(ONE, async ({ plugin, tick, work }) => {
      await tick("1")
      for (let turn = 0; turn < 6; turn++) await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("paused")
      await plugin.say(LEAD, "run the check")
      await plugin.bash(LEAD, CHECK)
      for (let turn = 0; turn < 2; turn++) await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "completed" })
    }))

  test("while it fails there the work stays paused", () =>
    inWork(ONE, async ({ plugin, tick, work }) => {
      await tick("1")
      for (let turn = 0; turn < 6; turn++) await plugin.fallIdle(LEAD)
      await plugin.say(LEAD, "run the check")
      await plugin.bash(LEAD, CHECK, 1)
      for (let turn = 0; turn < 2; turn++) await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "paused", held: { "todo:1": { times: 3 } } })
    }))

  test.each([
    { what: "taken back", change: untick, tickAgain: tickOne },
    {
      what: "reworded",
      change: (text: string) => text.replace("Do 1", "Do another thing"),
      tickAgain: (text: string) => text,
    },
  ])("an approval ends when its tick is $what", ({ change, tickAgain }) =>
    inWork(TWO, async ({ root, plugin, edit, tick, work }) => {
      await tick("1")
      await runInFolder(root, "approve todo:1")
      await plugin.fallIdle(LEAD)
      expect((await work()).completed_count).toBe(1)
      await edit(change)
      await plugin.bash(LEAD, CHECK, 1)
      await edit(tickAgain)
      expect(await work()).toMatchObject({ completed_count: 0, held: { "todo:1": { times: 1 } } })
    }),
  )

  test.each([
    { what: "its person says so in the session", begin: (scene: Scene) => say(scene) },
    {
      what: "opencode is another",
      begin: async (scene: Scene) => {
        await scene.restart()
        await say(scene)
      },
    },
    {
      what: "its plan is started again",
      begin: (scene: Scene) => scene.plugin.startWork(LEAD, PLAN),
    },
    {
      what: "its plan is begun anew, being complete",
      begin: async (scene: Scene) => {
        await scene.restart()
        await scene.plugin.startWork(LEAD, PLAN)
      },
      isComplete: true,
    },
  ])(
    "a run of before proves no tick that is set again behind an untick by hand: $what",
    ({ begin, isComplete }) =>
      inWork(TWO, async (scene) => {
        const { plugin, byHand, work } = scene
        await plugin.bash(LEAD, CHECK)
        await scene.tick("1")
        if (isComplete) {
          await plugin.bash(LEAD, "npm run b")
          await scene.tick("2")
          await plugin.fallIdle(LEAD)
          expect((await work()).status).toBe("completed")
        }
        await byHand(untick)
        await begin(scene)
        expect(await scene.tick("1")).toContain("todo:1 is ticked, but")
        expect(await work()).toMatchObject({ status: "active", held: { "todo:1": { times: 1 } } })
        await scene.plugin.bash(LEAD, CHECK)
        await scene.plugin.fallIdle(LEAD)
        expect((await work()).held).toEqual({})
      }),
  )

  test.each([
    { what: "at once", again: (scene: Scene) => scene.tick("1") },
    {
      what: "by our own tool",
      again: ({ plugin }: Scene) => {
        const args = { status: "complete", summary: "done", task: "todo:1" }
        return plugin.use(LEAD, "save_task_progress", args, () =>
          plugin.hooks.tool?.["save_task_progress"]?.execute(args as never, CONTEXT as never),
        )
      },
    },
    {
      what: "by a command",
      again: ({ plugin, byHand }: Scene) =>
        plugin.bash(LEAD, `sed -i 's/\\[ \\] 1/[x] 1/' ${PLAN}`, 0, {
          during: () => byHand(tickOne),
        }),
    },
  ])("nor behind an untick in the middle of a turn: $what", ({ again }) =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      await scene.tick("1")
      await scene.byHand(untick)
      expect(await again(scene)).toContain(
        `todo:1 is ticked, but \`${CHECK}\` has not been run since its tick was taken back`,
      )
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.fallIdle(LEAD)
      expect((await scene.work()).held).toEqual({})
    }),
  )

  test.each([
    { what: "by the lead beside it", again: (scene: Scene) => scene.tick("1") },
    {
      what: "by a command of the subagent",
      again: ({ plugin, byHand }: Scene) =>
        plugin.bash(CHILD, `sed -i 's/\\[ \\] 1/[x] 1/' ${PLAN}`, 0, {
          during: () => byHand(tickOne),
        }),
    },
  ])("nor where a command of a subagent sees the untick first: ticked $what", ({ again }) =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      await scene.tick("1")
      const during = async () => {
        await scene.byHand(untick)
        await scene.plugin.bash(CHILD, "ls")
        await again(scene)
      }
      await scene.plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
      await scene.plugin.fallIdle(LEAD)
      expect(await scene.work()).toMatchObject({ held: { "todo:1": { times: 1 } } })
    }),
  )

  /** What a command itself has changed in the plan is its own: `git stash` to look at the tree as it was, and `git stash pop`. */
  test("what a subagent's command unticks and the next one ticks again is no untick", () =>
    inWork(TWO, async ({ plugin, byHand, tick, work }) => {
      await plugin.bash(LEAD, CHECK)
      await tick("1")
      const during = async () => {
        await plugin.bash(CHILD, "git stash", 0, { during: () => byHand(untick) })
        await plugin.bash(CHILD, "ls")
        await plugin.bash(CHILD, "git stash pop", 0, { during: () => byHand(tickOne) })
      }
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
      await plugin.fallIdle(LEAD)
      expect((await work()).held).toEqual({})
    }))

  test("nor is what a command has unticked for as long as it runs, whoever looks meanwhile", () =>
    inWork(TWO, async ({ plugin, byHand, tick, work }) => {
      await plugin.bash(LEAD, CHECK)
      await tick("1")
      const stashed = async () => {
        await byHand(untick)
        await plugin.bash("ses_other", "ls")
        await byHand(tickOne)
      }
      const beside = () =>
        plugin.bash(CHILD, "git stash && npm run b; git stash pop", 0, { during: stashed })
      const during = async () => {
        await plugin.delegate({ lead: LEAD, key: "look", child: "ses_other", during: beside })
      }
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
      await plugin.fallIdle(LEAD)
      expect((await work()).held).toEqual({})
    }))

  test("nor where opencode is killed behind the tick", () =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      await scene.tick("1")
      await scene.byHand(untick)
      const dies = async () => {
        await scene.byHand(tickOne)
        throw new Error("killed")
      }
      await expect(scene.plugin.use(LEAD, "edit", { filePath: PLAN }, dies)).rejects.toThrow()
      await scene.again()
      await say(scene)
      await scene.plugin.fallIdle(LEAD)
      expect(await scene.work()).toMatchObject({ held: { "todo:1": { times: 1 } } })
    }))

  test("an approval lasts through a renumbering", () =>
    inWork(TWO, async ({ root, plugin, edit, tick, work }) => {
      await tick("1")
      await runInFolder(root, "approve todo:1")
      await plugin.fallIdle(LEAD)
      await edit((text) => text.replace("- [x] 1. Do 1\n", "- [ ] 1. New\n- [x] 3. Do 1\n"))
      expect((await work()).completed_count).toBe(1)
    }))

  test("cancelled by the lead over a failed check it is held; by a person it is not", async () => {
    const cancel = (text: string) => text.replace("- [ ] 1.", "- [-] 1.")
    await inWork(ONE, async ({ plugin, edit, work }) => {
      await plugin.bash(LEAD, CHECK, 1)
      expect(await edit(cancel)).toContain(
        "todo:1 is cancelled, but `npm test -- login` last ended",
      )
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
    })
    await inWork(ONE, async ({ plugin, byHand, work }) => {
      await plugin.bash(LEAD, CHECK, 1)
      await byHand(cancel)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    })
    await inWork(
      ONE,
      async ({ plugin, edit, work }) => {
        await plugin.bash(LEAD, CHECK, 1)
        expect(await edit(cancel)).not.toContain("todo:1 is")
        await plugin.fallIdle(LEAD)
        expect((await work()).status).toBe("completed")
      },
      {},
    )
  })

  test("another title each turn is no way around three holds", () =>
    inWork(ONE, async ({ plugin, edit, tick, work }) => {
      await tick("1")
      for (let turn = 0; turn < 5; turn++) {
        await plugin.fallIdle(LEAD)
        if ((await work()).status === "active")
          await edit((text) => text.replace(/Do 1.*/, `Do 1 v${turn}`))
      }
      expect(await work()).toMatchObject({ status: "paused", blocked_count: 1 })
    }))

  test("300 ticks at once settle nothing", () => {
    const checks = Array.from({ length: 300 }, (_, at) => `Verify: \`npm run t${at}\``)
    return inWork(planOf(...checks), async ({ edit, work }) => {
      await edit((text) => text.replaceAll("- [ ]", "- [x]"))
      expect((await work()).completed_count).toBe(0)
    })
  })
})

describe("a check that two tasks share", () => {
  test("the lead's own program, then the run: the tick stands, and the next one does not", () =>
    inWork(SHARED, async ({ plugin, tick, work }) => {
      await plugin.bash(LEAD, "python3 generate.py")
      await plugin.bash(LEAD, "npm test")
      await tick("1")
      expect((await work()).held).toEqual({})
      expect(await tick("2")).toContain("todo:2 is ticked, but `npm test` has not been run for it.")
      expect(Object.keys((await work()).held)).toEqual(["todo:2"])
    }))

  test.each([
    { what: "only looks", act: ({ plugin }: Scene) => plugin.use(LEAD, "read", { filePath: "a" }) },
    { what: "commits", act: ({ plugin }: Scene) => plugin.bash(LEAD, "git commit -am x") },
    {
      what: "writes with a tool that nobody knows",
      act: ({ plugin }: Scene) => plugin.use(LEAD, "serena_replace_body", { body: "x" }),
    },
  ])("the lead $what for the second: its run behind the first tick counts", ({ act }) =>
    inWork(SHARED, async (scene) => {
      const { plugin, tick, work } = scene
      await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await plugin.bash(LEAD, "npm test")
      await tick("1")
      await act(scene)
      await plugin.bash(LEAD, "npm test")
      expect(await tick("2")).not.toContain("is ticked")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }),
  )

  test("a run counts for one tick, and one more for the next", () =>
    inWork(SHARED, async ({ plugin, tick, work }) => {
      await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await plugin.bash(LEAD, "npm test")
      await tick("1")
      await plugin.bash(LEAD, "git status")
      await tick("2")
      expect(Object.keys((await work()).held)).toEqual(["todo:2"])
      await plugin.bash(LEAD, "npm test")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }))

  test("the result came before a restart", () =>
    inWork(SHARED, async (scene) => {
      await delegated(scene, () => scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" }))
      await scene.plugin.fallIdle(LEAD)
      await scene.restart()
      await scene.plugin.say(LEAD, "go on")
      await scene.plugin.bash(LEAD, "npm test")
      await scene.tick("1")
      expect((await scene.work()).held).toEqual({})
    }))
})

describe("what is written behind a run", () => {
  test.each([
    { command: `${CHECK} && echo x > src/a.ts`, tier: "changed" },
    { command: `${CHECK}; sed -i 's/x/y/' src/a.ts`, tier: "claimed" },
    { command: `echo x > src/a.ts && ${CHECK}`, tier: "proven" },
    { command: `${CHECK} > test.log 2>&1 && git add -A`, tier: "proven" },
    { command: `set -o pipefail; ${CHECK} | tee test.log`, tier: "proven" },
  ])("in one command: $command: $tier", ({ command, tier }) =>
    inWork(
      TWO,
      async (scene) => {
        await scene.plugin.use(LEAD, "write", { filePath: "src/a.ts" })
        await scene.plugin.bash(LEAD, command, 0, { during: moved(scene) })
        await scene.tick("1")
        expect(await scene.tier()).toBe(tier)
      },
      {},
    ),
  )

  test("in a later turn, before a restart", () =>
    inWork(ONE, async (scene) => {
      await scene.plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.fallIdle(LEAD)
      await scene.plugin.use(LEAD, "edit", { filePath: "src/a.ts" })
      await scene.plugin.fallIdle(LEAD)
      await scene.restart()
      await scene.plugin.say(LEAD, "go on")
      await scene.tick("1")
      await scene.plugin.fallIdle(LEAD)
      expect([await scene.tier(), (await scene.work()).status]).toEqual(["changed", "active"])
    }))

  test("by a child of a former lead, behind the run of the next one", () =>
    inWork(ONE, async (scene) => {
      const { plugin } = scene
      await delegated(scene, async () => {
        await plugin.use(CHILD, "write", { filePath: "src/a.ts" })
        await plugin.startWork("ses_next", PLAN)
        await plugin.bash("ses_next", CHECK)
        await plugin.use(CHILD, "edit", { filePath: "src/a.ts" })
      })
      await scene.edit(tickOne, "ses_next")
      await plugin.fallIdle("ses_next")
      expect([await scene.tier(), (await scene.work()).status]).toEqual(["changed", "active"])
    }))

  test.each([
    "cd src && sed -i 's/a/b/' a.ts",
    "rm -rf src",
    "git -C . checkout -- src",
    "git reset --hard",
    "git stash pop",
    "git apply x.patch",
    "npx prettier --write src/a.ts",
    "python3 - <<'EOF'\nopen('src/a.ts', 'w')\nEOF",
  ])("by another task's subagent: %j", (command) =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      scene.tree.now = "b"
      await delegated(scene, () => scene.plugin.bash(CHILD, command), "todo:2")
      await scene.tick("1")
      expect(await scene.tier()).toBe("changed")
    }),
  )

  test.each([
    "git commit -am 'Render <LoginForm> once'",
    "git checkout main",
    "git stash list",
    "npm install",
    "npx prettier --check src",
    "echo 'task 1 done' >> notes.md",
    "mkdir -p out && touch out/.keep",
    "cp src/a.ts /tmp/a.ts",
  ])("an honest task is not held for %j of the lead's, the tree as it was", (command) =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      await scene.plugin.bash(LEAD, command)
      expect(await scene.tick("1")).not.toContain("is ticked")
      expect((await scene.work()).held).toEqual({})
    }),
  )

  test("the lead's first write for the next task is none of this one's; a second of its own is", async () => {
    await inWork(TWO, async (scene) => {
      await proven(scene)
      await scene.plugin.use(LEAD, "write", { filePath: "docs/next.md" })
      await scene.tick("1")
      expect((await scene.work()).held).toEqual({})
    })
    await inWork(TWO, async (scene) => {
      await delegated(scene, () => scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" }))
      await scene.plugin.use(LEAD, "edit", { filePath: "src/b.ts" })
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.use(LEAD, "edit", { filePath: "src/b.ts" })
      await scene.tick("1")
      expect(await scene.tier()).toBe("changed")
    })
  })
})

test("what a turn has seen that ends with its opencode counts in the next", () =>
  inWork(TWO, async (scene) => {
    await proven(scene)
    await scene.restart()
    await scene.plugin.say(LEAD, "go on")
    expect(await scene.tick("1")).not.toContain("is ticked")
    expect((await scene.work()).held).toEqual({})
  }))

test("what a subagent has run counts once it is back, though its opencode is killed", () =>
  inWork(TWO, async (scene) => {
    const { plugin: killed } = scene
    await proven(scene)
    const options = { ...REQUIRE, orchestrator_writes: "allow" }
    scene.plugin = openPlugin(scene.root, readOptions(options), ours())
    await scene.plugin.say(LEAD, "go on")
    expect(await scene.tick("1")).not.toContain("is ticked")
    expect((await scene.work()).held).toEqual({})
    await killed.hooks.dispose?.()
  }))

test("what another opencode has seen of the same session counts in the one that goes on", () =>
  inWork(TWO, async (scene) => {
    const { plugin: first } = scene
    await first.fallIdle(LEAD)
    const options = { ...REQUIRE, orchestrator_writes: "allow" }
    scene.plugin = openPlugin(scene.root, readOptions(options), ours())
    const { plugin: second } = scene
    await second.say(LEAD, "go on")
    await proven(scene)
    await scene.tick("1")
    await second.bash(LEAD, "npm run b")
    await second.fallIdle(LEAD)
    scene.plugin = first
    await first.say(LEAD, "go on here")
    expect(await scene.tick("2")).not.toContain("is ticked")
    expect((await scene.work()).held).toEqual({})
    await second.hooks.dispose?.()
  }))

describe("calls that run at once stand in the order in which they begin", () => {
  const write = (scene: Scene) => scene.plugin.use(CHILD, "edit", { filePath: "src/a.ts" })
  const shell = (scene: Scene) =>
    scene.plugin.bash(CHILD, "echo more >> src/a.ts", 0, { during: moved(scene) })
  test.each([
    { what: "by a tool", by: CHILD, during: write },
    { what: "by a shell", by: CHILD, during: shell },
    { what: "by a tool, while the lead checks", by: LEAD, during: write },
  ])("what is written while a check runs was not tested by it: $what", ({ by, during }) =>
    inWork(TWO, async (scene) => {
      await delegated(scene, async () => {
        await write(scene)
        await scene.plugin.bash(by, CHECK, 0, { during: () => during(scene) })
      })
      expect(await scene.tick("1")).toContain("has not been run since src/a.ts was changed")
    }),
  )

  test("a check that begins while a tool still writes has tested that; so has one that another begins before", () =>
    inWork(TWO, async (scene) => {
      const { plugin, tick, work } = scene
      const call = { tool: "write", sessionID: CHILD, callID: "call_write" }
      const args = { filePath: "src/a.ts" }
      await delegated(scene, async () => {
        await plugin.hooks["tool.execute.before"]?.(call, { args })
        await plugin.bash(CHILD, "npm run b", 0, { during: () => plugin.bash(CHILD, CHECK) })
        const result = { title: "", output: "done", metadata: {} }
        await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      })
      expect(await tick("1")).not.toContain("is ticked")
      expect((await work()).held).toEqual({})
    }))

  test("what is written while a check runs was not tested by it, also where another subagent comes back meanwhile", () =>
    inWork(TWO, async (scene) => {
      const { plugin, tick } = scene
      const besides = async () => {
        await write(scene)
        await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_other" })
      }
      await delegated(scene, async () => {
        await write(scene)
        await plugin.bash(CHILD, CHECK, 0, { during: besides })
      })
      expect(await tick("1")).toContain("has not been run since src/a.ts was changed")
    }))

  const other = "ses_other"
  const IN_A_CHECK = "has not been run since src/a.ts was changed"
  const ofOther = ({ plugin }: Scene, during: () => Promise<unknown>) =>
    plugin.delegate({ lead: LEAD, key: "todo:2", child: other, during })
  const next = async (scene: Scene) => {
    await scene.plugin.bash(LEAD, "npm run b")
    await scene.tick("2")
  }
  test.each<{ readonly what: string; readonly besides: (scene: Scene) => Promise<unknown> }>([
    { what: "another task is ticked", besides: next },
    {
      what: "a result comes, and another task is ticked",
      besides: async (scene) => {
        await ofOther(scene, () => scene.plugin.bash(other, "npm run b"))
        await scene.tick("2")
      },
    },
    { what: "the turn ends", besides: (scene) => scene.plugin.fallIdle(LEAD) },
    {
      what: "another task is ticked, and the turn ends",
      besides: async (scene) => {
        await next(scene)
        await scene.plugin.fallIdle(LEAD)
      },
    },
  ])(
    "what is written while a check runs was not tested by it, also where $what meanwhile",
    ({ besides }) =>
      inWork(TWO, async (scene) => {
        const { plugin, tick } = scene
        await delegated(scene, async () => {
          await write(scene)
          const during = async () => {
            await write(scene)
            await besides(scene)
          }
          await plugin.bash(CHILD, CHECK, 0, { during })
        })
        expect(await tick("1")).toContain(IN_A_CHECK)
        await scene.restart()
        expect(await scene.tier()).toBe("changed")
      }),
  )

  test("a run of which nobody knew the plan yet when it began stands where it began", () =>
    inWork(TWO, async (scene) => {
      await delegated(scene, () => write(scene))
      await scene.restart()
      await scene.plugin.say(LEAD, "go on")
      await delegated(scene, () =>
        scene.plugin.bash(CHILD, CHECK, 0, { during: () => write(scene) }),
      )
      expect(await scene.tick("1")).toContain(IN_A_CHECK)
    }))

  test("a call is a line of its own only where something else is written down while it runs", () =>
    inWork(TWO, async (scene) => {
      const { plugin, root, work } = scene
      const { work_id: id } = await work()
      const lines = async () =>
        (await readFile(join(root, ".boulder/works", id, "proof.jsonl"), "utf8"))
          .split("\n")
          .filter(Boolean)
      const before = await lines()
      const idle = async () => {
        await plugin.fallIdle(LEAD)
        expect(await lines()).toEqual(before)
      }
      await plugin.bash(LEAD, CHECK, 0, { during: idle })
      const elsewhere = { filePath: join(root, "..", "else.txt") }
      await plugin.use(LEAD, "write", elsewhere)
      await plugin.use(LEAD, "write", elsewhere)
      await scene.tick("1")
      const kinds = (await lines()).slice(before.length).map((line) => JSON.parse(line).kind)
      expect(kinds).toEqual(["run", "write", "tick"])
    }))

  test("what the lead writes in another opencode while a check runs was not tested by it", () =>
    inWork(TWO, async (scene) => {
      const { plugin: first } = scene
      const options = { ...REQUIRE, orchestrator_writes: "allow" }
      const second = openPlugin(scene.root, readOptions(options), ours())
      await delegated(scene, async () => {
        await write(scene)
        const goesOn = async () => {
          await first.fallIdle(LEAD)
          await second.say(LEAD, "go on")
          await second.use(LEAD, "edit", { filePath: "src/a.ts" })
          await second.fallIdle(LEAD)
        }
        await first.bash(CHILD, CHECK, 0, { during: goesOn })
      })
      await first.fallIdle(LEAD)
      scene.plugin = second
      expect(await scene.tick("1")).toContain(IN_A_CHECK)
      await first.hooks.dispose?.()
    }))

  test("two subagents whose calls have one id are told apart", () =>
    inWork(TWO, async (scene) => {
      const { hooks } = scene.plugin
      const call = (sessionID: string) => ({ tool: "bash", sessionID, callID: "functions.bash:0" })
      const begin = (by: string, command: string) =>
        hooks["tool.execute.before"]?.(call(by), { args: { command } })
      const end = (by: string, command: string) =>
        hooks["tool.execute.after"]?.(
          { ...call(by), args: { command } },
          { title: "", output: "done", metadata: { exit: 0 } },
        )
      const both = async () => {
        await write(scene)
        await begin(CHILD, CHECK)
        await begin(other, "npm run b")
        await write(scene)
        await end(other, "npm run b")
        await end(CHILD, CHECK)
      }
      await delegated(scene, () => ofOther(scene, both))
      expect(await scene.tick("1")).toContain(IN_A_CHECK)
    }))

  test("a call that the host has ended with an error keeps nothing from the disk", () =>
    inWork(TWO, async (scene) => {
      const { plugin, root, work } = scene
      const args = { filePath: "src/a.ts" }
      const failed = { tool: "edit", sessionID: CHILD, callID: "call_failed" }
      await delegated(scene, async () => {
        await plugin.hooks["tool.execute.before"]?.(failed, { args })
        const state = { status: "error", input: args, error: "oldString not found" }
        const part = { type: "tool", ...failed, state }
        const properties = { sessionID: CHILD, part }
        await plugin.hooks.event?.({ event: { type: "message.part.updated", properties } as never })
        await plugin.bash(CHILD, CHECK)
      })
      const { work_id: id } = await work()
      expect(await readFile(join(root, ".boulder/works", id, "proof.jsonl"), "utf8")).toContain(
        '"kind":"run"',
      )
    }))
})

describe("the work tree says what nobody has reported", () => {
  test("also where another task was ticked between the run and that", () =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      await scene.tick("2")
      scene.tree.now = "b"
      await scene.tick("1")
      expect(await scene.tier()).toBe("changed")
    }))

  const held = async (scene: Scene) => {
    await scene.plugin.fallIdle(LEAD)
    return Object.keys((await scene.work()).held)
  }

  test.each([
    `${CHECK} && npx prettier --write src`,
    `${CHECK} && git checkout main`,
    `${CHECK} && node -e "fs.writeFileSync('src/a.ts','')"`,
    `${CHECK} && python3 fix.py`,
    `bash -c '${CHECK}' && ./fix.sh`,
    `git stash && ${CHECK} && git stash pop`,
    `git checkout main && ${CHECK} && git checkout -`,
  ])("the first run ever, with a doubtful write behind it in one command: %j", (command) =>
    inWork(ONE, async (scene) => {
      const { plugin, tick, tree } = scene
      await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await plugin.bash(LEAD, CHECK, 1)
      tree.now = "b"
      const during = command.startsWith("git") ? {} : { during: moved(scene) }
      await plugin.bash(LEAD, command, 0, during)
      await tick("1")
      expect([await scene.tier(), await held(scene)]).toEqual(["changed", ["todo:1"]])
      await plugin.bash(LEAD, CHECK)
      expect(await held(scene)).toEqual([])
    }),
  )

  test.each([
    "python3 fix.py",
    "npm run format",
    "for f in src/*.ts; do sed -i 's/a/b/' $f; done",
    "sed -i 's/a/b/' $(grep -rl a src)",
    "cp -t src /tmp/a.ts",
    "npx prettier --write src",
  ])("behind a passed run, and a file of the lead's own: %j", (command) =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      scene.tree.now = "b"
      await scene.plugin.use(LEAD, "write", { filePath: "docs/next.md" })
      scene.tree.now = "c"
      await scene.plugin.bash(LEAD, command)
      await scene.tick("1")
      expect(await scene.tier()).toBe("changed")
    }),
  )

  describe("where git names the files that a program has changed", () => {
    const GENERATORS = ["python3 gen.py", 'node -e "write()"', "find . -exec touch {} +"]
    test.each(GENERATORS)("another subagent's generator holds nobody: %s", (command) =>
      inWork(TWO, async (scene) => {
        await proven(scene)
        await delegated(
          scene,
          async () => {
            scene.tree.names = ["src/gen.ts"]
            await scene.plugin.bash(CHILD, command, 0, { during: moved(scene) })
            await scene.plugin.bash(CHILD, "npm run b")
          },
          "todo:2",
        )
        expect(await scene.tick("1")).not.toContain("is ticked")
        expect(await scene.tick("2")).not.toContain("is ticked")
      }),
    )

    test.each(GENERATORS)("one that changes the task's own file does: %s", (command) =>
      inWork(TWO, async (scene) => {
        await proven(scene)
        scene.tree.names = ["src/gen.ts", "src/a.ts"]
        const during = () => scene.plugin.bash(CHILD, command, 0, { during: moved(scene) })
        await delegated(scene, during, "todo:2")
        await scene.tick("1")
        expect([await scene.tier(), await held(scene)]).toEqual(["changed", ["todo:1"]])
      }),
    )
  })

  test("by a tool that nobody knows, or by no tool at all", () =>
    inWork(ONE, async (scene) => {
      await proven(scene)
      await scene.plugin.use(LEAD, "serena_replace_body", { body: "x" })
      scene.tree.now = "b"
      expect(await scene.tick("1")).toContain("since the work tree was changed")
      expect(await held(scene)).toEqual(["todo:1"])
    }))

  test("behind a restart: by a writer, and by what was lost with the process", async () => {
    for (const act of ["npx prettier --write src", "npm run b"])
      await inWork(TWO, async (scene) => {
        await proven(scene)
        await scene.plugin.fallIdle(LEAD)
        await scene.restart()
        await scene.plugin.say(LEAD, "go on")
        scene.tree.now = "b"
        await scene.plugin.bash(LEAD, act)
        await scene.tick("1")
        expect([act, await scene.tier()]).toEqual([act, "changed"])
      })
  })

  test.each([
    { what: "notes", act: ["write", { filePath: "PROGRESS.md" }] },
    { what: "a log", act: ["bash", { command: "echo done >> run.log" }] },
    { what: "a commit", act: ["bash", { command: "git add -A && git commit -m 'Do 1'" }] },
    {
      what: "a commit with a text of its own",
      act: ["bash", { command: "git commit -am \"$(cat <<'EOF'\nDo 1\nEOF\n)\"" }],
    },
    { what: "our own files", act: ["write", { filePath: ".boulder/notes.md" }] },
  ] as const)("an honest task is not held for $what behind its run", ({ act: [tool, args] }) =>
    inWork(TWO, async (scene) => {
      await proven(scene)
      scene.tree.now = tool === "write" && args.filePath.startsWith(".boulder") ? "a" : "b"
      if (tool === "bash") await scene.plugin.bash(LEAD, args.command)
      else await scene.plugin.use(LEAD, tool, args)
      expect(await scene.tick("1")).not.toContain("is ticked")
      expect(await held(scene)).toEqual([])
    }),
  )

  test("another subagent's named files hold nobody, and what moves all the time is got over by one more run", () =>
    inWork(TWO, async (scene) => {
      const { plugin, tree, tick } = scene
      await proven(scene)
      await delegated(
        scene,
        async () => {
          tree.now = "b"
          await plugin.use(CHILD, "write", { filePath: "src/b.ts" })
        },
        "todo:2",
      )
      expect(await tick("1")).not.toContain("is ticked")
      await plugin.bash(LEAD, "npm run b")
      // A server that writes its log into the tree.
      tree.now = "c"
      await tick("2")
      tree.now = "d"
      await plugin.bash(LEAD, "npm run b")
      tree.now = "e"
      await plugin.fallIdle(LEAD)
      expect((await scene.work()).status).toBe("completed")
    }))

  test("no check that waits, no look at the tree", () =>
    inWork(TWO, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      await scene.tick("1")
      const { plugin, tree } = scene
      const asked = scene.tree.asked
      tree.now = "b"
      await plugin.use(LEAD, "write", { filePath: "src/b.ts" })
      await plugin.bash(LEAD, "python3 fix.py")
      await plugin.bash(LEAD, "git commit -am x")
      expect(scene.tree.asked).toBe(asked)
      expect(await scene.tier()).toBe("proven")
    }))
})

describe("what stands around a check in its command", () => {
  const act = async (scene: Scene, command: string, how = {}) => {
    await scene.plugin.use(LEAD, "write", { filePath: "src/a.ts" })
    scene.tree.now = "b"
    await scene.plugin.bash(LEAD, command, 0, how)
    const said = await scene.tick("1")
    await scene.plugin.fallIdle(LEAD)
    return `${said.includes("is ticked") ? "told" : "silent"}, ${(await scene.work()).status}`
  }
  const HELD = "told, active"
  const DONE = "silent, completed"

  test.each([
    "npm run lint",
    "python3 report.py",
    "rm -rf coverage",
    "rm -f test.log && git add -A && git commit -m x",
    "npx prettier --write src",
    "git checkout -b next && git push",
  ])("an honest task is not held for %j behind it, the tree as it was before the command", (more) =>
    inWork(ONE, async (scene) => {
      expect(await act(scene, `${CHECK} && ${more}`)).toEqual(DONE)
    }),
  )

  const SED = "sed -i 's/a/b/' src/a.ts"
  test.each([
    `${SED} && ${CHECK} && npm run lint`,
    `${SED} && ${CHECK} && npm run -s lint && npm run build`,
    `${SED} && ${CHECK} && npx tsc --noEmit`,
    `cat > src/a.ts <<'EOF'\nx\nEOF\n${CHECK} && npx eslint src`,
    `set -o pipefail; ${SED} && ${CHECK} 2>&1 | tail -5 && npm run lint 2>&1 | tail -5`,
    `python3 gen.py && ${CHECK} && npm run lint`,
    `${CHECK} && npm run lint`,
  ])(
    "an honest task is not held for what only checks behind a write and its check: %s",
    (command) =>
      inWork(ONE, async (scene) => {
        expect(await act(scene, command, { during: moved(scene) })).toEqual(DONE)
      }),
  )

  test.each([
    `${SED} && ${CHECK} && npm run lint:fix`,
    `${SED} && ${CHECK} && npm run lint -- --fix`,
    `${SED} && ${CHECK} && npx eslint --fix src`,
    `${SED} && ${CHECK} && npx biome check --write`,
    `${SED} && ${CHECK} && npm run format`,
    `${SED} && ${CHECK} && python3 fix.py`,
    `${SED} && ${CHECK} && npm run lint && ${SED}`,
    `${CHECK} && ${SED} && npm run lint`,
  ])("what can have moved the tree behind the check makes it stale: %s", (command) =>
    inWork(ONE, async (scene) => {
      expect(await act(scene, command, { during: moved(scene) })).toEqual(HELD)
      expect(await scene.tier()).toBe("changed")
    }),
  )

  test.each([
    { checks: ["npm run lint"], command: "npm run lint && npm test" },
    { checks: ["npm test", "npx eslint --fix src"], command: "npm test && npx eslint --fix src" },
    { checks: ["npm test", "npm run lint"], command: "npm test && npm run lint" },
  ])("what a check writes itself makes no run stale: $command", ({ checks, command }) =>
    inWork(planOf(`Verify: ${checks.map((one) => `\`${one}\``).join(" and ")}`), async (scene) => {
      expect(await act(scene, command, { during: moved(scene) })).toEqual(DONE)
    }),
  )

  test("nor where the check alone moves the tree, nor for what is behind it right after a restart", async () => {
    await inWork(ONE, async (scene) => {
      const how = { during: moved(scene) }
      expect(await act(scene, `${CHECK} && git add -A && git commit -m x`, how)).toEqual(DONE)
    })
    await inWork(ONE, async (scene) => {
      await scene.plugin.fallIdle(LEAD)
      await scene.restart()
      await scene.plugin.say(LEAD, "go on")
      expect(await act(scene, `${CHECK} && npm run lint`)).toEqual(DONE)
    })
  })

  test("a program behind it that has moved the tree makes it stale, and one more run helps", () =>
    inWork(ONE, async (scene) => {
      const how = { during: moved(scene) }
      expect(await act(scene, `${CHECK} && python3 fix.py`, how)).toEqual(HELD)
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.fallIdle(LEAD)
      expect((await scene.work()).status).toBe("completed")
    }))

  test.each([
    { command: `cd /tmp/other && ${CHECK}`, how: {} },
    { command: `cd .. && ${CHECK}`, how: {} },
    { command: `cd && ${CHECK}`, how: {} },
    { command: `cd "$HOME/other" && ${CHECK}`, how: {} },
    { command: `pushd /tmp/other; ${CHECK}`, how: {} },
    { command: `bash -c 'cd /tmp/other && ${CHECK}'`, how: {} },
    { command: CHECK, how: { workdir: "/tmp/other" } },
    { command: CHECK, how: { workdir: "../other" } },
    { command: `cd app && ${CHECK}`, how: { workdir: "/tmp/other" } },
  ])("$command in the folder $how: another project's", ({ command, how }) =>
    inWork(ONE, async (scene) => {
      expect(await act(scene, command, how)).toEqual(HELD)
      expect(await scene.tier()).toBe("claimed")
    }),
  )

  test("a check that names the other folder itself counts there", () =>
    inWork(planOf("Verify: `cd ../api && npm test`"), async (scene) => {
      expect(await act(scene, "cd ../api && npm test")).toEqual(DONE)
    }))

  const IN_FOLDER = "cd packages/a && npm test"
  test.each([
    { check: IN_FOLDER, command: "npm test", how: { workdir: "packages/a" } },
    { check: IN_FOLDER, command: "CI=1 npm test 2>&1", how: { workdir: "packages/a/" } },
    { check: IN_FOLDER, command: "cd a && npm test", how: { workdir: "packages" } },
    { check: IN_FOLDER, command: "cd ./packages/a; npm test", how: {} },
    { check: IN_FOLDER, command: "cd packages\ncd a\nnpm test", how: {} },
    { check: "(cd packages/a && npm test)", command: "npm test", how: { workdir: "packages/a" } },
    { check: 'cd "packages/a" && npm test', command: "cd packages/a && npm test", how: {} },
    { check: "cd ../api && npm test", command: "npm test", how: { workdir: "../api" } },
  ])("the check $check, in its folder: $command in $how", ({ check, command, how }) =>
    inWork(planOf(`Verify: \`${check}\``), async (scene) => {
      expect(await act(scene, command, how)).toEqual(DONE)
    }),
  )

  test("the same by the folder's whole path", () =>
    inWork(planOf(`Verify: \`${IN_FOLDER}\``), async (scene) => {
      const workdir = join(scene.root, "packages/a")
      expect(await act(scene, "npm test", { workdir })).toEqual(DONE)
    }))

  test.each([
    { command: "npm test", how: {} },
    { command: "npm test", how: { workdir: "packages/b" } },
    { command: "npm test -- login", how: { workdir: "packages/a" } },
    { command: "npm test | tail", how: { workdir: "packages/a" } },
    { command: "cd packages/b && npm test || (cd ../a && npm test)", how: {} },
    { command: "cd packages/b && npm test; cd ../a; npm test", how: {} },
  ])("$command in $how is no run of the check of another folder", ({ command, how }) =>
    inWork(planOf(`Verify: \`${IN_FOLDER}\``), async (scene) => {
      expect(await act(scene, command, how)).toEqual(HELD)
      expect(await scene.tier()).toBe("claimed")
    }),
  )

  test("a program behind such a check that has moved the tree makes it stale", () =>
    inWork(planOf(`Verify: \`${IN_FOLDER}\``), async (scene) => {
      const how = { workdir: "packages/a", during: moved(scene) }
      expect(await act(scene, "npm test && python3 fix.py", how)).toEqual(HELD)
      expect(await scene.tier()).toBe("changed")
    }))

  test("a run in the folder of a check that has failed", () =>
    inWork(planOf(`Verify: \`${IN_FOLDER}\``), async (scene) => {
      await scene.plugin.bash(LEAD, IN_FOLDER)
      await scene.plugin.bash(LEAD, "npm test", 1, { workdir: "packages/a" })
      expect(await scene.tick("1")).toContain("ended with 1")
      expect(await scene.tier()).toBe("failed")
    }))

  test.each([
    { command: `cd app && ${CHECK}`, how: {} },
    { command: `cd "$(git rev-parse --show-toplevel)" && ${CHECK}`, how: {} },
    { command: `cd app/../ && ${CHECK}`, how: {} },
    { command: `(cd /tmp/other && ls); ${CHECK}`, how: {} },
    { command: `bash -c 'cd app && ${CHECK}'`, how: {} },
    { command: CHECK, how: { workdir: "app" } },
    { command: CHECK, how: { workdir: "." } },
    { command: `cd .. && ${CHECK}`, how: { workdir: "app" } },
  ])("$command in the folder $how is the project's own", ({ command, how }) =>
    inWork(ONE, async (scene) => {
      expect(await act(scene, command, how)).toEqual(DONE)
    }),
  )

  test("the project's own folder by its whole path, and by a link to it", () =>
    inWork(TWO, async (scene) => {
      await withFolder(async (other) => {
        const link = join(other, "link")
        await symlink(scene.root, link)
        await scene.plugin.bash(LEAD, `cd ${scene.root} && ${CHECK}`)
        await scene.plugin.bash(LEAD, "npm run b", 0, { workdir: link })
        await scene.tick("1")
        await scene.tick("2")
        await scene.plugin.fallIdle(LEAD)
        expect((await scene.work()).status).toBe("completed")
      })
    }))

  test.each([
    `out=$(${CHECK}); echo "$out"`,
    `echo "$(${CHECK})"`,
    `if ! ${CHECK}; then echo bad; fi`,
    `! ${CHECK}`,
    `${CHECK} || true`,
    `for i in 1 2; do ${CHECK}; done || true`,
  ])("behind a run that has passed, one whose end is hidden leaves a claim: %s", (command) =>
    inWork(ONE, async (scene) => {
      await scene.plugin.bash(LEAD, CHECK)
      expect(await act(scene, command)).toEqual(HELD)
      expect(await scene.tier()).toBe("claimed")
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.fallIdle(LEAD)
      expect((await scene.work()).status).toBe("completed")
    }),
  )

  test.each([
    `echo "run ${CHECK} again"`,
    `git commit -m "$(cat <<'EOF'\n${CHECK}\nEOF\n)"`,
    `grep -q '${CHECK}' README.md && echo yes`,
  ])("behind a run that has passed, what only names it changes nothing: %s", (command) =>
    inWork(ONE, async (scene) => {
      await scene.plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await scene.plugin.bash(LEAD, CHECK)
      await scene.plugin.bash(LEAD, command)
      await scene.tick("1")
      await scene.plugin.fallIdle(LEAD)
      expect((await scene.work()).status).toBe("completed")
    }),
  )
})

describe("the output of a check's own command is no work", () => {
  test.each([
    (check: string) => `${check} > out.log 2>&1`,
    (check: string) => `set -o pipefail; ${check} 2>&1 | tee out.log`,
  ])("two checks into one file: %p", (into) =>
    inWork(planOf(`Verify: \`${CHECK}\` and \`npm run b\``), async ({ plugin, tick, work }) => {
      await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      for (const check of [CHECK, "npm run b"]) await plugin.bash(LEAD, into(check))
      expect(await tick("1")).not.toContain("is ticked")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }),
  )

  test("what another program puts out behind it is", () =>
    inWork(ONE, async (scene) => {
      await scene.plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      const during = moved(scene)
      await scene.plugin.bash(LEAD, `${CHECK} && echo x > src/a.ts`, 0, { during })
      await scene.tick("1")
      expect(await scene.tier()).toBe("changed")
    }))
})

describe("nothing done is not said", () => {
  const WORDS = "nothing was changed and no check was run"
  test.each([
    {
      what: "where the lead's program has changed the tree behind the result",
      act: async (scene: Scene) => {
        await delegated(scene, async () => undefined)
        await scene.plugin.bash(LEAD, "python3 fix.py")
        scene.tree.now = "b"
      },
    },
    {
      what: "where its subagent has written outside of the project",
      act: (scene: Scene) =>
        delegated(scene, () =>
          scene.plugin.use(CHILD, "write", { filePath: "/tmp/x/config.json" }),
        ),
    },
    {
      what: "where its first try has written, before a restart",
      act: async (scene: Scene) => {
        await delegated(scene, () => scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" }))
        await scene.plugin.fallIdle(LEAD)
        await scene.restart()
        await scene.plugin.say(LEAD, "go on")
        await delegated(scene, async () => undefined)
      },
    },
  ])("$what", ({ act }) =>
    inWork(
      TWO,
      async (scene) => {
        await act(scene)
        const said = await scene.tick("1")
        expect(said).not.toContain(WORDS)
        expect(said).toContain("todo:1 is ticked, but")
      },
      {},
    ),
  )

  test.each([REQUIRE, {}])("of the reviews of a final wave: %j", (given) =>
    inWork(
      `${planOf("Verify: `npm test`")}\n## Final Verification Wave\n\n- [ ] F1. Review it\n\n## Validation Commands\n\n- \`npm run lint\`\n`,
      async (scene) => {
        await delegated(scene, async () => {
          await scene.plugin.use(CHILD, "write", { filePath: "src/a.ts" })
          await scene.plugin.bash(CHILD, "npm test && npm run lint")
        })
        await scene.tick("1")
        const review = { lead: LEAD, key: "final-wave:f1", child: "ses_review" }
        await scene.plugin.delegate({ ...review, output: "VERDICT: APPROVE" })
        expect(await scene.tick("F1")).not.toContain("is ticked")
        expect((await scene.work()).held).toEqual({})
      },
      given,
    ),
  )
})

test("a tick is told of once under observe, however often it is set", () =>
  inWork(
    TWO,
    async ({ edit, tick }) => {
      const said = [await tick("1"), await edit(untick), await tick("1")].join("\n")
      expect(said.split("todo:1 is ticked").length - 1).toBe(1)
    },
    {},
  ))
