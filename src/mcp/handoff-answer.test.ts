import { expect, test } from "bun:test"
import { aTask, aTaskSession, CHILD, LEAD } from "../../test/support/builders.ts"
import { SCENE_PLAN, withDesk } from "../../test/support/handoff-scene.ts"
import { changeWork } from "../boulder/change-work.ts"
import { answerCall } from "./handoff-answer.ts"

const done = { summary: "done", status: "complete" }

const rows = [
  {
    what: "the lead of a work marks any of its tasks",
    sessionId: LEAD,
    args: { ...done, task: "todo:1" },
    says: "todo:1 is marked done in the plan.",
    plan: SCENE_PLAN.replace("- [ ] 1.", "- [x] 1."),
  },
  {
    what: "the recorded session of a task means that task",
    sessionId: CHILD,
    args: done,
    says: "todo:2 is marked done in the plan.",
    plan: SCENE_PLAN.replace("- [ ] 2.", "- [x] 2."),
  },
  {
    what: "nobody else marks a task that is not in his hands",
    sessionId: "claude-1",
    args: { ...done, task: "todo:1" },
    says: "todo:1 is not marked in the plan",
    plan: SCENE_PLAN,
  },
]

test.each(rows)("an agent that names its session: $what", ({ sessionId, args, says, plan }) =>
  withDesk(async (scene) => {
    const needs = { ...scene, sessionId, agent: null }
    const answer = await answerCall(needs, "save_task_progress", args)
    expect(answer.text).toContain(says)
    expect(answer.refused).toBe(false)
    expect(await scene.plan()).toBe(plan)
  }),
)

test.each([{ sessionId: LEAD }, { sessionId: CHILD }])(
  "in a completed work $sessionId has no place: what it saves is about its own words",
  ({ sessionId }) =>
    withDesk(async (scene) => {
      await scene.finish()
      const needs = { ...scene, sessionId, agent: null }
      const working = { summary: "half", status: "blocked", blocked_reason: "no key" }
      await answerCall(needs, "save_task_progress", working)
      const [handoff] = (await scene.desk.open(null)).handoffs
      expect(handoff).toMatchObject({ work_id: null, task_key: null })
      expect(await scene.plan()).toBe(SCENE_PLAN)
    }),
)

test("a session of two tasks has the place that opencode would give it: in the work, of no task", () =>
  withDesk(async (scene) => {
    const [one, two] = [aTask({ label: "1" }), aTask({ label: "2" })]
    const both = { [one.key]: aTaskSession(one), [two.key]: aTaskSession(two) }
    await scene.store.update(
      changeWork("demo", new Date().toISOString(), (work) => ({ ...work, task_sessions: both })),
    )
    const working = { summary: "half", status: "blocked", blocked_reason: "no key" }
    await answerCall({ ...scene, sessionId: CHILD, agent: null }, "save_task_progress", working)
    const [handoff] = (await scene.desk.open(null)).handoffs
    expect(handoff).toMatchObject({ work_id: "demo", task_key: null })
  }))

test("a session that names itself keeps its claim when its server starts anew", () =>
  withDesk(async (scene) => {
    const needs = { ...scene, sessionId: "nightly-1", agent: null }
    const working = { summary: "half", status: "in_progress", task: "the importer" }
    await answerCall(needs, "save_task_progress", working)
    scene.wait(29)
    await answerCall({ ...needs }, "list_blocked_tasks", {})
    scene.wait(29)
    const other = await answerCall({ ...needs, sessionId: "other" }, "list_blocked_tasks", {})
    expect(other.text).toContain("No blocked")
    const settled = await answerCall(needs, "save_task_progress", done)
    expect(settled.text).toContain(": complete.")
  }))
