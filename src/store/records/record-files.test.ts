import { expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { newWriteId, ownIdentity } from "../disk/writer-identity.ts"
import { openRecordFiles } from "./record-files.ts"

test("a record is on the disk before it has its name, and its name is before anybody is told", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder"))
    const steps: string[] = []
    const port = nodeFilePort()
    const noted =
      <Given extends readonly [string, ...unknown[]], Made>(
        name: string,
        run: (...given: Given) => Promise<Made>,
      ) =>
      async (...given: Given): Promise<Made> => {
        const made = await run(...given)
        steps.push(given[0].endsWith(".tmp") ? `${name} temp` : name)
        return made
      }
    const files = {
      ...port,
      createText: noted("create", port.createText),
      syncFile: noted("sync", port.syncFile),
      rename: noted("rename", port.rename),
      syncFolder: noted("sync folder", port.syncFolder),
    }
    await openRecordFiles({ root, files }).replace("checkpoints/a.md", "text")
    const from = steps.lastIndexOf("create temp")
    expect(steps.slice(from, from + 4)).toEqual([
      "create temp",
      "sync temp",
      "rename temp",
      "sync folder",
    ])
  }))

test("a folder is looked through once for what dead writers have left; what others write stays", () =>
  withFolder(async (root) => {
    const folder = join(root, ".boulder", "checkpoints")
    await mkdir(folder, { recursive: true })
    const own = await ownIdentity()
    const dead = { ...own, pid: spawnSync("true").pid }
    const temp = (name: string, writer: typeof own) => `${name}.${newWriteId(writer)}.tmp`
    const left = temp("a.json", dead)
    const kept = [temp("b.json", own), temp("c.json", { ...dead, machine: "aaaaaaaa" })]
    for (const name of [left, ...kept]) await writeFile(join(folder, name), "x")
    let looks = 0
    const port = nodeFilePort()
    const list = async (path: string) => {
      if (path === folder) looks += 1
      return port.list(path)
    }
    const files = openRecordFiles({ root, files: { ...port, list } })
    await files.replace("checkpoints/d.json", "text")
    await files.replace("checkpoints/d.json", "text")
    expect((await readdir(folder)).sort()).toEqual([...kept, "d.json"].sort())
    expect(looks).toBe(1)
  }))

test.each([
  { what: "and so", how: undefined, steps: ["append", "sync", "sync folder"] },
  { what: "unless that is not wanted, and so", how: "unsynced", steps: ["append"] },
] as const)(
  "what is added is on the disk before anybody is told, $what: $steps",
  ({ how, steps }) =>
    withFolder(async (root) => {
      const taken: string[] = []
      const port = nodeFilePort()
      const files = {
        ...port,
        appendText: async (path: string, text: string) => {
          await port.appendText(path, text)
          taken.push("append")
        },
        syncFile: async (path: string) => {
          if (path.endsWith("log.jsonl")) taken.push("sync")
          return port.syncFile(path)
        },
        syncFolder: async (path: string) => {
          if (taken.length > 0) taken.push("sync folder")
          return port.syncFolder(path)
        },
      }
      await openRecordFiles({ root, files }).append("log.jsonl", ["{}"], how)
      expect(taken).toEqual([...steps])
    }),
)
