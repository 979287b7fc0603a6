import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import process from "node:process"
import type { Boulder } from "../../src/boulder/boulder.ts"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { countOf, countUp, sumOf } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"
import { hookedPort } from "../support/store-port-hooks.ts"

const file = (root: string) => join(root, ".boulder", "boulder.json")
const names = (root: string) => readdir(join(root, ".boulder"))

async function count(store: BoulderStore, times: number): Promise<void> {
  for (let done = 0; done < times; done++) await store.update(countUp("w"))
}

/** A server that listens at the path, so that a socket stands there. */
async function listenAt(path: string) {
  const server = createServer().listen(path)
  await once(server, "listening")
  return server
}

describe("the folder", () => {
  test("is made by the first change, with a .gitignore that leaves only plans to git", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await store.read()
      await store.update((boulder) => boulder)
      expect(await readdir(root)).toEqual([])
      await count(store, 1)
      await mkdir(join(root, ".boulder", "plans"))
      await writeFile(join(root, ".boulder", "plans", "a.md"), "- [ ] 1. a")
      spawnSync("git", ["init", "-q"], { cwd: root })
      const status = spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: root })
      expect(String(status.stdout)).toBe("?? .boulder/plans/a.md\n")
    }))

  test("stays small whatever the number of updates", () =>
    withFolder(async (root) => {
      await count(openFileBoulderStore({ root }), 150)
      expect((await names(root)).sort()).toEqual([
        ".gitignore",
        "boulder.json",
        "boulder.json.r149",
        "boulder.json.r150",
      ])
    }))

  test("as a link out of the project is refused, and as a link inside it is not", () =>
    withFolder(async (root) =>
      withFolder(async (elsewhere) => {
        await symlink(elsewhere, join(root, ".boulder"))
        const store = openFileBoulderStore({ root })
        await expect(store.read()).rejects.toMatchObject({ code: "outside-root" })
        await expect(store.update(countUp("w"))).rejects.toMatchObject({ code: "outside-root" })
        await store.update(countUp("w")).catch(() => undefined)
        expect(await readdir(elsewhere)).toEqual([])
        await rm(join(root, ".boulder"))
        await mkdir(join(root, "state"))
        await symlink(join(root, "state"), join(root, ".boulder"))
        await count(store, 1)
        expect(await readdir(join(root, "state"))).toContain("boulder.json")
      }),
    ))
})

