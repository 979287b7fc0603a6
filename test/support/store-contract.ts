import { describe, expect, test } from "bun:test"
import type { Boulder } from "../../src/boulder/boulder.ts"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { aWork, countOf, countUp, sumOf } from "./store-boulders.ts"

/** A place for stores. Every `open` gives another store on the same state. */
export interface StorePlace {
  open(): BoulderStore
}

/** What every BoulderStore does, wherever it keeps its state. */
export function describeBoulderStore(
  name: string,
  withPlace: (run: (place: StorePlace) => Promise<void>) => Promise<void>,
): void {
  const check = (what: string, run: (place: StorePlace) => Promise<void>) =>
    test(what, () => withPlace(run))

  describe(`${name}: contract`, () => {
    check("reads null when nothing was ever stored", async ({ open }) => {
      expect(await open().read()).toEqual({ boulder: null, notices: [] })
    })

    check("gives the first change an empty boulder", async ({ open }) => {
      const seen: Boulder[] = []
      const update = await open().update((boulder) => {
        seen.push(boulder)
        return countUp("a")(boulder)
      })
      expect(seen).toEqual([{ schema_version: 3, revision: 0, works: {} }])
      expect(update.changed).toBe(true)
      expect(update.boulder.revision).toBe(1)
    })

    check("writes nothing for the same object, and says so", async ({ open }) => {
      const store = open()
      expect((await store.update((boulder) => boulder)).changed).toBe(false)
      expect((await store.read()).boulder).toBeNull()
      await store.update(countUp("a"))
      const update = await store.update((boulder) => boulder)
      expect(update).toMatchObject({ changed: false, boulder: { revision: 1 } })
    })

    check("shows an acknowledged change to every store on the same state", async ({ open }) => {
      const [one, two] = [open(), open()]
      const { boulder } = await one.update(countUp("a"))
      expect((await two.read()).boulder).toEqual(boulder)
      await two.update(countUp("a"))
      expect(countOf((await one.read()).boulder, "a")).toBe(2)
    })

    check("tells what it has handed out from what was written since", async ({ open }) => {
      const [one, two] = [open(), open()]
      const { boulder } = await one.update(countUp("a"))
      expect(await one.isNewest(boulder)).toBe(true)
      const unchanged = await one.update((before) => before)
      expect(await one.isNewest(unchanged.boulder)).toBe(true)
      const after = await two.update(countUp("a"))
      expect(await one.isNewest(boulder)).toBe(false)
      expect(await two.isNewest(after.boulder)).toBe(true)
    })

    check("keeps what it has read for as long as nobody has written since", async ({ open }) => {
      const [one, two] = [open(), open()]
      expect(one.kept()).toBeNull()
      await one.update(countUp("a"))
      const { boulder } = await one.read()
      expect([boulder, null]).toContain(one.kept())
      await two.update(countUp("a"))
      expect(one.kept()).not.toBe(boulder)
    })

    check("raises the revision by one, whatever the change says of it", async ({ open }) => {
      const store = open()
      await store.update((boulder) => ({ ...boulder, revision: 900 }))
      expect((await store.update(countUp("a"))).boulder.revision).toBe(2)
    })

    check("loses none of many changes at once", async ({ open }) => {
      const stores = [open(), open(), open()]
      const all = stores.flatMap((store) => Array.from({ length: 10 }, () => store))
      await Promise.all(all.map((store, index) => store.update(countUp(`w${index % 4}`))))
      const { boulder } = await open().read()
      expect(boulder?.revision).toBe(30)
      expect(sumOf(boulder)).toBe(30)
    })

    check("refuses a change that breaks the schema, and keeps the old state", async ({ open }) => {
      const store = open()
      await store.update(countUp("a"))
      const broken = store.update((boulder) => ({
        ...boulder,
        works: { a: { ...aWork("a"), lead_session_id: "no session" } },
      }))
      await expect(broken).rejects.toMatchObject({ name: "StoreError", code: "invalid-change" })
      await broken.catch(() => undefined)
      expect((await store.read()).boulder?.revision).toBe(1)
      expect((await store.update(countUp("a"))).boulder.revision).toBe(2)
    })

    check("refuses reserved keys", async ({ open }) => {
      const works = JSON.parse('{"constructor": 1}')
      const broken = open().update((boulder) => ({ ...boulder, works }))
      await expect(broken).rejects.toMatchObject({ code: "invalid-change" })
      await broken.catch(() => undefined)
    })

    check("lets the change's own throw through and goes on", async ({ open }) => {
      const store = open()
      const thrown = store.update(() => {
        throw new RangeError("no")
      })
      await expect(thrown).rejects.toThrow(new RangeError("no"))
      await thrown.catch(() => undefined)
      expect((await store.update(countUp("a"))).boulder.revision).toBe(1)
    })
  })
}
