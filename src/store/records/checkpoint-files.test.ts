import { beforeEach, expect, test } from "bun:test"
import { temporaryFolder } from "../../../test/support/temporary-folder.ts"
import { writeCheckpoint } from "./checkpoint-files.ts"
import { openRecordFiles, type RecordFiles } from "./record-files.ts"

let root: string
let records: RecordFiles
beforeEach(() => {
  root = temporaryFolder("checkpoints")
  records = openRecordFiles({ root })
})

const write = (after: number, text: string) =>
  writeCheckpoint(records, {
    workId: "w",
    after,
    textOf: (seq) => `${seq} ${text}`,
    isSame: (one, other) => one === other,
  })

test("checkpoints are numbered and never change", async () => {
  expect(await write(0, "a")).toBe(1)
  expect(await write(1, "b")).toBe(2)
  expect(await records.read("works/w/checkpoints/000001.json")).toBe("1 a")
  expect((await records.list("works/w/checkpoints")).toSorted()).toEqual([
    "000001.json",
    "000002.json",
  ])
})
test("one that a crash left behind is taken for ours if it says the same, else passed over", async () => {
  await write(0, "a")
  expect(await write(0, "a")).toBe(1)
  expect(await write(0, "other")).toBe(2)
  expect(await records.read("works/w/checkpoints/000001.json")).toBe("1 a")
})
test("where the state was lost, and forgot its numbers, the next one goes behind the last", async () => {
  for (const seq of [0, 1, 2]) await write(seq, "before")
  expect(await write(0, "after")).toBe(4)
  expect(await records.read("works/w/checkpoints/000004.json")).toBe("4 after")
})
