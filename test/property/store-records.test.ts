import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { archiveDeparted } from "../../src/store/records/archive-departed.ts"
import { type JournalEntry, openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { readOlderBoulder } from "../../src/store/revisions/older-boulder.ts"
import { countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"
import { hookedPort, systemError } from "../support/store-port-hooks.ts"

const NOW = "2026-11-21T10:00:00.000Z"

function anEntry(reason: string, facts: JournalEntry["facts"] = {}): JournalEntry {
  return { at: NOW, session: "ses_a", work: "w", decision: "rest", reason, facts }
}

function withState<Result>(run: (root: string) => Promise<Result>): Promise<Result> {
  return withFolder(async (root) => {
    await openFileBoulderStore({ root }).update(countUp("w"))
    return run(root)
  })
}

/** A rotation that ends at one of its operations, as its process would; false when it has no such operation. */
function crashAt(at: number, when: "before" | "after"): Promise<boolean> {
  return withState(async (root) => {
    const rotateBytes = 1_000
    const journal = openJournal({ root, rotateBytes })
    const count = async () => (await journal.readLast(1_000)).entries.length
    const isFull = async () =>
      (await stat(join(root, ".boulder", "journal.jsonl"))).size > rotateBytes - 150
    do await journal.append(anEntry("kept"))
    while (!(await isFull()))
    const written = await count()
    const crashed = Promise.withResolvers<boolean>()
    const hook = async ({ index }: { index: number }) => {
      if (index !== at) return
      crashed.resolve(true)
      await new Promise(() => undefined)
    }
    const files = hookedPort(nodeFilePort(), { [when]: hook })
    const last = openJournal({ root, files, rotateBytes }).append(anEntry("x".repeat(300)))
    const isHit = await Promise.race([last.then(() => false), crashed.promise])
    expect(await count()).toBeGreaterThanOrEqual(written)
    await journal.append(anEntry("after"))
    expect(await count()).toBeGreaterThanOrEqual(written + 1)
    return isHit
  })
}

describe("the journal", () => {
  test("makes no folder, and is empty then", () =>
    withFolder(async (root) => {
      const journal = openJournal({ root })
      await journal.append(anEntry("a"))
      expect(await readdir(root)).toEqual([])
      expect(await journal.readLast(5)).toEqual({ entries: [], skipped: 0 })
    }))

  test("gives the last entries that match, oldest first", () =>
    withState(async (root) => {
      const journal = openJournal({ root })
      for (const reason of ["a", "b", "c", "b", "d"]) await journal.append(anEntry(reason))
      const { entries } = await journal.readLast(2, ({ reason }) => reason !== "d")
      expect(entries.map(({ reason }) => reason)).toEqual(["c", "b"])
    }))

  test("skips and counts torn lines, which take no other with them", () =>
    withState(async (root) => {
      const journal = openJournal({ root })
      await journal.append(anEntry("a"))
      const path = join(root, ".boulder", "journal.jsonl")
      await writeFile(path, `${await readFile(path, "utf8")}\n{"at":"20`)
      expect((await journal.readLast(9)).skipped).toBe(1)
      await journal.append(anEntry("b"))
      const { entries, skipped } = await journal.readLast(9)
      expect([entries.length, skipped]).toEqual([2, 1])
    }))

  test("bounds a line, whatever the facts", () =>
    withState(async (root) => {
      const journal = openJournal({ root })
      const facts = Object.fromEntries(
        Array.from({ length: 90 }, (_, at) => [`f${at}`, "ü".repeat(900)]),
      )
      await journal.append(anEntry("r".repeat(9_000), facts))
      const line = await readFile(join(root, ".boulder", "journal.jsonl"))
      expect(line.byteLength).toBeLessThan(4_100)
      expect((await journal.readLast(1)).entries.length).toBe(1)
    }))

  test("keeps a text of 400 characters whole, and the first of a longer one", () =>
    withState(async (root) => {
      const journal = openJournal({ root })
      await journal.append(anEntry("a".repeat(400), { long: "b".repeat(401) }))
      expect((await journal.readLast(1)).entries).toMatchObject([
        { reason: "a".repeat(400), facts: { long: `${"b".repeat(399)}…` } },
      ])
    }))

  test.each([19, 20])("of %d facts that are too long it leaves out no more than it must", (count) =>
    withState(async (root) => {
      const journal = openJournal({ root })
      const facts = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`f${at}`, "x".repeat(390)]),
      )
      await journal.append(anEntry("r", facts))
      const text = await readFile(join(root, ".boulder", "journal.jsonl"), "utf8")
      const line = text.split("\n").at(-1) ?? ""
      const kept = Object.keys((JSON.parse(line) as JournalEntry).facts).length
      expect(line.length).toBeLessThan(4_096)
      expect(line.length + (line.length - 100) / kept).toBeGreaterThan(4_096)
    }),
  )

  test("loses no line of several writers at once, through rotations of whole files", () =>
    withState(async (root) => {
      const journals = [1, 2, 3, 4].map(() => openJournal({ root, rotateBytes: 12_000 }))
      await Promise.all(
        journals.map(async (journal, writer) => {
          for (let count = 0; count < 40; count++)
            await journal.append(anEntry(`${writer}-${count}`))
        }),
      )
      const { entries, skipped } = await openJournal({ root }).readLast(1_000)
      expect(skipped).toBe(0)
      const reasons = new Set(entries.map(({ reason }) => reason))
      expect(reasons.size).toBe(entries.length)
      expect(reasons.size).toBe(160)
      expect(await readdir(join(root, ".boulder"))).toContain("journal.1.jsonl")
    }))

  test("loses no line to a crash at any step of a rotation", async () => {
    let crashes = 0
    for (const when of ["before", "after"] as const)
      for (let at = 0; at < 40; at++) if (await crashAt(at, when)) crashes += 1
    expect(crashes).toBeGreaterThan(8)
  })

  test("reads what was left of a rotation, and removes it once newer lines are the older ones", () =>
    withState(async (root) => {
      const left = join(root, ".boulder", "journal.jsonl.0123456789ab.rotating")
      await writeFile(left, `\n${JSON.stringify(anEntry("left"))}`)
      await utimes(left, new Date("2026-01-01"), new Date("2026-01-01"))
      const journal = openJournal({ root, rotateBytes: 2_000 })
      await journal.append(anEntry("a"))
      const { entries } = await journal.readLast(9)
      expect(entries.map(({ reason }) => reason)).toEqual(["left", "a"])
      for (let count = 0; count < 40; count++) await journal.append(anEntry("b"))
      const names = await readdir(join(root, ".boulder"))
      expect(names.filter((name) => name.startsWith("journal")).sort()).toEqual([
        "journal.1.jsonl",
        "journal.jsonl",
      ])
    }))

  test("says in words what went wrong", () =>
    withState(async (root) => {
      const before = (step: { index: number; operation: string; path: string }) => {
        if (step.operation === "appendText") throw systemError("ENOSPC", step)
      }
      const journal = openJournal({ root, files: hookedPort(nodeFilePort(), { before }) })
      await expect(journal.append(anEntry("a"))).rejects.toMatchObject({ code: "disk-full" })
    }))
})

