import { expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import type { Boulder } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { planOf } from "../support/plans.ts"
import type { DelegationsTask } from "../support/plugin-delegations.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { follow, startPrograms } from "../support/store-processes.ts"

/** Two updates each: the intent before the call, the outcome after it. */
const DELEGATIONS = 100
const TASKS = 10
const PROGRAM = join(import.meta.dir, "..", "support", "plugin-delegations.ts")

test.each([2, 4, 8])(
  "%i processes with the plugin's own hooks, 200 updates each, lose none",
  async (servers) => {
    const start = await startPrograms()
    await withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      const stop = join(root, "stop")
      const reader = start("bun", { kind: "read", root, stop })
      const startedMs = performance.now()
      const running = Array.from({ length: servers }, async (_, index) => {
        const plan = `plans/p${index}.md`
        const titles = Array.from({ length: TASKS }, (_, task) => `Task ${task + 1}`)
        await writeFile(join(root, plan), planOf(...titles))
        const lead = `ses_lead${index}`
        const acks = `acks-${index}`
        const task = { root, lead, plan, tasks: TASKS, delegations: DELEGATIONS, acks }
        const ended = await started(task).ended
        expect(ended).toMatchObject({ code: 0, err: "", out: "[]" })
        return task
      })
      const done = await Promise.all(running)
      const tookMs = performance.now() - startedMs
      await writeFile(stop, "")
      const { reads, ...bad } = JSON.parse((await reader.ended).out)
      expect(bad).toEqual({ invalid: 0, backwards: 0, notices: 0 })
      expect(reads).toBeGreaterThan(0)

      const { boulder } = await openFileBoulderStore({ root }).read()
      const updates = servers * 2 * DELEGATIONS
      // And one each for its /start-work.
      expect(boulder?.revision).toBe(updates + servers)
      for (const task of done) await expectAllThere(root, boulder, task)
      const left = (await readdir(join(root, ".boulder"))).filter((name) =>
        /\.(tmp|copy)$|lock|corrupt/.test(name),
      )
      expect(left).toEqual([])
      noteFigure(
        `${servers} processes with the plugin's hooks around \`task\` × ${2 * DELEGATIONS} updates, 1 reader`,
        `0 of ${updates} lost, revision ${boulder?.revision} (with ${servers} starts), ${reads} reads, 0 invalid, ${(tookMs / 1_000).toFixed(1)} s`,
      )
    })
  },
  400_000,
)

/** Every acknowledged delegation counts as an attempt of its task, and the last of a task is the one to reuse. */
async function expectAllThere(root: string, boulder: Boulder | null, task: DelegationsTask) {
  const work = Object.values(boulder?.works ?? {}).find((one) => one.active_plan === task.plan)
  expect(work?.lead_session_id).toBe(task.lead)
  expect(work?.dispatches).toEqual({})
  const lines = (await readFile(join(root, task.acks), "utf8")).split("\n").filter(Boolean)
  expect(lines.length).toBe(DELEGATIONS)
  const attempts = new Map<string, number>()
  const children = new Map<string, string>()
  for (const line of lines) {
    const [key = "", child = ""] = line.split(" ")
    attempts.set(key, (attempts.get(key) ?? 0) + 1)
    children.set(key, child)
  }
  const sessions = Object.values(work?.task_sessions ?? {})
  expect(new Map(sessions.map((one) => [one.task_key, one.attempts]))).toEqual(attempts)
  expect(new Map(sessions.map((one) => [one.task_key, one.session_id]))).toEqual(children)
}

function started(task: DelegationsTask) {
  return follow(spawn(process.execPath, [PROGRAM, JSON.stringify(task)], { stdio: "pipe" }))
}