describe("the file", () => {
  test("as a link out of the project is refused", () =>
    withFolder(async (root) =>
      withFolder(async (elsewhere) => {
        const store = openFileBoulderStore({ root })
        await count(store, 1)
        const target = join(elsewhere, "secret.json")
        await writeFile(target, await readFile(file(root)))
        await rm(file(root))
        await symlink(target, file(root))
        const before = await readFile(target, "utf8")
        await expect(openFileBoulderStore({ root }).read()).rejects.toMatchObject({
          code: "outside-root",
        })
        await store.update(countUp("w")).catch(() => undefined)
        expect(await readFile(target, "utf8")).toBe(before)
      }),
    ))

  const DAMAGES = [
    ["no JSON", "{"],
    ["empty", ""],
    ["of another form", '{"schema_version":3,"revision":"x","works":{}}'],
    ["with a reserved key", '{"schema_version":3,"revision":9,"works":{"__proto__":{}}}'],
    [
      "with a reserved key in disguise",
      '{"schema_version":3,"revision":9,"\\u005f_proto__":1,"works":{}}',
    ],
  ] as const

  test.each(DAMAGES)(
    "that is %s is kept aside, and the last revision is restored whole",
    (_, text) =>
      withFolder(async (root) => {
        await count(openFileBoulderStore({ root }), 5)
        await writeFile(file(root), text)
        const { boulder, notices } = await openFileBoulderStore({ root }).read()
        expect(countOf(boulder, "w")).toBe(5)
        expect(boulder?.revision).toBe(6)
        expect(notices.map(({ kind }) => kind)).toEqual(["restored"])
        expect(notices[0]?.message).toContain("copy of revision 5")
        const aside = (await names(root)).filter((name) => name.includes("corrupt"))
        expect(aside.length).toBe(1)
        expect(await readFile(join(root, ".boulder", aside[0] ?? ""), "utf8")).toBe(text)
        expect((await openFileBoulderStore({ root }).read()).notices).toEqual([])
      }),
  )

  test("that is damaged between two updates of one store is restored before the next: no change is made twice", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 3)
      await writeFile(file(root), "{")
      await count(store, 1)
      expect(countOf((await store.read()).boulder, "w")).toBe(4)
    }))

  test("keeps what another version has put into it, over our writes", () =>
    withFolder(async (root) => {
      await count(openFileBoulderStore({ root }), 2)
      const stored = JSON.parse(await readFile(file(root), "utf8"))
      Object.assign(stored, { host: { name: "other" } })
      Object.assign(stored.works.w, { colour: ["blue"] })
      Object.assign(stored.works.w.continuation, { mood: null })
      await writeFile(file(root), JSON.stringify(stored))
      await count(openFileBoulderStore({ root }), 2)
      const { write, ...state } = JSON.parse(await readFile(file(root), "utf8"))
      expect(write.after).toMatch(/^[0-9a-f]{32}$/)
      const w = { ...stored.works.w, checkpoint_seq: 4 }
      expect(state).toEqual({ schema_version: 3, revision: 4, works: { w }, host: stored.host })
    }))

  test("over its limit is not read, whatever it holds, and comes back from its copy when it is moved away", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 5)
      await rm(file(root))
      await writeFile(file(root), "")
      await truncate(file(root), 700_000_000)
      const says = {
        code: "too-large",
        message: `Expected ${file(root)} to be within its limit; found 700000000 bytes, above the limit of 8388608. It was not read. Find out what filled it, move it away and try again.`,
      }
      await expect(store.read()).rejects.toMatchObject(says)
      await expect(store.update(countUp("w"))).rejects.toMatchObject(says)
      expect((await stat(file(root))).size).toBe(700_000_000)
      await rm(file(root))
      expect(countOf((await store.read()).boulder, "w")).toBe(5)
    }))

  test("damaged beside a copy over the limit is restored from the other copy", () =>
    withFolder(async (root) => {
      await count(openFileBoulderStore({ root }), 5)
      await writeFile(file(root), "{")
      await truncate(join(root, ".boulder", "boulder.json.r5"), 700_000_000)
      expect(countOf((await openFileBoulderStore({ root }).read()).boulder, "w")).toBe(4)
    }))

  test("is not written over its limit", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 1)
      const before = await readFile(file(root), "utf8")
      const fill = (boulder: Boulder) => ({ ...boulder, note: "n".repeat(9 * 1_024 * 1_024) })
      await expect(store.update(fill)).rejects.toMatchObject({ code: "too-large" })
      expect(await readFile(file(root), "utf8")).toBe(before)
      await count(store, 1)
    }))

  test("without a copy is left alone and never taken for an empty one", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 3)
      for (const name of await names(root)) {
        if (name.startsWith("boulder.json.r")) await rm(join(root, ".boulder", name))
      }
      await writeFile(file(root), "{")
      await expect(store.read()).rejects.toMatchObject({ code: "corrupt" })
      await store.update(countUp("w")).catch(() => undefined)
      expect(await readFile(file(root), "utf8")).toBe("{")
    }))

  const NEWER = '{"schema_version":4,"revision":9,"stones":[]}'
  const UNREADABLE = [
    ["missing, of damaged copies", null, "{", "corrupt", "boulder.json.r3"],
    ["missing, of copies of a newer schema", null, NEWER, "newer-schema", "schema_version 4"],
    ["damaged, of damaged copies", "{", "", "corrupt", "boulder.json.r2 (the file is empty)"],
    ["damaged, of copies of a newer schema", "{", NEWER, "newer-schema", "boulder.json.r3"],
  ] as const

  test.each(UNREADABLE)(
    "that is %s is refused by name and nothing is touched",
    (_, text, copy, code, says) =>
      withFolder(async (root) => {
        await count(openFileBoulderStore({ root }), 3)
        await rm(file(root))
        if (text !== null) await writeFile(file(root), text)
        for (const name of ["boulder.json.r2", "boulder.json.r3"])
          await writeFile(join(root, ".boulder", name), copy)
        const before = (await names(root)).sort()
        const store = openFileBoulderStore({ root })
        await expect(store.read()).rejects.toMatchObject({ code })
        await expect(store.update(countUp("w"))).rejects.toThrow(says)
        const failed = String(await store.read().catch((error: unknown) => error))
        expect(failed).toContain("move .boulder/boulder.json* away to start over")
        expect(failed).not.toContain("no earlier copy")
        expect((await names(root)).sort()).toEqual(before)
        for (const name of ["boulder.json.r2", "boulder.json.r3"])
          expect(await readFile(join(root, ".boulder", name), "utf8")).toBe(copy)
        for (const name of before.filter((one) => one.startsWith("boulder.json")))
          await rm(join(root, ".boulder", name))
        await count(store, 1)
      }),
  )

  test("that is damaged beside a newest copy of a newer schema is not set back to an older one", () =>
    withFolder(async (root) => {
      await count(openFileBoulderStore({ root }), 3)
      await writeFile(file(root), "{")
      await writeFile(join(root, ".boulder", "boulder.json.r3"), NEWER)
      await expect(openFileBoulderStore({ root }).update(countUp("w"))).rejects.toMatchObject({
        code: "newer-schema",
      })
      expect(await readFile(join(root, ".boulder", "boulder.json.r3"), "utf8")).toBe(NEWER)
    }))

  test("that was removed after the first revision begins anew", () =>
    withFolder(async (root) => {
      await count(openFileBoulderStore({ root }), 1)
      await rm(file(root))
      const store = openFileBoulderStore({ root })
      expect(await store.read()).toEqual({ boulder: null, notices: [] })
      expect((await store.update(countUp("w"))).boulder.revision).toBe(1)
    }))

  const IN_ITS_PLACE = [
    ["a folder", async (path: string) => void (await mkdir(path))],
    ["a named pipe", async (path: string) => void spawnSync("sh", ["-c", 'mkfifo "$0"', path])],
    ["a socket", listenAt],
  ] as const

  test.each(IN_ITS_PLACE)("with %s in its place is refused, and said", (what, put) =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 2)
      await rm(file(root))
      const taken = await put(file(root))
      const says = `found ${what}. Move it away and try again.`
      await expect(store.read()).rejects.toMatchObject({ code: "not-a-file" })
      await expect(store.read()).rejects.toThrow(says)
      await expect(store.update(countUp("w"))).rejects.toThrow(says)
      taken?.close()
      await rm(file(root), { recursive: true, force: true })
      expect(countOf((await store.read()).boulder, "w")).toBe(2)
    }),
  )

  test("that was removed by itself comes back", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 3)
      await rm(file(root))
      const { boulder, notices } = await store.read()
      expect(countOf(boulder, "w")).toBe(3)
      expect(notices[0]?.message).toContain("It was missing")
    }))

  test("with both copies damaged but one is restored from the one", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 4)
      await writeFile(file(root), "{")
      await writeFile(join(root, ".boulder", "boulder.json.r4"), "{")
      expect(countOf((await store.read()).boulder, "w")).toBe(3)
      const { boulder } = await store.update(countUp("w"))
      expect([countOf(boulder, "w"), boulder.revision]).toEqual([4, 6])
    }))

  test("that a stranger is just writing in place is read again, not called damaged", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 2)
      const whole = await readFile(file(root), "utf8")
      await writeFile(file(root), whole.slice(0, 100))
      const pause = () => writeFile(file(root), whole)
      expect(await openFileBoulderStore({ root, pause }).read()).toMatchObject({
        notices: [],
        boulder: { revision: 2 },
      })
    }))

  test("of a newer schema is refused and left alone", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 2)
      const newer = '{"schema_version":4,"revision":2,"stones":[]}'
      await writeFile(file(root), newer)
      await expect(store.read()).rejects.toMatchObject({ code: "newer-schema" })
      await expect(store.update(countUp("w"))).rejects.toMatchObject({ code: "newer-schema" })
      await store.update(countUp("w")).catch(() => undefined)
      expect(await readFile(file(root), "utf8")).toBe(newer)
    }))

  test("edited by hand between two updates keeps the edit", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 2)
      const text = await readFile(file(root), "utf8")
      await writeFile(file(root), text.replace('"plan_name": "w"', '"plan_name": "mine"'))
      const { boulder } = await store.update(countUp("w"))
      expect(boulder.works["w"]).toMatchObject({ plan_name: "mine", checkpoint_seq: 3 })
    }))
})