describe("record files", () => {
  test("are replaced, created once, listed and removed", () =>
    withFolder(async (root) => {
      const records = openRecordFiles({ root })
      expect(await records.read("sessions/ses_a.json")).toBeNull()
      expect(await records.list("sessions")).toEqual([])
      expect(await readdir(root)).toEqual([])
      await records.replace("sessions/ses_a.json", "1")
      await records.replace("sessions/ses_a.json", "2")
      expect(await records.read("sessions/ses_a.json")).toBe("2")
      expect(await records.createOnce("works/w/checkpoints/000001.json", "1")).toBe(true)
      expect(await records.createOnce("works/w/checkpoints/000001.json", "2")).toBe(false)
      expect(await records.read("works/w/checkpoints/000001.json")).toBe("1")
      expect(await records.list("sessions")).toEqual(["ses_a.json"])
      expect(await records.remove("sessions/ses_a.json")).toBe(true)
      expect(await records.remove("sessions/ses_a.json")).toBe(false)
      expect(await readdir(join(root, ".boulder"))).toContain(".gitignore")
    }))

  test.each(["../x", "sessions/../../x", "/etc/x", "a//b", ".hidden", "a/..", "a\\b", ""])(
    "refuse the path %p",
    (path) =>
      withFolder(async (root) => {
        const records = openRecordFiles({ root })
        await expect(records.replace(path, "x")).rejects.toMatchObject({ code: "outside-root" })
        expect(await readdir(root)).toEqual([])
      }),
  )

  test("never go through a link that leaves the project", () =>
    withState(async (root) =>
      withFolder(async (elsewhere) => {
        await symlink(elsewhere, join(root, ".boulder", "sessions"))
        const records = openRecordFiles({ root })
        await expect(records.replace("sessions/a.json", "x")).rejects.toMatchObject({
          code: "outside-root",
        })
        await expect(records.removeFolder("sessions")).rejects.toMatchObject({
          code: "outside-root",
        })
        expect(await readdir(elsewhere)).toEqual([])
      }),
    ))

  test("keep the old text at a fault at any operation, and leave no temp file", () =>
    withState(async (root) => {
      await openRecordFiles({ root }).replace("sessions/a.json", "old")
      let faults = 0
      for (let at = 0; at < 40; at++) {
        const before = (step: { index: number; operation: string; path: string }) => {
          if (step.index === at) throw systemError("EIO", step)
        }
        const records = openRecordFiles({ root, files: hookedPort(nodeFilePort(), { before }) })
        const failed = await records.replace("sessions/a.json", `new${at}`).then(
          () => false,
          () => true,
        )
        if (!failed) break
        faults += 1
        expect(await openRecordFiles({ root }).read("sessions/a.json")).toMatch(/^old$|^new\d+$/)
      }
      expect(faults).toBeGreaterThan(5)
      await openRecordFiles({ root }).replace("sessions/a.json", "last")
      expect(await openRecordFiles({ root }).read("sessions/a.json")).toBe("last")
    }))
})

