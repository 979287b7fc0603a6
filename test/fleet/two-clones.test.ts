import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../support/builders.ts"
import { lead, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { type DeskScene, withDesk } from "../support/handoff-scene.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const { machine, seen } = sharedPostgres()
const PLAN = "plans/demo.md"
const OLDER = "## TODOs\n\n- [x] 1. Add the login form\n- [x] 2. Check the password\n"
const NEWER = `${OLDER}- [ ] 3. Send the mail\n`
/** The lead of the work in another clone. */
const leadThere = { ...lead, sessionId: "ses_there", family: ["ses_there"] }

describe("a finished work in a clone whose plan is older", () => {
  /** Another clone blocks a task; then this one, whose work is finished, lists. */
  const listed = async (task: string, here: (scene: DeskScene) => Promise<unknown>) => {
    await withDesk(
      async ({ desk, setPlan }) => {
        await setPlan(NEWER)
        await desk.save(leadThere, saying("blocked", task, "no smtp"))
      },
      { handoffs: machine() },
    )
    await withDesk(
      async (scene) => {
        await here(scene)
        await scene.finish()
        await scene.desk.open("build")
      },
      { handoffs: machine() },
    )
    return seen()
  }

  test("closes nothing of a task that only the other's plan has", async () => {
    expect(await listed("todo:3", ({ setPlan }) => setPlan(OLDER))).toEqual(["no smtp"])
  })

  test("closes its own that its plan has no more, and what its plan says is done", async () => {
    const own = async ({ desk, setPlan }: DeskScene) => {
      await setPlan(NEWER)
      await desk.save(lead, saying("blocked", "todo:3", "its own"))
      await setPlan(OLDER)
    }
    // Both clones mean one record: who has said it last is this clone's lead.
    expect(await listed("todo:3", own)).toEqual([])
    expect(await listed("todo:2", ({ setPlan }) => setPlan(OLDER))).toEqual([])
  })

  test("takes nothing out of the hands of a session there", () =>
    withFolder((here) =>
      withFolder(async (there) => {
        for (const root of [here, there]) await mkdir(join(root, "plans"))
        await writeFile(join(here, PLAN), planOf("Write a", "Write b"))
        await writeFile(join(there, PLAN), planOf("Write a", "Write b", "Write c"))
        const two = openPlugin(there, { handoffs: machine()(Date.now) })
        await two.startWork("ses_there", PLAN)
        const context = { sessionID: "ses_there", agent: "build", messageID: "m", callID: "c" }
        const save = two.hooks.tool?.["save_task_progress"]
        const args = { summary: "c is begun", status: "in_progress", task: "todo:3" }
        await save?.execute(args as never, context as never)
        expect(await seen()).toEqual(["c is begun"])
        const handoffs = machine()(Date.now)
        const one = openPlugin(here, { handoffs })
        await until(async () => ((await handoffs.atOnce?.open())?.handoffs.length ?? 0) > 0)
        await one.startWork(LEAD, PLAN)
        const text = await readFile(join(here, PLAN), "utf8")
        await writeFile(join(here, PLAN), text.replaceAll("[ ]", "[x]"))
        await one.fallIdle(LEAD)
        expect(await readFile(join(here, ".boulder/boulder.json"), "utf8")).toContain("completed")
        // What a hook writes is sent behind it.
        await one.hooks.dispose?.()
        await Bun.sleep(1_500)
        expect(await seen()).toEqual(["c is begun"])
        await two.hooks.dispose?.()
      }),
    ))
})