describe("time", () => {
  test("going back or standing still changes nothing", () =>
    withFolder(async (root) => {
      let ms = Date.parse("2040-01-01")
      const now = () => {
        ms -= 24 * 60 * 60 * 1_000
        return ms
      }
      await count(openFileBoulderStore({ root, now }), 5)
      await count(openFileBoulderStore({ root, now: () => 0 }), 5)
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect([boulder?.revision, sumOf(boulder)]).toEqual([10, 10])
    }))

  test("of a file system that never answers is limited", () =>
    withFolder(async (root) => {
      const before = async ({ operation }: { operation: string }) => {
        if (operation === "createOpen") await new Promise(() => undefined)
      }
      const files = hookedPort(nodeFilePort(), { before })
      const hung = openFileBoulderStore({ root, files, limitMs: 50 }).update(countUp("w"))
      await expect(hung).rejects.toMatchObject({ code: "busy" })
      const { boulder } = await openFileBoulderStore({ root }).update(countUp("w"))
      expect(boulder.revision).toBe(1)
    }))

  test("without a turn ends in an error that names who was in the way", () =>
    withFolder(async (root) => {
      const other = openFileBoulderStore({ root })
      await count(other, 1)
      const before = async ({ operation, path }: { operation: string; path: string }) => {
        if (operation === "link" && path.includes(".r")) await other.update(countUp("other"))
      }
      const files = hookedPort(nodeFilePort(), { before })
      const slow = openFileBoulderStore({ root, files, limitMs: 60 })
      const late = slow.update(countUp("w"))
      await expect(late).rejects.toMatchObject({ code: "busy" })
      await expect(late).rejects.toThrow(new RegExp(`process ${process.pid} .* faster \\d+ times`))
      await late.catch(() => undefined)
      expect(countOf((await other.read()).boulder, "w")).toBe(1)
    }))
})

