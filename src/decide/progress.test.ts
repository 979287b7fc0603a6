import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, at, aWork, CHILD } from "../../test/support/builders.ts"
import type { TaskSession, Work } from "../boulder/boulder.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import type { Task, TaskState } from "../plan/model/plan.ts"
import { isSameProgress, progressOf, progressSince } from "./progress.ts"

const one = aTask({ label: "1" })
const two = aTask({ label: "2" })
const step = (state: TaskState) => ({ line: 5, title: "a", state, marker: "", optional: false })
const f1 = aTask({ label: "F1", section: "final-wave" })
const sessions = (task: Task, given: Partial<TaskSession>): Partial<Work> => ({
  task_sessions: { [task.key]: aTaskSession(task, given) },
})
const bothIn = (...tasks: readonly Task[]): Partial<Work> => ({
  task_sessions: Object.fromEntries(
    tasks.map((task) => [task.key, aTaskSession(task, { results: 1 })]),
  ),
})
const wave = (verdict: "pass" | "reject", seconds: number): Partial<Work> => ({
  final_wave: {
    [f1.key]: { title_hash: f1.titleHash, verdict, session_id: CHILD, at: at(seconds) },
  },
})
const added = aTask({ label: "2", title: "Once the first" })
const numbered = { kind: "read", plan: aPlan([one, added]) } as const
const renumbered = sessions({ ...added, key: one.key, label: "1" }, { results: 1 })
interface State {
  readonly tasks?: readonly Task[]
  readonly work?: Partial<Work>
  readonly tree?: string | null
  readonly writes?: readonly string[]
  readonly handoffs?: string
}
const progress = ({
  tasks = [one, two],
  work = {},
  tree = "t1",
  writes = [],
  handoffs = "",
}: State) => progressOf(aPlan(tasks), aWork(work), { tree, writes }, handoffs)

describe("progress", () => {
  const before: State = {}
  test.each<{ name: string; before: State; after: State; moved: boolean }>([
    { name: "nothing changed", before, after: {}, moved: false },
    { name: "a first handoff", before, after: { handoffs: "hnd_1 blocked" }, moved: true },
    {
      name: "another handoff",
      before: { handoffs: "hnd_1 blocked" },
      after: { handoffs: "hnd_1 complete" },
      moved: true,
    },
    { name: "a mark", before, after: { tasks: [{ ...one, state: "done" }, two] }, moved: true },
    {
      name: "a task taken up",
      before,
      after: { tasks: [{ ...one, state: "in_progress" }, two] },
      moved: true,
    },
    {
      name: "a step of a heading",
      before: { tasks: [{ ...one, state: "in_progress", steps: [step("done"), step("open")] }] },
      after: { tasks: [{ ...one, state: "in_progress", steps: [step("done"), step("done")] }] },
      moved: true,
    },
    {
      name: "a task added",
      before,
      after: { tasks: [one, two, aTask({ label: "3" })] },
      moved: true,
    },
    {
      name: "lines that moved down",
      before,
      after: { tasks: [{ ...one, line: 90, endLine: 99 }, two] },
      moved: false,
    },
    { name: "the content of the tree", before, after: { tree: "t2" }, moved: true },
    { name: "git no longer telling", before, after: { tree: null }, moved: true },
    { name: "a first result", before, after: { work: sessions(one, { results: 1 }) }, moved: true },
    {
      name: "a second result",
      before: { work: sessions(one, { results: 1 }) },
      after: { work: sessions(one, { results: 2 }) },
      moved: true,
    },
    {
      name: "results that are kept in another order",
      before: { work: bothIn(one, two) },
      after: { work: bothIn(two, one) },
      moved: false,
    },
    {
      name: "one more attempt with the same result",
      before: { work: sessions(one, { attempts: 1 }) },
      after: { work: sessions(one, { attempts: 9, updated_at: at(5) }) },
      moved: false,
    },
    {
      name: "a failure",
      before: { work: sessions(one, {}) },
      after: { work: sessions(one, { failures: 1 }) },
      moved: false,
    },
    {
      name: "a result for a settled task",
      before: { tasks: [{ ...one, state: "done" }] },
      after: { tasks: [{ ...one, state: "done" }], work: sessions(one, { results: 2 }) },
      moved: false,
    },
    {
      name: "our own counters",
      before,
      after: { work: { checkpoint_seq: 9, continuation: { ...aWork().continuation, count: 9 } } },
      moved: false,
    },
    {
      name: "a row of the wave that passes now",
      before: { tasks: [f1], work: wave("reject", 0) },
      after: { tasks: [f1], work: wave("pass", 5) },
      moved: true,
    },
    {
      name: "a row of the wave that is rejected once more (omo#3446)",
      before: { tasks: [f1], work: wave("reject", 0) },
      after: { tasks: [f1], work: wave("reject", 5) },
      moved: false,
    },
    {
      name: "what is kept of a task that was renumbered, and then goes to its new key",
      before: { tasks: [one, added], work: renumbered },
      after: { tasks: [one, added], work: followTasks(numbered)(aWork(renumbered)) },
      moved: false,
    },
    {
      name: "the results of a title that is no longer in the plan, which leave",
      before: { tasks: [one], work: sessions({ ...one, titleHash: "00000000" }, { results: 2 }) },
      after: { tasks: [one] },
      moved: false,
    },
    {
      name: "the verdict of a row that is no longer in the plan, which leaves",
      before: { tasks: [one], work: wave("pass", 0) },
      after: { tasks: [one] },
      moved: false,
    },
  ])("$name: $moved", ({ before: first, after, moved }) => {
    expect(progress(first) !== progress(after)).toBe(moved)
  })
  test("a ticked row that was rejected is open: its new results count, at most twice", () => {
    const ticked = { ...f1, state: "done" as const, runnable: false }
    const after = (results: number) =>
      progress({
        tasks: [ticked],
        work: { ...wave("reject", results), ...sessions(ticked, { results }) },
      })
    expect(after(1)).not.toBe(after(2))
  })
})

/** What is known of the files at two turns, the earlier one as it was written down. */
describe("whether the files have changed", () => {
  const none = { tree: null, writes: [] }
  test.each<{ name: string; before: State; after: State; same: boolean }>([
    { name: "nothing is ever known", before: none, after: none, same: true },
    {
      name: "git tells twice, and the same",
      before: { tree: "t1", writes: ["w1"] },
      after: { tree: "t1", writes: ["w2"] },
      same: true,
    },
    { name: "git tells of a change", before: {}, after: { tree: "t2" }, same: false },
    { name: "git is late", before: {}, after: none, same: true },
    { name: "git is late for the first time", before: none, after: {}, same: true },
    {
      name: "git is late, and something was written",
      before: {},
      after: { tree: null, writes: ["w1"] },
      same: false,
    },
    {
      name: "something was written without git",
      before: none,
      after: { tree: null, writes: ["w1"] },
      same: false,
    },
    {
      name: "the same was written once more",
      before: { tree: null, writes: ["w1"] },
      after: { tree: null, writes: ["w1"] },
      same: true,
    },
    {
      name: "a new process has seen no write",
      before: { tree: null, writes: ["w1"] },
      after: none,
      same: true,
    },
  ])("$name: $same", ({ before, after, same }) => {
    expect(isSameProgress(progress(before), progress(after))).toBe(same)
    const written = progressSince(progress(before), progress(after))
    expect(isSameProgress(written, progress(after))).toBe(true)
  })
})
