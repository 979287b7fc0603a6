import { describe, expect, test } from "bun:test"
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { readOlderBoulder } from "../../src/store/revisions/older-boulder.ts"
import { LEAD } from "../support/builders.ts"
import { aHandoff, idOf } from "../support/handoff-builders.ts"
import { aWork, countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

const HUGE = 700_000_000

/** A file of 700 MB that takes no room on the disk. */
async function hugeAt(root: string, path: string): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true })
  await writeFile(join(root, path), "")
  await truncate(join(root, path), HUGE)
}

const saysTooLarge = (path: string, limit: number) => ({
  code: "too-large",
  message: expect.stringMatching(
    new RegExp(
      `${path} to be within its limit; found ${HUGE} bytes, above the limit of ${limit}\\. It was not read\\.`,
    ),
  ),
})

const READ: readonly {
  path: string
  limit: number
  read: (root: string) => Promise<unknown>
}[] = [
  {
    path: ".boulder/boulder.json",
    limit: 8_388_608,
    read: (root) => openFileBoulderStore({ root }).read(),
  },
  {
    path: ".omo/boulder.json",
    limit: 8_388_608,
    read: (root) => readOlderBoulder({ root, sessionId: LEAD, now: "2026-11-21T10:00:00.000Z" }),
  },
  {
    path: `.boulder/handoffs/${idOf(1)}.1.json`,
    limit: 2_097_152,
    read: (root) => openRecordFiles({ root }).read(`handoffs/${idOf(1)}.1.json`),
  },
  {
    path: `.boulder/sessions/${LEAD}.json`,
    limit: 2_097_152,
    read: (root) => openTaskStateFiles(openRecordFiles({ root })).load(LEAD),
  },
  {
    path: ".boulder/works/w/settled.jsonl",
    limit: 16_777_216,
    read: (root) => openWorkArchive(openRecordFiles({ root })).tasksOf("w"),
  },
  {
    path: ".boulder/journal.jsonl",
    limit: 8_388_608,
    read: (root) => openJournal({ root }).readLast(1),
  },
  {
    path: ".boulder/.gitignore",
    limit: 1_048_576,
    read: (root) => openRecordFiles({ root }).replace("sessions/a.json", "x"),
  },
]

describe("a file of 700 MB is not read, and the limit is said:", () => {
  test.each(READ)("$path", ({ path, limit, read }) =>
    withFolder(async (root) => {
      await hugeAt(root, path)
      const before = process.memoryUsage().rss
      await expect(read(root)).rejects.toMatchObject(saysTooLarge(path, limit))
      expect(process.memoryUsage().rss - before).toBeLessThan(HUGE / 2)
    }),
  )
})

/** What cannot be read, in the place of one record among others. */
const UNREADABLE = [
  { what: "a file of 700 MB", put: (root: string, path: string) => hugeAt(root, path) },
  {
    what: "a folder",
    put: async (root: string, path: string) => void (await mkdir(join(root, path))),
  },
  {
    what: "a link out",
    put: (root: string, path: string) => symlink("/etc/passwd", join(root, path)),
  },
  { what: "no record", put: (root: string, path: string) => writeFile(join(root, path), "{}") },
]

describe.each(UNREADABLE)("$what in the place of one does not hide the others:", ({ put }) => {
  test.each([
    { as: "open", name: `handoffs/${idOf(2)}.1.json` },
    { as: "settled", name: `handoffs/settled/${idOf(2)}.json` },
  ])("a handoff that is $as", ({ as, name }) =>
    withFolder(async (root) => {
      const store = openFileHandoffStore({ root })
      const scope = { project: projectScope(root), agent: null }
      await store.create(() => aHandoff({ scope }))
      await store.create(() => aHandoff({ id: idOf(2), scope }))
      await mkdir(join(root, ".boulder", "handoffs", "settled"), { recursive: true })
      if (as === "open") await rm(join(root, ".boulder", name))
      await put(root, `.boulder/${name}`)
      const { handoffs, unreadable } = await openFileHandoffStore({ root }).open()
      expect(handoffs.map(({ id }) => id)).toEqual([idOf(1)])
      expect(unreadable).toEqual([`.boulder/${name}`])
      await expect(store.read(idOf(2))).rejects.toMatchObject({ name: "StoreError" })
      expect((await store.read(idOf(1)))?.id).toBe(idOf(1))
      expect((await store.lastOf("ses_first"))?.id).toBe(idOf(1))
      expect(await store.lastOf("ses_nobody")).toBeNull()
    }),
  )

  test("a finished work", () =>
    withFolder(async (root) => {
      const archive = openWorkArchive(openRecordFiles({ root }))
      await archive.keep({ works: [aWork("a"), aWork("b")], parts: [] })
      await rm(join(root, ".boulder/works/b/work.json"))
      await put(root, ".boulder/works/b/work.json")
      const { works, unreadable } = await archive.list()
      expect([works.map(({ work_id }) => work_id), unreadable]).toEqual([["a"], ["b"]])
    }))
})

test.each([
  {
    what: "an unknown field",
    text: (deep: string) => `{"schema_version":3,"revision":1,"works":{},"x":${deep}}`,
  },
  { what: "the whole", text: (deep: string) => deep },
])("a state nested a million deep in $what is damaged, and nothing breaks", ({ text }) =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    for (let times = 0; times < 3; times++) await store.update(countUp("w"))
    const deep = `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`
    await writeFile(join(root, ".boulder", "boulder.json"), text(deep))
    const { boulder, notices } = await openFileBoulderStore({ root }).read()
    expect([Object.keys(boulder?.works ?? {}), notices.length]).toEqual([["w"], 1])
  }),
)
