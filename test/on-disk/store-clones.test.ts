import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { answerCall } from "../../src/mcp/handoff-answer.ts"
import { handoffIdOf } from "../../src/store/handoffs/handoff-id.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { withDesk } from "../support/handoff-scene.ts"
import { countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"

const ENTRY = {
  at: "2026-11-21T10:00:00.000Z",
  session: null,
  work: null,
  decision: "rest",
  reason: "x",
  facts: {},
}

describe("a cloned repository's .boulder", () => {
  test("with a name that only looks like a revision keeps no save trying for ever", () =>
    withDesk(async ({ root, ...scene }) => {
      const id = handoffIdOf(JSON.stringify(["text", "the importer"]), 0)
      await mkdir(join(root, ".boulder", "handoffs"))
      await writeFile(join(root, ".boulder", "handoffs", `${id}.05.json`), "{}")
      const args = { summary: "half", status: "in_progress", task: "the importer" }
      const needs = { ...scene, sessionId: "claude-1", agent: null }
      const { text } = await answerCall(needs, "save_task_progress", args)
      expect(text).toContain(`Saved ${id}`)
    }))

  test.each(["sessions", "handoffs", "works"])(
    "with a link in the place of %s brings nothing of a conversation to where git takes it",
    (name) =>
      withFolder(async (root) => {
        spawnSync("git", ["init", "-q", root])
        await mkdir(join(root, "docs"))
        await mkdir(join(root, ".boulder"))
        await symlink("../docs", join(root, ".boulder", name))
        const records = openRecordFiles({ root })
        for (const write of [records.replace, records.createOnce])
          await expect(write(`${name}/a.json`, "words")).rejects.toMatchObject({
            code: "outside-root",
            message: expect.stringContaining("which git does not leave out"),
          })
        await writeFile(join(root, "docs", "mine.json"), "mine")
        await expect(records.remove(`${name}/mine.json`)).rejects.toMatchObject({
          code: "outside-root",
        })
        spawnSync("git", ["-C", root, "add", "-A"])
        const staged = spawnSync("git", ["-C", root, "ls-files"], { encoding: "utf8" }).stdout
        expect(staged.split("\n").filter(Boolean)).toEqual(["docs/mine.json"])
      }),
  )

  test("with any number of journals half rotated costs one reading of a few, and of so many lines", () =>
    withFolder(async (root) => {
      await openFileBoulderStore({ root }).update(countUp("w"))
      await openJournal({ root }).append(ENTRY)
      const rows = "\n{}".repeat(20_000)
      for (let at = 0; at < 16; at++)
        await writeFile(join(root, ".boulder", `journal.jsonl.${at.toString(16)}.rotating`), rows)
      const { entries, skipped } = await openJournal({ root }).readLast(2)
      expect(entries).toEqual([ENTRY])
      expect(skipped).toBeLessThanOrEqual(50_000)
    }))
})
