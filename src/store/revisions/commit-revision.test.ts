import { expect, test } from "bun:test"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { openFileBoulderStore } from "./file-boulder-store.ts"

test("a revision whose name does not reach the disk is there, and its writer is told", () =>
  withFolder(async (root) => {
    const port = nodeFilePort()
    let [isFailing, isPlaced] = [false, false]
    const files = {
      ...port,
      rename: async (from: string, to: string) => {
        const made = await port.rename(from, to)
        if (to.endsWith("boulder.json")) isPlaced = true
        return made
      },
      syncFolder: (path: string) =>
        isFailing && isPlaced ? Promise.reject(new Error("no power")) : port.syncFolder(path),
    }
    const store = openFileBoulderStore({ root, files })
    await store.update((boulder) => boulder ?? emptyBoulder())
    ;[isFailing, isPlaced] = [true, false]
    const failed = await store
      .update((boulder) => ({ ...(boulder ?? emptyBoulder()), works: {}, x: 1 }))
      .then(() => "", String)
    expect(failed).toContain(
      "It is in place, but a power cut may undo it. Check the disk and the system log.",
    )
    isFailing = false
    expect((await store.read()).boulder).toMatchObject({ x: 1 })
  }))

test("a revision that breaks the schema is not published, and leaves no file", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    await store.update((boulder) => ({ ...boulder, x: 1 }))
    const before = readdirSync(join(root, ".boulder")).toSorted()
    const broken = store.update((boulder) => ({ ...boulder, works: { a: Object() } }))
    await expect(broken).rejects.toMatchObject({ code: "invalid-change" })
    expect(readdirSync(join(root, ".boulder")).toSorted()).toEqual(before)
    expect(await store.update((boulder) => ({ ...boulder, x: 2 }))).toMatchObject({
      boulder: { revision: 2, x: 2 },
    })
  }))

test("the disk is at work while a revision is published, and while the oldest copy is put away", () =>
  withFolder(async (root) => {
    const port = nodeFilePort()
    const told: string[] = []
    const beside = async <Value>(name: string, work: Promise<Value>): Promise<Value> => {
      told.push(`${name} begins`)
      const made = await work
      told.push(`${name} ends`)
      return made
    }
    const step = <Value>(name: string, work: Promise<Value>): Promise<Value> => {
      told.push(name)
      return work
    }
    const nameOf = (path: string) => path.replace(/^.*\.boulder\/?|(?<=json)\.\d+\.[\w-]+/g, "")
    const files: FilePort = {
      ...port,
      createOpen: async (path, text) => {
        const file = await step(`make ${nameOf(path)}`, port.createOpen(path, text))
        return { ...file, sync: () => beside("sync", file.sync()) }
      },
      createText: (path, text) => step(`make ${nameOf(path)}`, port.createText(path, text)),
      link: (from, to) => step(`link ${nameOf(to)}`, port.link(from, to)),
      rename: (from, to) => step(`rename ${nameOf(to)}`, port.rename(from, to)),
      remove: (path) => step(`remove ${nameOf(path)}`, port.remove(path)),
      syncFolder: (path) => beside("sync of names", port.syncFolder(path)),
    }
    const store = openFileBoulderStore({ root, files })
    const write = () => store.update((boulder) => ({ ...boulder, works: { ...boulder.works } }))
    for (let revision = 1; revision < 3; revision++) await write()
    told.length = 0
    await write()
    expect(told).toEqual([
      "make boulder.json.tmp",
      "sync begins",
      "make boulder.json.copy",
      "link boulder.json.r3",
      "remove boulder.json.copy",
      "sync ends",
      "rename boulder.json",
      "sync of names begins",
      "remove boulder.json.r1",
      "sync of names ends",
    ])
  }))

test("who goes on once a change is in place is told when it is on the disk, and whether", () =>
  withFolder(async (root) => {
    const port = nodeFilePort()
    const asked: PromiseWithResolvers<boolean>[] = []
    const syncFolder = () => {
      const one = Promise.withResolvers<boolean>()
      asked.push(one)
      return one.promise
    }
    await openFileBoulderStore({ root }).update((boulder) => ({ ...boulder, x: 0 }))
    const store = openFileBoulderStore({ root, files: { ...port, syncFolder } })
    const told: string[] = []
    const put = (x: number) =>
      store.update(
        (boulder) => ({ ...boulder, x }),
        (onDisk) => {
          onDisk.then(
            () => told.push(`${x} is on the disk`),
            (error) => told.push(`${x} is not: ${error.code}`),
          )
        },
      )
    expect((await put(1)).boulder).toMatchObject({ x: 1 })
    expect((await put(2)).boulder).toMatchObject({ x: 2 })
    expect((await openFileBoulderStore({ root }).read()).boulder).toMatchObject({ x: 2 })
    expect(told).toEqual([])
    // Who changes nothing stands on what is not on the disk yet.
    const same = store.update((boulder) => boulder).then(() => told.push("the same"))
    asked[0]?.resolve(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual(["1 is on the disk"])
    asked[1]?.reject(new Error("no power"))
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual(["1 is on the disk", "2 is not: not-durable"])
    asked[2]?.resolve(true)
    await same
    expect(told).toEqual(["1 is on the disk", "2 is not: not-durable", "the same"])
    await store.update((boulder) => boulder)
    expect(asked.length).toBe(3)
  }))

test("what never came to the disk is not taken for safe by who finds it in place", () =>
  withFolder(async (root) => {
    const disk = { works: true }
    const syncFolder = async () => {
      if (!disk.works) throw new Error("no power")
      return true
    }
    const store = openFileBoulderStore({ root, files: { ...nodeFilePort(), syncFolder } })
    const put = () =>
      store.update((boulder) => (boulder.revision === 2 ? boulder : { ...boulder, x: 1 }))
    await put()
    disk.works = false
    await expect(put()).rejects.toMatchObject({ code: "not-durable" })
    await expect(put()).rejects.toMatchObject({ code: "not-durable" })
    disk.works = true
    expect(await put()).toMatchObject({ changed: false })
  }))

test("a state that somebody else writes without end is left to them, whoever they are", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root, limitMs: 300 })
    await store.update((boulder) => ({ ...(boulder ?? emptyBoulder()), x: 0 }))
    let edits = 0
    const failed = await store
      .update((boulder) => {
        const edited = { ...(boulder ?? emptyBoulder()), x: edits++ }
        writeFileSync(join(root, ".boulder", "boulder.json"), JSON.stringify(edited))
        return { ...edited, y: 1 }
      })
      .then(() => "", String)
    expect(failed).toMatch(/found other processes faster \d+ times/)
  }))
