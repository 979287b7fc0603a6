import { beforeEach, expect, test } from "bun:test"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { aTask } from "../../../test/support/builders.ts"
import { diskOf } from "../../../test/support/crash-scenes.ts"
import { crashStates, tracingPort } from "../../../test/support/crash-states.ts"
import { memoryFiles } from "../../../test/support/store-memory-files.ts"
import { temporaryFolder } from "../../../test/support/temporary-folder.ts"
import { printShard } from "../../plan/print-shard.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { openRecordFiles } from "./record-files.ts"
import { openShardFiles } from "./shard-files.ts"

let root: string
beforeEach(() => {
  root = temporaryFolder("shards")
})

const path = () => join(root, ".boulder/works/w/shards/003.md")
const open = () => openShardFiles(openRecordFiles({ root }))

test("a shard is written once, and again only where its text has changed", async () => {
  const files = open()
  await files.show({ workId: "w", number: 3, text: "one" })
  const { ino } = statSync(path())
  await files.show({ workId: "w", number: 3, text: "one" })
  await open().show({ workId: "w", number: 3, text: "one" })
  expect(statSync(path()).ino).toBe(ino)
  await files.show({ workId: "w", number: 3, text: "two" })
  expect(readFileSync(path(), "utf8")).toBe("two")
})
test("its tasks are read back as they were printed; none of what is no shard, or not there", async () => {
  const files = open()
  const tasks = [aTask({ label: "1" }), { ...aTask({ label: "2" }), key: 'todo:"x\\2' }]
  const shard = { number: 3, first: 0, length: 2 }
  const facts = { planPath: "a.md", shard, count: 3, lines: ["- [ ] 1. x"], tasks, isOfRows: true }
  const { text } = printShard(facts)
  await files.show({ workId: "w", number: 3, text })
  expect(await files.tasksOf("w", 3)).toEqual(
    tasks.map(({ key, titleHash }) => ({ key, titleHash })),
  )
  await files.show({ workId: "w", number: 3, text: "scribble" })
  expect(await files.tasksOf("w", 3)).toEqual([])
  expect(await files.tasksOf("w", 4)).toEqual([])
})
test("what somebody wrote into it is taken back by the next process, or with the next change", async () => {
  const files = open()
  await files.show({ workId: "w", number: 3, text: "one" })
  writeFileSync(path(), "scribble")
  await open().show({ workId: "w", number: 3, text: "one" })
  expect(readFileSync(path(), "utf8")).toBe("one")
  writeFileSync(path(), "scribble")
  await files.show({ workId: "w", number: 3, text: "two" })
  expect(readFileSync(path(), "utf8")).toBe("two")
})

test("a shard waits for no disk, and whatever a power cut has left of it the next process makes it anew", async () => {
  const shard = { workId: "w", number: 3 }
  await open().show({ ...shard, text: "one" })
  const { port, trace } = tracingPort(nodeFilePort(), await diskOf(root))
  await openShardFiles(openRecordFiles({ root, files: port })).show({ ...shard, text: "two" })
  expect(trace.steps.map(({ kind }) => kind)).toEqual(["name", "write", "name"])
  for (const disk of crashStates(trace, trace.steps.length)) {
    const files = memoryFiles(root, disk)
    await openShardFiles(openRecordFiles({ root, files })).show({ ...shard, text: "three" })
    expect(await files.readText(path(), 100)).toBe("three")
  }
})