describe("what is left behind", () => {
  const dead = `${spawnSync("true").pid}-1-`

  test("by dead writers is swept, by living ones and strangers it is not", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      await count(store, 2)
      const { write } = JSON.parse(await readFile(file(root), "utf8"))
      const [pid, started, place] = String(write.id).split("-")
      const temp = (id: string, revision = 1) =>
        `boulder.json.${revision}.${id}-0123456789abcdef.tmp`
      const gone = [temp(`${dead}${place}`), temp(`${pid}-7${started}-${place}`)]
      const kept = [
        temp(`${pid}-${started}-${place}`),
        temp("1-1-aaaaaaaa"),
        temp(`${dead}${place}`, 900),
      ]
      for (const name of [...gone, ...kept]) await writeFile(join(root, ".boulder", name), "x")
      await count(openFileBoulderStore({ root }), 1)
      const left = (await names(root)).filter((name) => name.endsWith(".tmp"))
      expect(left.sort()).toEqual(kept.sort())
    }))
})

test("an update reads and writes as much after 200 updates as after 10", () =>
  withFolder(async (root) => {
    const steps: string[] = []
    const before = ({ operation }: { operation: string }) => {
      steps.push(operation)
    }
    const store = openFileBoulderStore({ root, files: hookedPort(nodeFilePort(), { before }) })
    await count(store, 10)
    steps.length = 0
    await count(store, 1)
    const early = [...steps]
    const earlySize = (await stat(file(root))).size
    await count(store, 200)
    steps.length = 0
    await count(store, 1)
    expect(steps).toEqual(early)
    expect((await stat(file(root))).size).toBeLessThan(earlySize * 1.1)
    expect(early.filter((step) => /sync/.test(step))).toEqual(["sync", "syncFolder"])
  }))
