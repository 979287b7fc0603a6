import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aWork, NOW } from "../../test/support/builders.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  SECOND,
  THIRD,
} from "../../test/support/handoff-builders.ts"
import type { TaskState } from "../plan/model/plan.ts"
import { hashTitle } from "../plan/model/title.ts"
import type { Handoff } from "./handoff.ts"
import { claimHandoff } from "./handoff-changes.ts"
import { type HandoffTarget, type TargetFacts, targetOf } from "./handoff-target.ts"

const one = aTask({ label: "1", title: "Add the login form" })
const title = "Check the password"
const two = aTask({ label: "2", title, titleHash: hashTitle(title) })
const han = aTask({ label: "3", title: "检查登录密码" })
const step = (title: string, state: TaskState) => ({ ...aTask({ label: "s" }), title, state })
const stepped = aPlan([
  { ...one, steps: [step("1. Set up", "open"), step("2. Write tests", "open")] },
  { ...two, steps: [step("1. Set up", "open"), step("2. Write tests", "done")] },
  aTask({ label: "3", steps: [step("1. Set up", "done")] }),
])
const work = aWork({ work_id: "demo" })
const other = aWork({ work_id: "other" })
const demo = { work, plan: aPlan([one, two]) }
const alike = { work: other, plan: aPlan([one]) }
const unlike = { work: aWork({ work_id: "unlike" }), plan: aPlan([{ ...two, key: "todo:1" }]) }

function held(number: number, by: string, given: Partial<Handoff> = {}): Handoff {
  const handoff = aHandoff({ id: idOf(number), ...given })
  const claimed = claimHandoff(anActor(by))(handoff, NOW)
  return typeof claimed === "string" ? handoff : claimed
}

const about = (given: Partial<TargetFacts>): HandoffTarget =>
  targetOf({
    sessionId: SECOND,
    status: "blocked",
    named: null,
    open: [],
    place: null,
    works: [demo],
    ...given,
  })

/** A target in a word. */
function said(target: HandoffTarget): string {
  switch (target.kind) {
    case "record":
      return target.handoff.id
    case "task":
      return `${target.work.work_id} ${target.task.key}`
    case "work":
      return `${target.work.work_id} as a whole`
    case "text":
      return `text ${target.text}`
    case "refused":
      return `${target.reason} ${target.ids.join(" ")}`.trim()
  }
}

const lead = { workId: "demo", role: "lead", task: null } as const
const child = { workId: "demo", role: "child", task: two } as const