describe("the archive", () => {
  test("takes finished works out of boulder.json, lists and prunes them", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      for (const name of ["a", "b", "c"]) await store.update(countUp(name))
      await store.update((boulder) => ({
        ...boulder,
        works: Object.fromEntries(
          Object.entries(boulder.works).map(([name, work]) => [
            name,
            name === "c" ? work : { ...work, status: "completed" as const },
          ]),
        ),
      }))
      const archive = openWorkArchive(openRecordFiles({ root }))
      const rules = {
        keepCompleted: 0,
        keepCompletedMs: 0,
        now: Date.now(),
        keepSessions: 8,
        unneeded: null,
      }
      const update = await archiveDeparted({ store, archive, rules })
      expect(Object.keys(update?.boulder.works ?? {})).toEqual(["c"])
      expect(await archiveDeparted({ store, archive, rules })).toBeNull()
      const { works, unreadable } = await archive.list()
      expect([works.map(({ work_id }) => work_id).sort(), unreadable]).toEqual([["a", "b"], []])
      await mkdir(join(root, ".boulder", "works", "c"))
      expect(await archive.prune(["a", "c", "unknown"])).toEqual(["a"])
      expect((await readdir(join(root, ".boulder", "works"))).sort()).toEqual(["b", "c"])
    }))
})

describe("older formats", () => {
  test("one that was taken over is known by its content, and skipped", () =>
    withFolder(async (root) => {
      await mkdir(join(root, ".omo"))
      const older = { active_plan: join(root, ".omo/plans/a.md"), session_ids: [] }
      await writeFile(join(root, ".omo", "boulder.json"), JSON.stringify(older))
      const given = { root, sessionId: "ses_now", now: NOW }
      const { boulder } = await readOlderBoulder(given)
      expect(Object.keys(boulder.taken_over ?? {})).toEqual([".omo/boulder.json"])
      expect((await readOlderBoulder({ ...given, taken: boulder.taken_over })).files).toEqual([])
    }))
  test("are read from both places, and left as they are", () =>
    withFolder(async (root) => {
      const older = {
        active_plan: join(root, ".sisyphus/plans/a.md"),
        session_ids: ["opencode:ses_a"],
      }
      await mkdir(join(root, ".sisyphus"))
      await mkdir(join(root, ".omo"))
      await writeFile(join(root, ".sisyphus", "boulder.json"), JSON.stringify(older))
      await writeFile(join(root, ".omo", "boulder.json"), "{")
      const found = await readOlderBoulder({ root, sessionId: "ses_now", now: NOW })
      expect(found.files).toEqual([".sisyphus/boulder.json"])
      expect(found.dropped).toEqual([".omo/boulder.json, all of it: it is no JSON"])
      expect(Object.values(found.boulder.works).map((work) => work.active_plan)).toEqual([
        ".sisyphus/plans/a.md",
      ])
      expect(await readFile(join(root, ".sisyphus", "boulder.json"), "utf8")).toBe(
        JSON.stringify(older),
      )
      expect((await readdir(root)).sort()).toEqual([".omo", ".sisyphus"])
    }))
})
