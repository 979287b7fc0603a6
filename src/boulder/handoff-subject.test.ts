import { describe, expect, test } from "bun:test"
import { aTask, aWork, NOW } from "../../test/support/builders.ts"
import { aHandoff, anActor, idOf, SECOND, THIRD } from "../../test/support/handoff-builders.ts"
import { hashTitle } from "../plan/model/title.ts"
import type { Handoff } from "./handoff.ts"
import { claimHandoff } from "./handoff-changes.ts"
import { recordOf, type Subject, subjectText } from "./handoff-subject.ts"
import type { PlaceInWork } from "./handoff-target.ts"

const title = "Check the password"
const two = aTask({ label: "2", title, titleHash: hashTitle(title) })
const work = aWork({ work_id: "demo" })
const LEADER: PlaceInWork = { workId: "demo", role: "lead", task: null }

function held(number: number, by: string, given: Partial<Handoff> = {}): Handoff {
  const handoff = aHandoff({ id: idOf(number), ...given })
  const claimed = claimHandoff(anActor(by))(handoff, NOW)
  return typeof claimed === "string" ? handoff : claimed
}

describe("the record that a save goes into", () => {
  const task = { kind: "task", work, task: two } as const
  const ofTask = { work_id: "demo", task_key: "todo:2", title_hash: two.titleHash }
  const rows: readonly {
    readonly what: string
    readonly target: Subject
    readonly open: readonly Handoff[]
    readonly is: string | null
    readonly place?: PlaceInWork | null
  }[] = [
    { what: "the same task", target: task, open: [aHandoff(ofTask)], is: idOf(1) },
    {
      what: "the newest of two",
      target: task,
      open: [
        aHandoff(ofTask),
        aHandoff({ ...ofTask, id: idOf(2), updated_at: "2026-11-21T13:00:00.000Z" }),
      ],
      is: idOf(2),
    },
    {
      what: "same key, another title: another task",
      target: task,
      open: [aHandoff({ ...ofTask, title_hash: "other" })],
      is: null,
    },
    {
      what: "same key, another work",
      target: task,
      open: [aHandoff({ ...ofTask, work_id: "other" })],
      is: null,
    },
    {
      what: "a task for one from outside: not the work's own record",
      target: task,
      open: [aHandoff(ofTask)],
      is: null,
      place: null,
    },
    {
      what: "a task for one from outside: the work's own record, once it is claimed",
      target: task,
      open: [aHandoff({ ...ofTask, id: idOf(2), from_outside: true }), held(1, SECOND, ofTask)],
      is: idOf(1),
      place: null,
    },
    {
      what: "a task for the work: not a record from outside",
      target: task,
      open: [aHandoff({ ...ofTask, from_outside: true })],
      is: null,
    },
    {
      what: "a task for the work: one from outside that it has claimed",
      target: task,
      open: [
        aHandoff({ ...ofTask, id: idOf(2) }),
        held(1, SECOND, { ...ofTask, from_outside: true }),
      ],
      is: idOf(1),
    },
    {
      what: "words that are a task's title: not the task's record",
      target: { kind: "text", text: two.title },
      open: [aHandoff({ ...ofTask, task_text: two.title })],
      is: null,
    },
    {
      what: "the same words, whoever said them",
      target: { kind: "text", text: "The  Importer " },
      open: [aHandoff({ session_id: THIRD })],
      is: idOf(1),
    },
    {
      what: "other words",
      target: { kind: "text", text: "the exporter" },
      open: [aHandoff()],
      is: null,
    },
    {
      what: "no words: one's own without any",
      target: { kind: "text", text: null },
      open: [aHandoff({ task_text: null, session_id: SECOND })],
      is: idOf(1),
    },
    {
      what: "no words: not another's",
      target: { kind: "text", text: null },
      open: [aHandoff({ task_text: null })],
      is: null,
    },
    {
      what: "a work as a whole: one's own",
      target: { kind: "work", work },
      open: [aHandoff({ work_id: "demo", task_text: null, session_id: SECOND })],
      is: idOf(1),
    },
    {
      what: "a work as a whole: not another's",
      target: { kind: "work", work },
      open: [aHandoff({ work_id: "demo", task_text: null })],
      is: null,
    },
  ]
  test.each(rows)("$what", ({ target, open, is, place = LEADER }) => {
    expect(recordOf(target, open, { sessionId: SECOND, place })?.id ?? null).toBe(is)
  })
})

test("a subject's text is the same for whoever means the same, and for nobody else", () => {
  const owner = { sessionId: SECOND, place: LEADER, agent: "build" }
  const task: Subject = { kind: "task", work, task: two }
  const text: Subject = { kind: "text", text: "The  Importer " }
  const same: readonly (readonly [string, string])[] = [
    [subjectText(task, owner, false), subjectText(task, { ...owner, sessionId: THIRD }, false)],
    [
      subjectText(text, owner, false),
      subjectText({ kind: "text", text: "the importer" }, owner, false),
    ],
    [subjectText(text, owner, false), subjectText(text, { ...owner, agent: "plan" }, false)],
  ]
  for (const [one, other] of same) expect(one).toBe(other)
  const all = [
    subjectText(task, owner, false),
    subjectText(task, { ...owner, place: null }, false),
    subjectText(task, owner, true),
    subjectText({ ...task, task: { ...two, titleHash: "other" } }, owner, false),
    subjectText({ ...task, work: aWork({ work_id: "other" }) }, owner, false),
    subjectText(text, owner, false),
    subjectText(text, owner, true),
    subjectText(text, { ...owner, agent: "plan" }, true),
    subjectText({ kind: "text", text: null }, owner, false),
    subjectText({ kind: "text", text: null }, { ...owner, sessionId: THIRD }, false),
    subjectText({ kind: "work", work }, owner, false),
  ]
  expect(new Set(all).size).toBe(all.length)
})
