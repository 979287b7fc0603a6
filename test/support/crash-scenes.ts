import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { claimHandoff, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import type { FilePort } from "../../src/store/disk/file-port.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { markTaskInPlan } from "../../src/store/plans/write-plan.ts"
import { writeCheckpoint } from "../../src/store/records/checkpoint-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "./builders.ts"
import type { Disk } from "./crash-states.ts"
import { aHandoff, anActor, idOf, SECOND, someProgress, timed } from "./handoff-builders.ts"
import { countOf, countUp } from "./store-boulders.ts"
import { aStoredTaskState, aTaskState } from "./task-states.ts"

/** A change that a power cut may hit at any of its steps. */
export interface CrashScene {
  readonly name: string
  /** What was there long before, all of it on disk. */
  prepare(root: string, files: FilePort): Promise<unknown>
  /** The change before: acknowledged, with what it has left to the system to write. */
  earlier(root: string, files: FilePort): Promise<unknown>
  change(root: string, files: FilePort): Promise<unknown>
  /** What a reader finds. */
  found(root: string, files: FilePort): Promise<unknown>
  /** The next change. Throws if it cannot be made. */
  next?(root: string, files: FilePort): Promise<unknown>
  /** Syncs that a single process does not need: the steps after them bring the same to disk. */
  readonly covered?: readonly string[]
}

const nothing = async () => undefined
const storeOf = (root: string, files: FilePort) =>
  openFileBoulderStore({ root, files, pause: nothing })
const update = (root: string, files: FilePort) => storeOf(root, files).update(countUp("w"))
const threeUpdates = async (root: string, files: FilePort) => {
  for (let times = 0; times < 3; times++) await update(root, files)
}
/** Like a hook that goes on while the disk is at work. */
const placed = async (root: string, files: FilePort) => {
  const placed: Promise<void>[] = []
  await storeOf(root, files).update(countUp("w"), (onDisk) => placed.push(onDisk))
  await Promise.all(placed)
}
const count = async (root: string, files: FilePort) =>
  countOf((await storeOf(root, files).read()).boulder, "w")

/** Git never has half of our rules. */
async function rules(root: string, files: FilePort): Promise<string> {
  const text = await files.readText(join(root, ".boulder", ".gitignore"), 1_000)
  return text === null || text.endsWith("/*\n!/plans/\n") ? "none or all" : "torn"
}

const handoffsOf = (root: string, files: FilePort) =>
  openFileHandoffStore({ root, records: openRecordFiles({ root, files }), pause: nothing })
const createHandoff = (root: string, files: FilePort) =>
  handoffsOf(root, files).create(() =>
    aHandoff({ scope: { project: projectScope(root), agent: null } }),
  )
const saveAgain = (root: string, files: FilePort, summary: string) => {
  const progress = someProgress({ status: "in_progress", summary })
  return handoffsOf(root, files).update(idOf(1), timed(2, saveHandoff(anActor(SECOND), progress)))
}
const claim = (root: string, files: FilePort) =>
  handoffsOf(root, files).update(idOf(1), timed(1, claimHandoff(anActor(SECOND))))
const complete = (root: string, files: FilePort) => {
  const progress = someProgress({ status: "complete", summary: "done" })
  return handoffsOf(root, files).update(idOf(1), timed(3, saveHandoff(anActor(SECOND), progress)))
}
/** The record, and whether the list of open ones says the same. */
async function handoff(root: string, files: FilePort): Promise<unknown> {
  const store = handoffsOf(root, files)
  const { handoffs, unreadable } = await store.open()
  const record = await store.read(idOf(1))
  const isListed = handoffs.some(({ id }) => id === idOf(1))
  const isOpen = record !== null && record.settled_at === null
  return { record, unreadable, isListedRight: isListed === isOpen }
}

const statesOf = (root: string, files: FilePort) =>
  openTaskStateFiles(openRecordFiles({ root, files }))
const saveState = (root: string, files: FilePort, goal: string) =>
  statesOf(root, files).save(aStoredTaskState({ task_state: aTaskState({ goal }) }))
const stateGoal = async (root: string, files: FilePort) =>
  (await statesOf(root, files).load(LEAD))?.task_state.goal ?? null

const checkpoint = (root: string, files: FilePort, after: number) =>
  writeCheckpoint(openRecordFiles({ root, files }), {
    workId: "w",
    after,
    textOf: (seq) => `{ "checkpoint": ${seq}, "window": ["todo:1", "todo:2"] }\n`,
    isSame: (one, other) => one === other,
  })
const checkpoints = async (root: string, files: FilePort) => {
  const records = openRecordFiles({ root, files })
  const names = [...(await records.list("works/w/checkpoints"))].sort()
  return Promise.all(names.map((name) => records.read(`works/w/checkpoints/${name}`)))
}

const PLAN = "plan.md"
const PLAN_TEXT = "## TODOs\n\n- [ ] 1. One\n- [ ] 2. Two\n- [ ] 3. Three\n"
const mark = (root: string, files: FilePort, at: number) => {
  const task = parsePlan(PLAN_TEXT, { path: PLAN }).tasks[at]
  const { key, titleHash } = task ?? { key: "", titleHash: "" }
  return markTaskInPlan(root, PLAN, { key, titleHash, state: "done", note: null }, files)
}

export const CRASH_SCENES: readonly CrashScene[] = [
  {
    name: "the first update of all",
    prepare: nothing,
    earlier: nothing,
    change: update,
    found: async (root, files) => ({
      count: await count(root, files),
      rules: await rules(root, files),
    }),
    next: update,
  },
  {
    name: "an update",
    prepare: threeUpdates,
    earlier: update,
    change: update,
    found: count,
    next: update,
  },
  {
    name: "a change in place that is waited for later",
    prepare: threeUpdates,
    earlier: update,
    change: placed,
    found: count,
    next: update,
  },
  {
    name: "a handoff's first save",
    prepare: update,
    earlier: nothing,
    change: createHandoff,
    found: handoff,
    next: createHandoff,
  },
  {
    name: "a handoff's next save",
    prepare: createHandoff,
    earlier: claim,
    change: (root, files) => saveAgain(root, files, "more is done"),
    found: handoff,
    next: (root, files) => saveAgain(root, files, "still more"),
  },
  {
    name: "a handoff's claim",
    prepare: update,
    earlier: createHandoff,
    change: claim,
    found: handoff,
    next: complete,
  },
  {
    name: "a handoff's complete",
    prepare: createHandoff,
    earlier: claim,
    change: complete,
    found: handoff,
    next: complete,
    covered: [
      // The record is put away, for good, before the change is acknowledged.
      "sync-folder .boulder/handoffs",
      // It is put away twice; the second time another process may have made the name without syncing it.
      `sync .boulder/handoffs/settled/${idOf(1)}.json`,
      "sync-folder .boulder/handoffs/settled",
    ],
  },
  {
    name: "a task state's first save",
    prepare: update,
    earlier: nothing,
    change: (root, files) => saveState(root, files, "the first"),
    found: stateGoal,
    next: (root, files) => saveState(root, files, "the next"),
  },
  {
    name: "a task state's next save",
    prepare: (root, files) => saveState(root, files, "the first"),
    earlier: (root, files) => saveState(root, files, "the second"),
    change: (root, files) => saveState(root, files, "the third"),
    found: stateGoal,
    next: (root, files) => saveState(root, files, "the next"),
  },
  {
    name: "a checkpoint",
    prepare: update,
    earlier: (root, files) => checkpoint(root, files, 0),
    change: (root, files) => checkpoint(root, files, 1),
    found: checkpoints,
    next: (root, files) => checkpoint(root, files, 2),
  },
  {
    name: "a mark in a plan",
    prepare: (root) => writeFile(join(root, PLAN), PLAN_TEXT),
    earlier: (root, files) => mark(root, files, 0),
    change: (root, files) => mark(root, files, 1),
    found: (root, files) => files.readText(join(root, PLAN), PLAN_TEXT.length * 2),
  },
  {
    name: "a mark in a plan by way of our folder",
    prepare: async (root, files) => {
      await update(root, files)
      await writeFile(join(root, PLAN), PLAN_TEXT)
    },
    earlier: (root, files) => mark(root, files, 0),
    change: (root, files) => mark(root, files, 1),
    found: (root, files) => files.readText(join(root, PLAN), PLAN_TEXT.length * 2),
  },
]

/** What is below a folder. */
export async function diskOf(root: string): Promise<Disk> {
  const files = new Map<string, string>()
  const folders = new Set([root])
  for (const one of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(one.parentPath, one.name)
    if (one.isDirectory()) folders.add(path)
    else files.set(path, await readFile(path, "utf8"))
  }
  return { files, folders }
}
