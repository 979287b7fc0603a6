import { describe, expect, test } from "bun:test"
import { aPlan, aTask } from "../../test/support/builders.ts"
import { aHandoff } from "../../test/support/handoff-builders.ts"
import type { PlaceInWork } from "./handoff-target.ts"
import { mayMark, mayWrite } from "./may-mark.ts"

const [two, three] = [aTask({ label: "2" }), aTask({ label: "3" })]
const LEAD: PlaceInWork = { workId: "demo", role: "lead", task: null }
const CHILD: PlaceInWork = { workId: "demo", role: "child", task: two }
const OTHERS: PlaceInWork = { workId: "other", role: "lead", task: null }

describe("who marks todo:2 in the plan, and who writes its record", () => {
  test.each([
    { who: "the lead", place: LEAD, held: false, outside: false, marks: true, writes: true },
    {
      who: "the lead, of an offer",
      place: LEAD,
      held: false,
      outside: true,
      marks: true,
      writes: true,
    },
    { who: "its child", place: CHILD, held: false, outside: false, marks: true, writes: true },
    {
      who: "another's child",
      place: { ...CHILD, task: three },
      held: false,
      outside: false,
      marks: false,
      writes: true,
    },
    {
      who: "another's child that claimed it",
      place: { ...CHILD, task: three },
      held: true,
      outside: false,
      marks: true,
      writes: true,
    },
    {
      who: "another's child that claimed an offer",
      place: { ...CHILD, task: three },
      held: true,
      outside: true,
      marks: false,
      writes: true,
    },
    { who: "a stranger", place: null, held: false, outside: false, marks: false, writes: false },
    {
      who: "a stranger who claimed it",
      place: null,
      held: true,
      outside: false,
      marks: true,
      writes: true,
    },
    {
      who: "a stranger, of an offer",
      place: null,
      held: false,
      outside: true,
      marks: false,
      writes: true,
    },
    {
      who: "a stranger who holds an offer",
      place: null,
      held: true,
      outside: true,
      marks: false,
      writes: true,
    },
    {
      who: "another work's lead",
      place: OTHERS,
      held: false,
      outside: false,
      marks: false,
      writes: false,
    },
    {
      who: "another work's lead who claimed it",
      place: OTHERS,
      held: true,
      outside: false,
      marks: true,
      writes: true,
    },
  ])("$who", ({ place, held, outside, marks, writes }) => {
    const of = {
      work_id: "demo",
      task_key: "todo:2",
      ...(outside && { from_outside: true as const }),
    }
    expect(mayMark({ place, held }, aHandoff(of), { plan: aPlan([two, three]), task: two })).toBe(
      marks,
    )
    expect(mayWrite({ place, held }, aHandoff(of))).toBe(writes)
  })
  test.each([
    { name: "the task that a child was given, under its new key", title: two.title, marks: true },
    { name: "another that has its old key", title: "New", marks: false },
  ])("in a plan that was renumbered: $name", ({ title, marks }) => {
    const plan = aPlan([
      aTask({ label: "2", title: "New" }),
      aTask({ label: "3", title: two.title }),
    ])
    const task = plan.tasks.find((one) => one.title === title) ?? two
    const handoff = aHandoff({ work_id: "demo", task_key: task.key, title_hash: task.titleHash })
    expect(mayMark({ place: CHILD, held: false }, handoff, { plan, task })).toBe(marks)
  })
  test("a record of no work is anybody's", () => {
    expect(mayWrite({ place: null, held: false }, aHandoff())).toBe(true)
  })
})