describe("what is named", () => {
  const rows: readonly {
    readonly what: string
    readonly facts: Partial<TargetFacts>
    readonly is: string
  }[] = [
    {
      what: "a handoff id",
      facts: { named: idOf(4), open: [aHandoff({ id: idOf(4) })] },
      is: idOf(4),
    },
    {
      what: "a handoff id of another project or none",
      facts: { named: idOf(9) },
      is: "unknown-handoff",
    },
    { what: "a task key", facts: { named: "todo:2" }, is: "demo todo:2" },
    { what: "a task key in capitals", facts: { named: "TODO:2" }, is: "demo todo:2" },
    { what: "a key that no plan has", facts: { named: "todo:9" }, is: "unknown-task" },
    { what: "a key without any work", facts: { named: "todo:2", works: [] }, is: "unknown-task" },
    {
      what: "a key of two works",
      facts: { named: "todo:1", works: [demo, alike] },
      is: 'ambiguous-task todo:1 "Add the login form" todo:1 "Add the login form"',
    },
    {
      what: "a key of two works, with the title that it has in one",
      facts: { named: `todo:1 "${title}"`, works: [demo, alike, unlike] },
      is: "unlike todo:1",
    },
    {
      what: "a key of two works, and one of the tasks is held",
      facts: {
        named: "todo:1",
        works: [demo, alike],
        open: [
          held(4, SECOND, { work_id: "other", task_key: "todo:1", title_hash: one.titleHash }),
        ],
      },
      is: "other todo:1",
    },
    { what: "free text", facts: { named: "the importer" }, is: "text the importer" },
    ...[
      { of: "its lead, by key", facts: { named: "todo:2", place: lead } },
      { of: "its lead, by title", facts: { named: title, place: lead } },
      { of: "a subagent with a task", facts: { place: child } },
      { of: "others, by key", facts: { named: "todo:2" } },
      {
        of: "others, by the record that they hold",
        facts: { open: [held(4, SECOND, { work_id: "demo", task_key: "todo:1" })] },
      },
    ].map(({ of, facts }) => ({
      what: `a task of a plan that cannot be read, by ${of}`,
      facts: {
        ...facts,
        status: "complete" as const,
        works: [{ work, plan: null, unread: "no file" }],
      },
      is: "unread-plan no file",
    })),
    {
      what: "a record whose plan cannot be read, for what marks nothing",
      facts: {
        status: "in_progress",
        open: [held(4, SECOND, { work_id: "demo", task_key: "todo:1" })],
        works: [{ work, plan: null, unread: "no file" }],
      },
      is: idOf(4),
    },
    {
      what: "a title, from outside",
      facts: { named: "Check the password" },
      is: "text Check the password",
    },
    {
      what: "a title, in one's own work",
      facts: { named: "Check the  password", place: lead },
      is: "demo todo:2",
    },
    { what: "a label, in one's own work", facts: { named: "2", place: lead }, is: "demo todo:2" },
    ...[
      'todo:2 "Check the password"',
      "todo:2 Check the password",
      "todo:2: Check the password",
      "todo:2.",
      "Task 2",
      "2. Check the password",
      "Task 2: check the password",
      '2 "Check the password"',
    ].map((named) => ({
      what: `a task as our texts and people write it: ${named}`,
      facts: { named, place: lead },
      is: "demo todo:2",
    })),
    {
      what: "a key with a title, from outside",
      facts: { named: 'todo:2 "Check the password"' },
      is: "demo todo:2",
    },
    {
      what: "a key with a title that no plan has",
      facts: { named: 'todo:9 "Check the password"', place: lead },
      is: "unknown-task",
    },
    ...[
      'todo:1 "Check the password"',
      "todo:1 Check the password",
      "TODO:1: check the password",
    ].map((named) => ({
      what: `a key with another's title: ${named}`,
      facts: { named, place: lead },
      is: 'ambiguous-task todo:1 "Add the login form" todo:2 "Check the password"',
    })),
    {
      what: "a key with another's title in a script without blanks",
      facts: {
        named: "todo:1 检查登录密码",
        place: lead,
        works: [{ work, plan: aPlan([one, han]) }],
      },
      is: 'ambiguous-task todo:1 "Add the login form" todo:3 "检查登录密码"',
    },
    ...(
      [
        ["todo:1 Set up", "one-step todo:1 1. Set up"],
        ['todo:1: "1. Set up"', "one-step todo:1 1. Set up"],
        ["todo:1 Step 1", "one-step todo:1 1. Set up"],
        ["todo:1 step 2: Write tests", "one-step todo:1 2. Write tests"],
        ["todo:1 both steps", "demo todo:1"],
        ["todo:1", "demo todo:1"],
        ["todo:1 Add the login form", "demo todo:1"],
        ["todo:2 Set up", "demo todo:2"],
        ["todo:3 Set up", "demo todo:3"],
      ] as const
    ).map(([named, is]) => ({
      what: `a step of a heading, while others are left: ${named}`,
      facts: { named, status: "complete" as const, place: lead, works: [{ work, plan: stepped }] },
      is,
    })),
    {
      what: "a step of a heading that is blocked",
      facts: { named: "todo:1 Set up", place: lead, works: [{ work, plan: stepped }] },
      is: "demo todo:1",
    },
    ...["todo:1", "todo:1 Check it again", "Task 1", "1"].map((named) => ({
      what: `a key or a label alone that was another's when it was told: ${named}`,
      facts: { named, place: lead, told: [{ ...two, key: "todo:1" }] },
      is: 'moved-key todo:1 "Add the login form" todo:2 "Check the password"',
    })),
    {
      what: "a key alone where another plan's were told",
      facts: { named: "todo:1", place: lead, told: null },
      is: 'moved-key todo:1 "Add the login form"',
    },
    {
      what: "the same with its title",
      facts: { named: 'todo:1 "Add the login form"', place: lead, told: null },
      is: "demo todo:1",
    },
    {
      what: "the same where the other is gone",
      facts: {
        named: "todo:1",
        place: lead,
        told: [
          { key: "todo:1", titleHash: "gone" },
          { ...one, key: "todo:2" },
        ],
      },
      is: 'moved-key todo:1 "Add the login form"',
    },
    ...['todo:2 "Check the password"', "2. Check the password", "Check the password"].map(
      (named) => ({
        what: `the same with its title: ${named}`,
        facts: { named, place: lead, told: [{ ...one, key: "todo:2" }] },
        is: "demo todo:2",
      }),
    ),
    ...[
      { named: "todo:1", status: "blocked" as const, is: "demo todo:1" },
      { named: "todo:1", status: "complete" as const, is: 'moved-key todo:1 "Add the login form"' },
      {
        named: "todo:1 Add the signup form",
        status: "complete" as const,
        is: 'moved-key todo:1 "Add the login form"',
      },
      { named: "todo:1 Add the login form", status: "complete" as const, is: "demo todo:1" },
    ].map(({ named, status, is }) => ({
      what: `a key that was reworded since it was told, ${status}: ${named}`,
      facts: { named, status, place: lead, told: [{ key: "todo:1", titleHash: "before" }] },
      is,
    })),
    {
      what: "a key with words of its own",
      facts: { named: "todo:1 Check the password again", place: lead },
      is: "demo todo:1",
    },
    {
      what: "a number before other words is free text",
      facts: { named: "2 open questions", place: lead },
      is: "text 2 open questions",
    },
  ]
  test.each(rows)("$what", ({ facts, is }) => {
    expect(said(about(facts))).toBe(is)
  })
})

