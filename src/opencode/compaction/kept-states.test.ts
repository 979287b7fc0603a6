import { expect, test } from "bun:test"
import { LEAD, NOW } from "../../../test/support/builders.ts"
import {
  aStoredTaskState,
  aTaskState,
  EMPTY_TASK_STATE,
} from "../../../test/support/task-states.ts"
import type { StoredTaskState } from "../../boulder/task-state.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { TaskStateFiles } from "../../store/records/task-state-files.ts"
import type { Shell } from "../host/shell.ts"
import { openKeptStates } from "./kept-states.ts"

const state = (goal: string, given: Partial<StoredTaskState> = {}) =>
  aStoredTaskState({ task_state: aTaskState({ goal }), ...given })

/** The states over files in memory, one of which may fail. */
function statesOver(first: StoredTaskState | null, failing: Partial<TaskStateFiles> = {}) {
  const disk = { now: first }
  const said = { toasts: [] as string[], journal: [] as string[] }
  const taskStates: TaskStateFiles = {
    load: async () => disk.now,
    save: async (next) => {
      disk.now = next
      return null
    },
    remove: async () => {
      disk.now = null
    },
    list: async () => ({ stored: [], unreadable: [] }),
    ...failing,
  }
  const shell: Partial<Shell> = {
    taskStates,
    now: () => NOW,
    log: async () => undefined,
    api: { toast: async (text: string) => void said.toasts.push(text) } as Partial<
      Shell["api"]
    > as Shell["api"],
    journal: {
      append: async ({ reason }: { reason: string }) => void said.journal.push(reason),
    } as Partial<Shell["journal"]> as Shell["journal"],
  }
  return { states: openKeptStates(shell as Shell), disk, said }
}
const goalOf = (stored: StoredTaskState | null) => stored?.task_state.goal ?? null

test("a state without a word is none", async () => {
  const { states } = statesOver(aStoredTaskState({ task_state: EMPTY_TASK_STATE }))
  expect(await states.load(LEAD)).toBeNull()
})

test("a damaged file is none, and told of once a session", async () => {
  const damaged = async () => {
    throw new StoreError({
      code: "corrupt",
      expected: "a task state",
      found: "half of one",
      todo: "Remove it.",
    })
  }
  const { states, said } = statesOver(null, { load: damaged })
  for (let times = 0; times < 3; times++) expect(await states.load(LEAD)).toBeNull()
  expect(said).toEqual({
    toasts: ["Expected a task state; found half of one. Remove it."],
    journal: ["corrupt"],
  })
  await states.load("ses_other")
  expect(said.toasts).toHaveLength(2)
  states.forget(LEAD)
  await states.load(LEAD)
  expect(said.toasts).toHaveLength(3)
})

test("a save that fails leaves the state before, and says why", async () => {
  const save = async () => {
    throw new Error("the disk is full")
  }
  const { states, disk } = statesOver(state("before"), { save })
  expect(await states.replace(disk.now, state("next"))).toBe("the disk is full")
  expect(goalOf(await states.load(LEAD))).toBe("before")
})

test("one that fails behind the new file's name counts: what lies there is what was meant", async () => {
  const there: { now: StoredTaskState | null } = { now: state("before") }
  const { states } = statesOver(null, {
    load: async () => there.now,
    save: async (next) => {
      there.now = next
      throw new Error("the folder could not be synced")
    },
  })
  expect(await states.replace(there.now, state("next"))).toBeNull()
})

test("two replacements of a session at once come one after the other", async () => {
  let isSaving = false
  const save: TaskStateFiles["save"] = async () => {
    expect(isSaving).toBe(false)
    isSaving = true
    await Bun.sleep(5)
    isSaving = false
    return null
  }
  const { states } = statesOver(null, { save })
  const both = [states.replace(null, state("one")), states.replace(null, state("two"))]
  expect(await Promise.all(both)).toEqual([null, null])
})

test("an undo of the message that made a state brings the one before it back, and no other message does", async () => {
  const before = state("before", { summary_id: "msg_1" })
  const { states, disk, said } = statesOver({ ...state("next"), summary_id: "msg_2", before })
  await states.undone(LEAD, "msg_9")
  expect([goalOf(disk.now), said.journal]).toEqual(["next", []])
  await states.undone(LEAD, "msg_2")
  expect([goalOf(disk.now), said.journal]).toEqual(["before", ["task-state-undone"]])
  await states.undone(LEAD, "msg_1")
  expect(disk.now).toBeNull()
})
