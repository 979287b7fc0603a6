import { expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, aWork } from "../../test/support/builders.ts"
import type { Task } from "../plan/model/plan.ts"
import { followTasks } from "./follow-tasks.ts"

const [one, two] = [aTask({ label: "1" }), aTask({ label: "2" })]
const known = aWork({
  task_sessions: { [one.key]: aTaskSession(one), [two.key]: aTaskSession(two, { attempts: 7 }) },
  blocked: { [two.key]: "hnd_two", "todo:9": "hnd_unknown" },
})
const into = (...tasks: readonly Task[]) => followTasks({ kind: "read", plan: aPlan(tasks) })
const keys = (...tasks: readonly Parameters<typeof aTask>[0][]) => {
  const work = into(...tasks.map((task) => aTask(task)))(known)
  return Object.entries(work.task_sessions).map(
    ([key, { task_key, title_hash, attempts }]) =>
      `${key} ${task_key} ${title_hash === two.titleHash} ${attempts}`,
  )
}

test("nothing moves: the very same work", () => {
  expect(into(one, two)(known)).toBe(known)
  expect(into(one)(known)).toBe(known)
})
test("nor where the plan cannot be read", () => {
  expect(followTasks({ kind: "unavailable" })(known)).toBe(known)
})
test("followed twice into one plan: the very same work as followed once", () => {
  const follow = into(
    aTask({ label: "2", title: "Task 1" }),
    aTask({ label: "1", title: "Task 2" }),
  )
  const once = follow(known)
  expect(follow(once)).toBe(once)
})
test("two tasks that have changed places keep what is theirs", () => {
  expect(keys({ label: "2", title: "Task 1" }, { label: "1", title: "Task 2" })).toEqual([
    "todo:2 todo:2 false 1",
    "todo:1 todo:1 true 7",
  ])
})
test("one that moves takes the place of one that is reworded", () => {
  expect(keys({ label: "1", title: "Task 2" })).toEqual(["todo:1 todo:1 true 7"])
})
test("of two with one title nobody can tell which it is", () => {
  const twins = [
    { label: "4", title: "Task 2" },
    { label: "5", title: "Task 2" },
  ]
  expect(keys({ label: "1" }, ...twins)).toEqual(["todo:1 todo:1 false 1", "todo:2 todo:2 true 7"])
})
test("a block goes with its task; one of which no title is known stays", () => {
  const { blocked } = into(one, aTask({ label: "5", title: "Task 2" }))(known)
  expect(blocked).toEqual({ "todo:5": "hnd_two", "todo:9": "hnd_unknown" })
})
test.each([
  { name: "no session, verdict or call is known of it", tasks: [{ label: "5", title: "Task 9" }] },
  {
    name: "another takes its old key",
    tasks: [
      { label: "9", title: "New" },
      { label: "5", title: "Task 9" },
    ],
  },
])("a block goes with the note that names its record: $name", ({ tasks }) => {
  const edited = tasks.map((given) =>
    aTask({
      ...given,
      ...(given.title === "Task 9"
        ? { state: "blocked", note: { lines: [2], words: "no key (hnd_unknown)" } }
        : {}),
    }),
  )
  const work = aWork({ blocked: { "todo:9": "hnd_unknown" } })
  expect(into(...edited)(work).blocked).toEqual({ "todo:5": "hnd_unknown" })
})
test("a note in its place moves nothing: the very same work", () => {
  const noted = aTask({
    label: "9",
    state: "blocked",
    note: { lines: [2], words: "(hnd_unknown)" },
  })
  const work = aWork({ blocked: { [noted.key]: "hnd_unknown" } })
  expect(into(noted)(work)).toBe(work)
})
