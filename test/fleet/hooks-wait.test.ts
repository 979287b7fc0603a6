import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { claimHandoff } from "../../src/boulder/handoff-changes.ts"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { LEAD } from "../support/builders.ts"
import { keptIn, other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { aHandoff, anActor } from "../support/handoff-builders.ts"
import { withDesk } from "../support/handoff-scene.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const context = { sessionID: LEAD, agent: "build", messageID: "m", callID: "c" }

async function withPlan(run: (root: string) => Promise<void>): Promise<void> {
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    await run(root)
  })
}

/** A plugin whose database never answers anything, however long one waits for it. */
async function withMute(
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
): Promise<void> {
  const mute = Promise.withResolvers<string>()
  const database = openDatabase({ url: () => mute.promise, root: "/" })
  await withPlan(async (root) => {
    const handoffs = openPostgresHandoffStore({ database, scope: "team", now: Date.now })
    const plugin = openPlugin(root, { handoffs })
    await run(plugin, root)
    // A hook that waits is let go by its time limit, and the log says so.
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
  mute.reject(new Error("The test is over."))
}

async function save(plugin: PluginInProcess, args: object): Promise<string> {
  const tool = plugin.hooks.tool?.["save_task_progress"]
  return JSON.stringify(await tool?.execute(args as never, context as never))
}

describe("no hook waits for a database that never answers", () => {
  test("/start-work begins", () =>
    withMute(async (plugin) => {
      expect(await plugin.startWork(LEAD, PLAN)).toContain("Write a")
    }))

  test("the idle loop goes on", () =>
    withMute(async (plugin) => {
      await plugin.startWork(LEAD, PLAN)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
    }))

  test("the idle loop completes a work", () =>
    withMute(async (plugin, root) => {
      await plugin.startWork(LEAD, PLAN)
      const text = await readFile(join(root, PLAN), "utf8")
      await writeFile(join(root, PLAN), text.replaceAll("[ ]", "[x]"))
      await plugin.fallIdle(LEAD)
      const boulder = JSON.parse(await readFile(join(root, ".boulder/boulder.json"), "utf8"))
      expect(JSON.stringify(boulder)).toContain('"completed"')
    }))

  test("a message of the user's is received, and tools are called", () =>
    withMute(async (plugin) => {
      await plugin.say("ses_new", "hello")
      await plugin.startWork(LEAD, PLAN)
      await plugin.say(LEAD, "hello")
      expect(await plugin.bash(LEAD, "true")).toBe("done")
    }))

  test("a save marks the plan, and is kept", () =>
    withMute(async (plugin, root) => {
      await plugin.startWork(LEAD, PLAN)
      const said = await save(plugin, { summary: "s", status: "complete", task: "todo:1" })
      expect(said).toContain("todo:1 is marked done in the plan.")
      expect(await readFile(join(root, PLAN), "utf8")).toContain("- [x] 1. Write a")
      expect(await keptIn(root)).toHaveLength(1)
    }))
})

describe("what hooks know of other machines", () => {
  const { machine } = sharedPostgres()

  test("what other machines hold is known to the hooks once it was asked for, and theirs is sent behind them", () =>
    withDesk(
      async ({ desk: there }) => {
        const saved = await there.save(
          other("ses_there"),
          saying("blocked", "the importer", "stuck"),
        )
        const id = saved.kind === "saved" ? saved.handoff.id : ""
        await withPlan(async (root) => {
          const handoffs = machine()(Date.now)
          const plugin = openPlugin(root, { handoffs })
          const { atOnce } = handoffs
          await until(async () => ((await atOnce?.open())?.handoffs.length ?? 0) > 0)
          expect(await plugin.startWork(LEAD, PLAN)).toContain(id)
          // A lease that another has by now is renewed by nobody's hook.
          await there.get(other("ses_there"), id, true)
          await until(async () => (await atOnce?.open())?.handoffs[0]?.claim !== null)
          const theirs = await atOnce?.update(id, (handoff) =>
            handoff.claim?.session_id === "ses_there" ? "not-held" : handoff,
          )
          expect(theirs).toMatchObject({ kind: "refused", reason: "not-held" })
          const at = new Date().toISOString()
          await atOnce?.update(id, (handoff) => ({ ...handoff, claim: null, settled_at: at }))
          expect((await atOnce?.open())?.handoffs).toEqual([])
          await until(async () => (await machine()(Date.now).open()).handoffs.length === 0)
          await plugin.hooks.dispose?.()
        })
      },
      { handoffs: machine() },
    ))

  test.each([{ waits: true }, { waits: false }])(
    "what a session holds lasts on while it works behind a new start, also from before the database has answered (waits for it: $waits)",
    ({ waits }) =>
      withPlan(async (root) => {
        const saved = aHandoff({ scope: { project: "team", agent: "build" } })
        const plain = machine()(Date.now)
        await plain.create(() => saved)
        // Its lease is five minutes old when its session works again.
        await plain.update(saved.id, (handoff, now) =>
          claimHandoff(anActor("ses_holds", { leaseMs: 1_800_000 }))(handoff, now - 300_000),
        )
        const claimedAt = async () => (await plain.read(saved.id))?.claim?.claimed_at
        const before = await claimedAt()
        const handoffs = machine()(Date.now)
        const plugin = openPlugin(root, { handoffs })
        const isKnown = async () => ((await handoffs.atOnce?.open())?.handoffs.length ?? 0) > 0
        if (waits) await until(isKnown)
        await plugin.say("ses_holds", "go on")
        await until(isKnown)
        await plugin.bash("ses_holds", "true")
        await until(async () => (await claimedAt()) !== before)
        expect((await plain.read(saved.id))?.claim?.session_id).toBe("ses_holds")
        await plugin.hooks.dispose?.()
      }),
  )

  test("what an ended process kept is sent by the start of the next one", () =>
    withPlan(async (root) => {
      const mute = Promise.withResolvers<string>()
      const database = openDatabase({ url: () => mute.promise, root: "/" })
      const deaf = openPostgresHandoffStore({ database, scope: "team", now: Date.now })
      const ended = openPlugin(root, { handoffs: deaf })
      await save(ended, { summary: "kept", status: "in_progress", task: "the importer" })
      expect(await keptIn(root)).toHaveLength(1)
      const next = openPlugin(root, { handoffs: machine()(Date.now) })
      await until(async () => (await keptIn(root)).length === 0)
      const { handoffs } = await machine()(Date.now).open()
      expect(handoffs.map(({ summary }) => summary)).toEqual(["kept"])
      await next.hooks.dispose?.()
      mute.reject(new Error("The test is over."))
    }))
})
