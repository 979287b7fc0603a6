import { expect, test } from "bun:test"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { NOW } from "../../../test/support/builders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { LiveView } from "../../boulder/live-view.ts"
import { type FileRights, nodeFilePort } from "../disk/file-port.ts"
import { openProcessLife } from "../disk/process-life.ts"
import { newWriteId, ownIdentity } from "../disk/writer-identity.ts"
import { openLiveFiles } from "./live-files.ts"

const OWN = await ownIdentity()
const DEAD = newWriteId({ ...OWN, pid: 2 ** 22 + 7 })
const view = (writer: string): LiveView => ({
  version: 1,
  writer,
  at: new Date(NOW).toISOString(),
  problems: [],
  works: [],
})
const withBoulder = (run: (root: string, folder: string) => Promise<void>) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder"))
    await run(root, join(root, ".boulder", "live"))
  })

test("a view is read by any process, until its own ends or falls silent", () =>
  withBoulder(async (root) => {
    const files = openLiveFiles({ root })
    const writer = newWriteId(OWN)
    await files.write(view(writer))
    const alive = async (ms: number) => (await files.readAll(NOW + ms)).map((one) => one.isAlive)
    expect(await alive(0)).toEqual([true])
    expect(await alive(60_000)).toEqual([false])
    await files.remove(writer)
    expect(await alive(0)).toEqual([])
  }))

test.each([
  { what: "another container", who: { ...OWN, machine: "0badcafe" } },
  // As on macOS: the pid may be another program's by now.
  { what: "a start that nobody knows", who: { ...OWN, pid: process.ppid, started: "0" } },
])("a process of $what is another one as long as it shows a view", ({ who }) =>
  withBoulder(async (root) => {
    const files = openLiveFiles({ root })
    const container = newWriteId(who)
    const isElsewhere = async (ms: number) => {
      const life = await openProcessLife("", (writer) => files.isHeard(writer, NOW + ms))
      return life.isElsewhere(container)
    }
    expect(await isElsewhere(0)).toBe(false)
    await files.write(view(container))
    expect(await isElsewhere(0)).toBe(true)
    // It was killed: nobody has taken its view away.
    expect(await isElsewhere(60_000)).toBe(false)
    await files.remove(container)
    expect(await isElsewhere(0)).toBe(false)
  }),
)

test("another opencode is there as long as its process lives, in this one that of another folder", async () => {
  const told = await readFile(`/proc/${process.ppid}/stat`, "utf8")
  const [, started = ""] = /\) .(?: -?\d+){18} (\d+)/.exec(told) ?? []
  const parent = newWriteId({ ...OWN, pid: process.ppid, started })
  const { id, isElsewhere } = await openProcessLife("/a")
  const [same, below] = [await openProcessLife("/a"), await openProcessLife("/a/b")]
  const said = await Promise.all([below.id, parent, same.id, id, DEAD, null].map(isElsewhere))
  expect(said).toEqual([true, true, false, false, false, false])
})

test("the first write of a process removes what dead ones have left, torn files too", () =>
  withBoulder(async (root, folder) => {
    await mkdir(folder)
    for (const name of [`${DEAD}.json`, `${DEAD}.${DEAD}.tmp`, "notes.json"])
      await writeFile(join(folder, name), JSON.stringify(view(DEAD)))
    expect((await openLiveFiles({ root }).readAll(NOW)).map((one) => one.isAlive)).toEqual([
      false,
      false,
    ])
    const writer = newWriteId(OWN)
    await openLiveFiles({ root }).write(view(writer))
    expect((await readdir(folder)).sort()).toEqual([`${writer}.json`, "notes.json"])
  }))

test("the first write of a process removes what others have left long ago: a container is not seen to end", () =>
  withBoulder(async (root, folder) => {
    await mkdir(folder)
    const [old, late] = ["1", "2"].map((started) =>
      newWriteId({ ...OWN, started, machine: "0badcafe" }),
    )
    for (const [id = "", hours] of [
      [old, 25],
      [late, 23],
    ] as const) {
      const at = new Date(NOW - hours * 3_600_000).toISOString()
      await writeFile(join(folder, `${id}.json`), JSON.stringify({ ...view(id), at }))
    }
    const writer = newWriteId(OWN)
    await openLiveFiles({ root }).write(view(writer))
    expect((await readdir(folder)).sort()).toEqual([`${writer}.json`, `${late}.json`].sort())
  }))

test("what is torn, foreign or a link is left out", () =>
  withBoulder(async (root, folder) => {
    await mkdir(folder)
    await writeFile(join(folder, "a.json"), '{"version":1,"wri')
    await writeFile(join(root, "outside"), JSON.stringify(view(DEAD)))
    await symlink("/etc/passwd", join(folder, "b.json"))
    await writeFile(join(folder, "c.json"), " ".repeat(600 * 1_024))
    expect(await openLiveFiles({ root }).readAll(NOW)).toEqual([])
  }))

test("nothing is made where .boulder is not there, and nothing through a link in the folder's place", () =>
  withFolder(async (root) => {
    const files = openLiveFiles({ root })
    await files.write(view(newWriteId(OWN)))
    expect(await readdir(root)).toEqual([])
    await mkdir(join(root, ".boulder"))
    await mkdir(join(root, "elsewhere"))
    await symlink(join(root, "elsewhere"), join(root, ".boulder", "live"))
    await expect(files.write(view(newWriteId(OWN)))).rejects.toThrow("folder of its own")
    expect(await readdir(join(root, "elsewhere"))).toEqual([])
  }))

test("a view is never synced: nothing of it is worth the wait", () =>
  withBoulder(async (root, folder) => {
    const files = nodeFilePort()
    const synced: string[] = []
    const sync = async (path: string): Promise<boolean> => {
      synced.push(path)
      return true
    }
    const counting = {
      ...files,
      syncFile: sync,
      syncFolder: sync,
      createOpen: async (path: string, text: string, rights?: FileRights) => ({
        ...(await files.createOpen(path, text, rights)),
        sync: async () => void (await sync(path)),
      }),
    }
    const live = openLiveFiles({ root, files: counting })
    const writer = newWriteId(OWN)
    await live.write(view(writer))
    await live.write({ ...view(writer), problems: ["other"] })
    expect((await live.readAll(NOW))[0]?.view.problems).toEqual(["other"])
    expect(synced.filter((path) => path.startsWith(folder))).toEqual([])
  }))
