import { describe, expect, test } from "bun:test"
import { keptIn, lead, other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { type DeskScene, withDesk } from "../support/handoff-scene.ts"

const server = sharedPostgres()
const { machine } = server
const ONE_DONE = "- [x] 1. Add the login form"
const TWO_DONE = "- [x] 2. Check the password"

const unnamed = (status: "in_progress" | "blocked" | "complete", summary: string) => ({
  ...saying(status, "", summary),
  task: null,
})

/** A dead server's children may still answer once. */
const goneFor = async ({ desk }: Pick<DeskScene, "desk">) => {
  await server.kill()
  await until(async () => (await desk.open("build")).old !== undefined)
}

const allSent = async ({ root }: Pick<DeskScene, "root">) => {
  await server.start()
  await until(async () => (await keptIn(root)).length === 0)
}

const idOf = (outcome: Awaited<ReturnType<DeskScene["desk"]["save"]>>): string =>
  outcome.kind === "saved" ? outcome.handoff.id : ""

describe.each([{ isAway: false }, { isAway: true }])(
  "a save without a name is about what its session has taken up last (database away: $isAway)",
  ({ isAway }) => {
    const begunTwo = async (scene: DeskScene) => {
      await scene.desk.save(lead, saying("in_progress", "todo:1"))
      if (isAway) await goneFor(scene)
      await scene.desk.save(lead, unnamed("complete", "one is done"))
      await scene.desk.save(lead, saying("in_progress", "todo:2"))
    }

    test("completed", () =>
      withDesk(
        async (scene) => {
          await begunTwo(scene)
          const said = await scene.desk.save(lead, unnamed("complete", "two is done"))
          expect(said).toMatchObject({ handoff: { task_key: "todo:2" } })
          if (isAway) await allSent(scene)
          expect(await scene.plan()).toContain(ONE_DONE)
          expect(await scene.plan()).toContain(TWO_DONE)
          expect(await server.seen()).toEqual([])
        },
        { handoffs: machine() },
      ))

    test("blocked: what was done before stays done", () =>
      withDesk(
        async (scene) => {
          await begunTwo(scene)
          await scene.desk.save(lead, unnamed("blocked", "two has no key"))
          if (isAway) await allSent(scene)
          expect(await scene.plan()).toContain(ONE_DONE)
          expect(await scene.plan()).toContain("- [~] 2. Check the password")
          expect(await server.seen()).toEqual(["two has no key"])
        },
        { handoffs: machine() },
      ))
  },
)

test("another process of the folder knows what was kept there", () =>
  withDesk(
    async (scene) => {
      await scene.desk.save(lead, saying("in_progress", "todo:1"))
      await goneFor(scene)
      await scene.desk.save(lead, unnamed("complete", "one is done"))
      await scene.desk.save(lead, saying("in_progress", "todo:2"))
      const next = scene.another({ handoffs: machine() })
      expect(await next.save(lead, unnamed("complete", "two is done"))).toMatchObject({
        handoff: { task_key: "todo:2" },
      })
      await allSent(scene)
      expect(await scene.plan()).toContain(ONE_DONE)
      expect(await scene.plan()).toContain(TWO_DONE)
      expect(await server.seen()).toEqual([])
    },
    { handoffs: machine() },
  ))

test("a kept save without a name is about the record that it was about, whatever its session takes up next", () =>
  withDesk(
    async (scene) => {
      const { desk } = scene
      const [first = "", second = ""] = await Promise.all(
        ["the importer", "the exporter"].map(async (name) =>
          idOf(await desk.save(other("ses_x"), saying("blocked", name, name))),
        ),
      )
      await desk.get(other("ses_a"), first, true)
      await goneFor(scene)
      expect(await desk.save(other("ses_a"), unnamed("complete", "imported"))).toMatchObject({
        handoff: { id: first },
      })
      await server.start()
      // Its session goes on with the next one of the list that it has, perhaps before the save is sent.
      await until(
        async () => (await desk.get(other("ses_a"), second, true).catch(() => null)) !== null,
      )
      await until(async () => (await keptIn(scene.root)).length === 0)
      expect(await server.seen()).toEqual(["the exporter"])
    },
    { handoffs: machine() },
  ))

describe("nobody is given a task that another machine may be given too", () => {
  test("by a claim or by a save, on two machines", () =>
    withDesk(
      async (here) => {
        const id = idOf(await here.desk.save(other("ses_x"), saying("blocked", "the importer")))
        await withDesk(
          async (there) => {
            await there.desk.open("build")
            await goneFor(here)
            await goneFor(there)
            for (const { desk, root } of [here, there]) {
              await expect(desk.get(other("ses_a"), id, true)).rejects.toThrow("the handoffs")
              await expect(desk.save(other("ses_a"), saying("in_progress", id))).rejects.toThrow(
                `Nothing was saved: another machine may hold ${id} by now. Try again later, or take another task.`,
              )
              expect(await keptIn(root)).toEqual([])
            }
          },
          { handoffs: machine() },
        )
      },
      { handoffs: machine() },
    ))

  test("but who holds one goes on, and who opens one begins it", () =>
    withDesk(
      async (scene) => {
        const { desk } = scene
        const id = idOf(await desk.save(other("ses_x"), saying("blocked", "the importer")))
        await desk.get(other("ses_a"), id, true)
        await goneFor(scene)
        for (const [caller, task] of [
          [other("ses_a"), id],
          [lead, "todo:1"],
        ] as const)
          expect(await desk.save(caller, saying("in_progress", task))).toMatchObject({
            kind: "saved",
            kept: expect.anything(),
          })
        await desk.save(lead, saying("blocked", "todo:1"))
        await desk.save(lead, saying("in_progress", "todo:1", "again"))
        await allSent(scene)
        expect(await server.seen()).toEqual(["again", "in_progress"])
      },
      { handoffs: machine() },
    ))
})