describe("what is meant without a name", () => {
  const rows: readonly {
    readonly what: string
    readonly facts: Partial<TargetFacts>
    readonly is: string
  }[] = [
    {
      what: "the task that the session holds",
      facts: { open: [held(1, SECOND), aHandoff({ id: idOf(2) })] },
      is: idOf(1),
    },
    {
      what: "never a guess among several",
      facts: { open: [held(1, SECOND), held(2, SECOND)] },
      is: `several-held ${idOf(1)} ${idOf(2)}`,
    },
    { what: "not what another holds", facts: { open: [held(1, THIRD)] }, is: "text null" },
    { what: "the task of a subagent", facts: { place: child }, is: "demo todo:2" },
    {
      what: "a subagent's task before what it said of another",
      facts: {
        place: child,
        sessionId: FIRST,
        status: "in_progress",
        open: [held(1, FIRST, { task_key: "todo:1", work_id: "demo" })],
      },
      is: "demo todo:2",
    },
    { what: "the work of a lead", facts: { place: lead }, is: "demo as a whole" },
    { what: "nothing but the session", facts: {}, is: "text null" },
    {
      what: "what one blocked, when one goes on",
      facts: { sessionId: FIRST, status: "in_progress", open: [aHandoff()] },
      is: idOf(1),
    },
    {
      what: "what one blocked, when it is done",
      facts: { sessionId: FIRST, status: "complete", open: [aHandoff()] },
      is: idOf(1),
    },
    {
      what: "a new block is of something else",
      facts: { sessionId: FIRST, status: "blocked", open: [aHandoff()] },
      is: "text null",
    },
  ]
  test.each(rows)("$what", ({ facts, is }) => {
    expect(said(about(facts))).toBe(is)
  })
})

test("a task is named by its title as it is shown, where a word of it looks like an id", () => {
  const plan = aPlan([aTask({ label: "7", title: "S3: uploads", titleHash: hashTitle("uploads") })])
  const named = (name: string) => said(about({ place: lead, works: [{ work, plan }], named: name }))
  const found = ["S3: uploads", "uploads"].map(named)
  expect(found.map((one) => one.startsWith("demo "))).toEqual([true, true])
})
