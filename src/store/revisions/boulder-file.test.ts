import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { aTask, aTaskSession, at, aWork } from "../../../test/support/builders.ts"
import { emptyBoulder, type TaskSession } from "../../boulder/boulder.ts"
import { parseBoulderFile, printBoulderFile } from "./boulder-file.ts"

const task = aTask({ label: "1" })
const write = { id: "1-2-3", after: "none", at: at(0), by: "a" }
const withSession = (given: Partial<TaskSession>) => ({
  ...emptyBoulder(),
  works: { w: aWork({ task_sessions: { [task.key]: aTaskSession(task, given) } }) },
})

test("a state is read as it was written, and who has written it", () => {
  const boulder = withSession({})
  const read = parseBoulderFile(printBoulderFile(boulder, write))
  expect(read).toEqual({ kind: "valid", boulder, write } as typeof read)
})

test.each(["running", "returned", "interrupted"] as const)(
  "a task's session whose call is %s is kept",
  (status) => {
    const boulder = withSession({ status })
    expect(parseBoulderFile(printBoulderFile(boulder, write))).toMatchObject({ boulder })
  },
)

test("a state of the version of 28 November 2026 is read: two works, one taken over from another plugin", async () => {
  const path = new URL("../../../test/fixtures/boulder/2026-11-28.json", import.meta.url)
  const file = parseBoulderFile(await readFile(path, "utf8"))
  if (file.kind !== "valid") throw new Error(JSON.stringify(file))
  expect(Object.keys(file.boulder.works)).toEqual(["old-831fe43b", "new-7a82c7a3"])
})
