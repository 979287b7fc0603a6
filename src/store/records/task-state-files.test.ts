import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdir, readdir, readFile, symlink, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { at, CHILD, LEAD } from "../../../test/support/builders.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { hookedPort, systemError } from "../../../test/support/store-port-hooks.ts"
import { aStoredTaskState, aTaskState } from "../../../test/support/task-states.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { openRecordFiles } from "./record-files.ts"
import { openTaskStateFiles } from "./task-state-files.ts"

const filesIn = (root: string) => openTaskStateFiles(openRecordFiles({ root }))
const folder = (root: string) => join(root, ".boulder", "sessions")
const file = (root: string, id = LEAD) => join(folder(root), `${id}.json`)
const stored = aStoredTaskState()
const next = aStoredTaskState({ updated_at: at(60), task_state: aTaskState({ goal: "Another" }) })

describe("the task states of a project", () => {
  test("there is none before the first, and nothing is made by looking", () =>
    withFolder(async (root) => {
      expect(await filesIn(root).load(LEAD)).toBeNull()
      expect(await filesIn(root).load("../../etc/passwd")).toBeNull()
      expect(await filesIn(root).list()).toEqual({ stored: [], unreadable: [] })
      expect(await readdir(root)).toEqual([])
    }))

  test("what was saved is loaded, by another process as well", () =>
    withFolder(async (root) => {
      await filesIn(root).save(stored)
      expect(await filesIn(root).load(LEAD)).toEqual(stored)
      await filesIn(root).save(next)
      expect(await filesIn(root).load(LEAD)).toEqual(next)
      expect(await filesIn(root).load(CHILD)).toBeNull()
    }))

  test("every file that is listed can be loaded; those that cannot are named with the reason", () =>
    withFolder(async (root) => {
      const files = filesIn(root)
      await files.save(stored)
      await files.save({ ...next, session_id: "ses_later" })
      const bad = { ...stored, session_id: CHILD, task_state: null }
      await writeFile(file(root, CHILD), JSON.stringify(bad))
      await writeFile(file(root, "ses_moved"), await readFile(file(root)))
      await writeFile(join(folder(root), "notes.txt"), "mine")
      const listed = await files.list()
      expect(listed.stored.map(({ session_id }) => session_id)).toEqual(["ses_later", LEAD])
      for (const one of listed.stored) expect(await files.load(one.session_id)).toEqual(one)
      expect(listed.unreadable).toEqual([
        {
          path: `sessions/${CHILD}.json`,
          problem: "task_state: Invalid input: expected object, received null",
        },
        { path: "sessions/ses_moved.json", problem: "session_id: it is another session's" },
      ])
    }))

  test("what cannot be read at all is named beside those that can", () =>
    withFolder(async (root) => {
      const files = filesIn(root)
      await files.save(stored)
      const bom = aStoredTaskState({ session_id: CHILD, updated_at: at(-60) })
      await writeFile(file(root, CHILD), `\ufeff${JSON.stringify(bom)}`)
      await mkdir(file(root, "ses_folder"))
      await symlink("/etc/passwd", file(root, "ses_link"))
      await symlink("nowhere", file(root, "ses_loose"))
      expect(spawnSync("sh", ["-c", 'mkfifo "$0"', file(root, "ses_pipe")]).status).toBe(0)
      await writeFile(file(root, "ses_huge"), "")
      await truncate(file(root, "ses_huge"), 3_000_000)
      const listed = await files.list()
      expect(listed.stored).toEqual([stored, bom])
      expect(listed.unreadable).toEqual([
        { path: "sessions/ses_folder.json", problem: "found a folder" },
        {
          path: "sessions/ses_huge.json",
          problem: "found 3000000 bytes, above the limit of 2097152",
        },
        { path: "sessions/ses_link.json", problem: "found a link to /etc/passwd" },
        { path: "sessions/ses_loose.json", problem: "found a link to nothing" },
        { path: "sessions/ses_pipe.json", problem: "found a named pipe" },
      ])
    }))

  test("a file that cannot be loaded says so, and is kept when a state is saved over it", () =>
    withFolder(async (root) => {
      await mkdir(folder(root), { recursive: true })
      await writeFile(file(root), "{}")
      const loading = filesIn(root).load(LEAD)
      await expect(loading).rejects.toThrow(
        `Expected .boulder/sessions/${LEAD}.json to hold a task state; found schema_version: Invalid input: expected 1`,
      )
      await filesIn(root).save(stored)
      expect(await filesIn(root).load(LEAD)).toEqual(stored)
      const [kept] = (await readdir(folder(root))).filter((name) => name.includes("corrupt"))
      expect(await readFile(join(folder(root), kept ?? ""), "utf8")).toBe("{}")
      expect((await filesIn(root).list()).unreadable).toEqual([])
    }))

  test("a save that fails at any operation leaves the old state or the new one, whole", () =>
    withFolder(async (root) => {
      await filesIn(root).save(stored)
      let faults = 0
      for (let index = 0; index < 100; index++) {
        let isHit = false
        const files = hookedPort(nodeFilePort(), {
          before: (step) => {
            if (step.index !== index) return
            isHit = true
            throw systemError("EROFS", step)
          },
        })
        const saving = openTaskStateFiles(openRecordFiles({ root, files })).save(next)
        const error = await saving.catch((thrown: unknown) => thrown)
        if (!isHit) break
        faults += 1
        const found = await filesIn(root).load(LEAD)
        expect([stored, next]).toContainEqual(found as typeof stored)
        if (found?.updated_at === stored.updated_at) expect(error).toBeInstanceOf(Error)
        await filesIn(root).save(stored)
      }
      expect(faults).toBeGreaterThan(8)
    }))
})
