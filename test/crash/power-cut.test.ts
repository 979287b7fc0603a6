import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import process from "node:process"
import { type FilePort, nodeFilePort } from "../../src/store/disk/file-port.ts"
import { CRASH_SCENES, type CrashScene, diskOf } from "../support/crash-scenes.ts"
import {
  crashStates,
  type Disk,
  type DiskStep,
  type DiskTrace,
  tracingPort,
} from "../support/crash-states.ts"
import { noteFigure } from "../support/store-figures.ts"
import { withFolder } from "../support/store-folder.ts"
import { memoryFiles } from "../support/store-memory-files.ts"
import { stepsInStrace, TRACED_CALLS } from "../support/strace-steps.ts"

/** From Debian; a run without it says which tests it skips. */
const hasStrace = spawnSync("sh", ["-c", "strace -o /dev/null true"]).status === 0

interface Recorded {
  readonly root: string
  readonly trace: DiskTrace
  /** Steps of what was acknowledged before the change. */
  readonly earlier: number
  readonly old: string
  readonly new: string
}

/** Plays a scene on a real folder, and writes down what it asks of the disk; `lost` is the sync that is left out. */
async function record(root: string, scene: CrashScene, lost = -1): Promise<Recorded> {
  const real = nodeFilePort()
  await scene.prepare(root, real)
  const { port, trace } = tracingPort(real, await diskOf(root))
  await scene.earlier(root, port)
  const earlier = trace.steps.length
  const old = await foundIn(scene, root, await diskOf(root))
  await scene.change(root, lost < 0 ? port : withoutSync(port, lost))
  return { root, trace, earlier, old, new: await foundIn(scene, root, await diskOf(root)) }
}

/** A port that leaves out one of the syncs that it is asked for, as a change of our code might. */
function withoutSync(files: FilePort, lost: number): FilePort {
  let asked = 0
  const unless = async <Value>(instead: Value, sync: () => Promise<Value>) =>
    asked++ === lost ? instead : sync()
  return {
    ...files,
    syncFile: (path) => unless(true, () => files.syncFile(path)),
    syncFolder: (path) => unless(true, () => files.syncFolder(path)),
    createOpen: async (path, text, rights) => {
      const file = await files.createOpen(path, text, rights)
      return { ...file, sync: () => unless(undefined, () => file.sync()) }
    },
  }
}

async function foundIn(scene: CrashScene, root: string, disk: Disk): Promise<string> {
  const files = memoryFiles(root, disk)
  try {
    const found = await scene.found(root, files)
    await scene.next?.(root, files)
    return JSON.stringify(found)
  } catch (error) {
    return `threw ${String(error)}`
  }
}

/** The states that a power cut can leave, each looked at once: how many, and the first that is neither old nor new. */
async function checkAll(scene: CrashScene, recorded: Recorded) {
  const { root, trace, earlier } = recorded
  const seen = new Map<string, string>()
  const tally = { states: 0, looked: 0, wrong: null as string | null }
  for (let done = earlier; done <= trace.steps.length; done++) {
    const isAcknowledged = done === trace.steps.length
    for (const disk of crashStates(trace, done)) {
      tally.states += 1
      const key = JSON.stringify([[...disk.files].sort(), [...disk.folders].sort()])
      const known = seen.get(key)
      const found = known ?? (await foundIn(scene, root, disk))
      if (known === undefined) tally.looked += 1
      seen.set(key, found)
      const isRight = found === recorded.new || (found === recorded.old && !isAcknowledged)
      if (!isRight) return { ...tally, wrong: `after ${done} steps: ${found.slice(0, 300)}` }
    }
  }
  return tally
}

describe.each(CRASH_SCENES)("a power cut in $name", (scene) => {
  test("at any step leaves the old state or the new one, and after it the new one", () =>
    withFolder(async (root) => {
      const recorded = await record(root, scene)
      expect(recorded.old).not.toBe(recorded.new)
      const { states, looked, wrong } = await checkAll(scene, recorded)
      expect(wrong).toBeNull()
      expect(looked).toBeGreaterThan(5)
      const steps = recorded.trace.steps.length - recorded.earlier
      noteFigure(
        `a power cut after each of the ${steps} steps of ${scene.name}, all that fsync allows`,
        `${states} states (${looked} different): the old one or the new one, the next change worked`,
      )
    }))

  test("is found out by this test where one of the syncs is left out", async () => {
    const { trace, earlier } = await withFolder((root) => record(root, scene))
    const syncs = trace.steps.slice(earlier).filter(({ kind }) => /^sync/.test(kind))
    const missed: string[] = []
    for (const [lost, sync] of syncs.entries()) {
      const { wrong } = await withFolder(async (root) =>
        checkAll(scene, await record(root, scene, lost)),
      )
      if (wrong === null) missed.push(nameOf(sync))
    }
    expect(syncs.length).toBeGreaterThan(1)
    expect(missed).toEqual([...(scene.covered ?? [])])
  })

  test.skipIf(!hasStrace)("is traced as the system sees it (strace)", () =>
    withFolder(async (root) => {
      const seen = join(root, "..", `${basename(root)}.strace`)
      const program = join(import.meta.dir, "..", "support", "traced-update-process.ts")
      const call = [process.execPath, "run", program, root, scene.name]
      const watch = ["-f", "-y", "-s", "0", "-o", seen, "-e", `trace=${TRACED_CALLS}`]
      const { stdout, stderr } = spawnSync(
        "sh",
        ["-c", 'exec strace "$@"', "strace", ...watch, ...call],
        { encoding: "utf8" },
      )
      expect(stderr).toBe("")
      const steps: readonly DiskStep[] = JSON.parse(stdout)
      const told = steps.map((step) => {
        const kind = step.kind === "sync-folder" ? "sync" : step.kind
        return "path" in step ? `${kind} ${step.path.slice(root.length)}` : kind
      })
      const strace = stepsInStrace(readFileSync(seen, "utf8"), root)
      rmSync(seen)
      expect(told.length).toBeGreaterThan(3)
      const done = strace.map((step) => step.replace(/^write .*/, "write"))
      expect(done.filter((step) => !isSync(step))).toEqual(told.filter((step) => !isSync(step)))
      // A sync that runs beside other steps is told where it is waited for: never before it is done.
      const [ends, waits] = [syncsIn(done), syncsIn(told)]
      expect(ends.map(({ step }) => step)).toEqual(waits.map(({ step }) => step))
      for (const [at, { behind }] of ends.entries())
        expect(behind).toBeLessThanOrEqual(waits[at]?.behind ?? -1)
    }),
  )
})

function isSync(step: string): boolean {
  return step.startsWith("sync ")
}

/** The syncs, each with how many other steps stand before it. */
function syncsIn(steps: readonly string[]) {
  const others = (at: number) => steps.slice(0, at).filter((step) => !isSync(step)).length
  return steps.flatMap((step, at) => (isSync(step) ? [{ step, behind: others(at) }] : []))
}

/** Without what is made anew each time. */
function nameOf(step: DiskStep): string {
  const path = "path" in step ? step.path.replace(/^.*\/store-\w+\/?/, "") : ""
  return `${step.kind} ${path.replace(/\.\d+-\d+-[0-9a-f]+-[0-9a-f]+\.tmp$/, "")}`
}
