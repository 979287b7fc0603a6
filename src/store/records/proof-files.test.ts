import { expect, test } from "bun:test"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { openProofFiles } from "./proof-files.ts"
import { openRecordFiles } from "./record-files.ts"

const at = "2026-11-22T09:00:00.000Z"
const task = { key: "todo:1", title_hash: "00000000" }
const write = (index: number): ProofEntry => ({
  kind: "write",
  at,
  session: "ses_1",
  task,
  path: `src/${index}.ts`,
})
const tick: ProofEntry = { kind: "tick", at, task, tier: "proven" }

test("a file of more lines than are ever written is read to its bound, its ticks among them, and cut with the next line", () =>
  withFolder(async (root) => {
    const folder = join(root, ".boulder/works/w")
    await mkdir(folder, { recursive: true })
    const lines = [tick, ...Array.from({ length: 30_000 }, (_, index) => write(index))]
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\nnot JSON\n{"kind":"of tomorrow"}\n`
    await writeFile(join(folder, "proof.jsonl"), text)
    const files = openProofFiles(openRecordFiles({ root }))
    const read = await files.read("w")
    expect(read).toHaveLength(10_001)
    expect([read[0], read.at(-1)]).toEqual([tick, write(29_999)])
    await files.add("w", () => Array.from({ length: 10_000 }, (_, index) => write(index)))
    const left = (await readFile(join(folder, "proof.jsonl"), "utf8")).split("\n").filter(Boolean)
    expect(left).toHaveLength(10_001)
  }))

test("ticks alone have a bound, too", () =>
  withFolder(async (root) => {
    const files = openProofFiles(openRecordFiles({ root }))
    const all = await files.add("w", () => Array.from({ length: 25_000 }, () => tick))
    expect(all).toHaveLength(20_000)
  }))

test("what cannot be read is none, and one writes behind the other", () =>
  withFolder(async (root) => {
    const files = openProofFiles(openRecordFiles({ root }))
    expect(await files.read("w")).toEqual([])
    await Promise.all(
      [1, 2, 3].map((index) => files.add("w", (known) => (known.length < 2 ? [write(index)] : []))),
    )
    const again = openProofFiles(openRecordFiles({ root }))
    expect(await again.read("w")).toEqual([write(1), write(2)])
  }))

test("what another process has written meanwhile is read; of a file that is gone, what was in it is known", () =>
  withFolder(async (root) => {
    let reads = 0
    const records = openRecordFiles({ root })
    const tryRead: typeof records.tryRead = (path) => {
      reads += 1
      return records.tryRead(path)
    }
    const files = openProofFiles({ ...records, tryRead })
    await files.add("w", () => [write(1)])
    await files.add("w", () => [write(2)], "unsynced")
    expect(reads).toBe(1)
    await openProofFiles(openRecordFiles({ root })).add("w", () => [tick])
    expect(await files.add("w", () => [write(3)])).toEqual([write(1), write(2), tick, write(3)])
    expect(reads).toBe(2)
    await rm(join(root, ".boulder/works/w/proof.jsonl"))
    expect(await files.read("w")).toEqual([write(1), write(2), tick, write(3)])
  }))

test.each(["before", "proven", "changed", "claimed", "failed", "unavailable"] as const)(
  "a tick that was %s when it was first seen is read again",
  (tier) =>
    withFolder(async (root) => {
      await openProofFiles(openRecordFiles({ root })).add("w", () => [{ ...tick, tier }])
      expect(await openProofFiles(openRecordFiles({ root })).read("w")).toEqual([{ ...tick, tier }])
    }),
)

test("behind a file that is taken away the next line brings what was in it, too", () =>
  withFolder(async (root) => {
    const files = openProofFiles(openRecordFiles({ root }))
    await files.add("w", () => [write(1)])
    await rm(join(root, ".boulder/works/w/proof.jsonl"))
    await files.add("w", () => [write(2)])
    expect(await files.read("w")).toEqual([write(1), write(2)])
    expect(await openProofFiles(openRecordFiles({ root })).read("w")).toEqual([write(1), write(2)])
  }))
