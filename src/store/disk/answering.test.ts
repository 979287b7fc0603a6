import { expect, test } from "bun:test"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openAnswering } from "./answering.ts"
import { nodeFilePort } from "./file-port.ts"
import { errnoOf } from "./store-error.ts"

/** A file system that a test lets hang, and a clock that it turns. */
function aMount() {
  const mount = { hangs: false, looks: 0, now: 0 }
  const look = async (path: string): Promise<void> => {
    if (path === "/") return
    mount.looks += 1
    if (mount.hangs) await new Promise<never>(() => {})
  }
  const answers = openAnswering({ look, clock: () => mount.now, limitMs: 5 })
  return { mount, answers }
}

const outcome = (asked: Promise<void>): Promise<string> =>
  asked.then(
    () => "answers",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

test("a file system that answers is asked the first time, and again behind a rest", async () => {
  const { mount, answers } = aMount()
  for (const at of [0, 9_000, 18_000]) {
    mount.now = at
    await answers("/a")
  }
  expect(mount.looks).toBe(1)
  mount.now = 28_001
  await answers("/a")
  expect(mount.looks).toBe(2)
})

test("one that hangs is left alone for a minute, and asked again then", async () => {
  const { mount, answers } = aMount()
  mount.hangs = true
  const SILENT =
    "Expected an answer from the file system of /a within 5 ms; found none. Nothing was read or written. It is left alone for a minute. Check the disk or the network mount."
  expect(await outcome(answers("/a"))).toBe(SILENT)
  mount.now = 59_999
  expect(await outcome(answers("/a"))).toBe(SILENT)
  expect(mount.looks).toBe(1)
  mount.hangs = false
  mount.now = 60_001
  expect(await outcome(answers("/a"))).toBe("answers")
  expect(mount.looks).toBe(2)
})

test("on a machine so busy that its own file system is as slow, it is waited for", async () => {
  const late: (() => void)[] = []
  const look = (path: string): Promise<void> =>
    new Promise((resolve) => {
      late.push(resolve)
      // Answered in the order in which they were asked, all of them late.
      if (path === "/") for (const one of late.splice(0)) one()
    })
  expect(await outcome(openAnswering({ look, limitMs: 5 })("/a"))).toBe("answers")
})

test("one that hangs is not waited for longer where the machine's own hangs too", async () => {
  const look = () => new Promise<never>(() => {})
  expect(await outcome(openAnswering({ look, limitMs: 5 })("/a"))).toContain("found none")
})

test("no operation is begun on one that hangs", () =>
  withFolder(async (root) => {
    const { mount, answers } = aMount()
    mount.hangs = true
    const files = nodeFilePort(answers)
    const path = join(root, "a")
    const all = [
      ...[files.createText(path, "a"), files.createOpen(path, "a"), files.appendText(path, "a")],
      ...[files.makeFolder(path, true), files.readText(path, 9), files.readBytes(path, 9)],
      ...[files.list(root), files.inspect(path), files.realPath(path), files.remove(path)],
      ...[files.link(root, path), files.rename(root, path), files.syncFile(path)],
      ...[files.syncFolder(root), files.removeFolder(root)],
    ]
    const codes = (await Promise.allSettled(all)).map((one) =>
      one.status === "rejected" ? Reflect.get(one.reason, "code") : "done",
    )
    expect(new Set(codes)).toEqual(new Set(["busy"]))
    mount.hangs = false
    mount.now = 60_001
    expect(await files.list(root)).toEqual([])
  }))

test("a name that is missing is an answer", async () => {
  const missing = openAnswering()
  expect(await outcome(missing("/nowhere/at/all"))).toBe("answers")
  const error = await nodeFilePort(missing)
    .createText("/nowhere/at/all", "a")
    .catch((reason: unknown) => reason)
  expect(errnoOf(error)).toBe("ENOENT")
})
