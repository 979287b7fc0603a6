import { describe, expect, test } from "bun:test"
import type { Handoff } from "../../src/boulder/handoff.ts"
import { claimHandoff, renewHandoff, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  SECOND,
  someProgress,
  THIRD,
  timed,
} from "./handoff-builders.ts"

/** A place for the handoffs of two projects. Every `open` gives another store on the same state. */
export interface HandoffPlace {
  open(project?: "one" | "two"): HandoffStore
  /** The name that records of a project carry. */
  scope(project?: "one" | "two"): string
}

/** What every HandoffStore does, wherever it keeps its records. */
export function describeHandoffStore(
  name: string,
  withPlace: (run: (place: HandoffPlace) => Promise<void>) => Promise<void>,
): void {
  const check = (what: string, run: (place: HandoffPlace) => Promise<void>) =>
    test(what, () => withPlace(run))
  const inScope = ({ scope }: HandoffPlace, given: Partial<Handoff> = {}): Handoff =>
    aHandoff({ scope: { project: scope(), agent: "build" }, ...given })
  const complete = timed(2, saveHandoff(anActor(SECOND), someProgress({ status: "complete" })))

  describe(`${name}: contract of handoffs`, () => {
    check("knows nothing at first", async ({ open }) => {
      const store = open()
      expect(await store.open()).toMatchObject({ handoffs: [], unreadable: [] })
      expect(await store.read(idOf(1))).toBeNull()
      expect(await store.lastOf(FIRST)).toBeNull()
      expect(await store.update(idOf(1), timed(0, claimHandoff(anActor(SECOND))))).toEqual({
        kind: "missing",
      })
    })

    check("gives back what was created, to every store of the project", async (place) => {
      const handoff = inScope(place)
      expect(await place.open().create(() => handoff)).toEqual(handoff)
      expect(await place.open().read(handoff.id)).toEqual(handoff)
      expect((await place.open().open()).handoffs).toEqual([handoff])
    })

    check("takes an id once", async (place) => {
      const store = place.open()
      expect(await store.create(() => inScope(place))).not.toBeNull()
      expect(await store.create(() => inScope(place, { summary: "another" }))).toBeNull()
      expect((await store.read(idOf(1)))?.summary).toBe("half done")
      await store.update(idOf(1), complete)
      expect(await store.create(() => inScope(place))).toBeNull()
    })

    check("gives a change the newest record, and keeps what it returns", async (place) => {
      const [one, two] = [place.open(), place.open()]
      await one.create(() => inScope(place))
      await two.update(idOf(1), timed(1, claimHandoff(anActor(SECOND))))
      const seen: (string | undefined)[] = []
      await one.update(idOf(1), (handoff) => {
        seen.push(handoff.claim?.session_id)
        return { ...handoff, summary: "more" }
      })
      expect(seen).toEqual([SECOND])
      expect(await two.read(idOf(1))).toMatchObject({
        summary: "more",
        claim: { session_id: SECOND },
      })
    })

    check(
      "gives the maker of a record and its changes its own time, which never runs back",
      async (place) => {
        const store = place.open()
        const times: number[] = []
        const { now } = await store.open()
        await store.create((at) => {
          times.push(at)
          return inScope(place)
        })
        await store.update(idOf(1), (handoff, at) => {
          times.push(at)
          return handoff
        })
        const seen = [now, ...times, (await place.open().open()).now]
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      },
    )

    check("writes nothing for a reason, and gives it with the record", async (place) => {
      const store = place.open()
      await store.create(() => inScope(place))
      await store.update(idOf(1), timed(0, claimHandoff(anActor(SECOND))))
      const refused = await store.update(idOf(1), timed(0, claimHandoff(anActor(THIRD))))
      expect(refused).toMatchObject({ kind: "refused", reason: "held-by-other" })
      expect(refused.kind === "refused" && refused.handoff.claim?.session_id).toBe(SECOND)
      expect((await store.read(idOf(1)))?.claim?.session_id).toBe(SECOND)
    })

    check("of claims at once exactly one is given", async (place) => {
      await place.open().create(() => inScope(place))
      const claims = Array.from({ length: 8 }, (_, index) =>
        place.open().update(idOf(1), timed(0, claimHandoff(anActor(`ses_racer${index}`)))),
      )
      const kinds = (await Promise.all(claims)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === "changed")).toHaveLength(1)
      expect(kinds.filter((kind) => kind === "refused")).toHaveLength(7)
    })

    check("a settled record is not open, can be read, and never changes", async (place) => {
      const store = place.open()
      await store.create(() => inScope(place))
      expect((await store.update(idOf(1), complete)).kind).toBe("changed")
      expect((await store.open()).handoffs).toEqual([])
      expect((await place.open().read(idOf(1)))?.settled_at).not.toBeNull()
      const asked: string[] = []
      const again = await store.update(idOf(1), (handoff) => {
        asked.push(handoff.id)
        return handoff
      })
      expect(again).toMatchObject({ kind: "refused", reason: "settled" })
      expect(asked).toEqual([])
    })

    check("a record that is complete at once is settled at once", async (place) => {
      const store = place.open()
      const settled_at = "2026-11-21T12:00:00.000Z"
      await store.create(() => inScope(place, { status: "complete", settled_at }))
      expect((await store.open()).handoffs).toEqual([])
      expect((await store.read(idOf(1)))?.settled_at).toBe(settled_at)
    })

    check("gives the record that a session was last heard in", async (place) => {
      const store = place.open()
      const at = (hour: number) => `2026-11-21T${hour}:00:00.000Z`
      await store.create(() => inScope(place, { id: idOf(1), updated_at: at(12) }))
      await store.create(() => inScope(place, { id: idOf(2), updated_at: at(14) }))
      await store.create(() =>
        inScope(place, { id: idOf(3), updated_at: at(13), session_id: SECOND }),
      )
      expect((await store.lastOf(FIRST))?.id).toBe(idOf(2))
      expect((await store.lastOf(SECOND))?.id).toBe(idOf(3))
      expect(await store.lastOf(THIRD)).toBeNull()
      for (const id of [idOf(1), idOf(2)]) await store.update(id, complete)
      await store.update(idOf(3), complete)
      expect((await store.lastOf(FIRST))?.session_id).toBe(SECOND)
    })

    check("gives nothing of another project, whatever is asked", async (place) => {
      await place.open("one").create(() => inScope(place))
      const other = place.open("two")
      expect((await other.open()).handoffs).toEqual([])
      expect(await other.read(idOf(1))).toBeNull()
      expect(await other.lastOf(FIRST)).toBeNull()
      expect(await other.update(idOf(1), timed(0, claimHandoff(anActor(SECOND))))).toEqual({
        kind: "missing",
      })
      expect(other.create(() => inScope(place, { id: idOf(2) }))).rejects.toThrow(
        "Expected a handoff of project",
      )
      expect((await place.open("one").read(idOf(1)))?.claim).toBeNull()
    })

    const badIds = [
      "",
      "hnd_",
      "../boulder",
      "hnd_../../../etc",
      `${idOf(1)}/x`,
      "hnd_short",
      "__proto__",
    ]
    for (const bad of badIds)
      check(`takes no id of another form: ${bad}`, async ({ open }) => {
        expect(await open().read(bad)).toBeNull()
        expect(await open().update(bad, timed(0, claimHandoff(anActor(SECOND))))).toEqual({
          kind: "missing",
        })
      })

    check("keeps a long life whole: claims, renewals, saves", async (place) => {
      const store = place.open()
      await store.create(() => inScope(place))
      for (let round = 0; round < 12; round++) {
        const session = `ses_round${round}`
        const start = round * 120
        await store.update(idOf(1), timed(start, claimHandoff(anActor(session))))
        await store.update(idOf(1), timed(start + 20, renewHandoff(anActor(session))))
        await store.update(
          idOf(1),
          timed(start + 21, saveHandoff(anActor(session), someProgress())),
        )
      }
      const handoff = await place.open().read(idOf(1))
      expect(handoff).toMatchObject({ attempts: 13, session_id: "ses_round11", claim: null })
      expect(handoff?.history).toHaveLength(12)
    })
  })
}
