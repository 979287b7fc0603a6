import { expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { nodeFilePort } from "../disk/file-port.ts"
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
