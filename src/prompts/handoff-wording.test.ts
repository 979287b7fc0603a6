import { describe, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import { aPlan, aTask, aWindow, CHILD, NOW } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import {
  aHandoff,
  anActor,
  FIRST,
  idOf,
  SECOND,
  someProgress,
  timed,
} from "../../test/support/handoff-builders.ts"
import type { Handoff } from "../boulder/handoff.ts"
import {
  claimHandoff,
  type HandoffChange,
  releaseHandoff,
  saveHandoff,
} from "../boulder/handoff-changes.ts"
import type { HandoffRefused, MarkOutcome } from "../boulder/handoff-outcome.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { refusedText } from "./handoff-refusal.ts"
import {
  handoffText,
  listText,
  offerLine,
  offerNote,
  type ShownOffer,
  savedText,
} from "./handoff-text.ts"
import { startText } from "./start-text.ts"
import { argumentsText, handoffArgs } from "./tool-definitions.ts"

const MINUTE_MS = 60_000
const now = NOW + 190 * MINUTE_MS
const ofPlan = {
  plan_name: "auth-rewrite",
  task_key: "todo:7",
  task_text: "Rotate the session keys",
  blocked_reason: "the vault is sealed",
  unblock: "Ann has unsealed it",
}

function after(handoff: Handoff, ...changes: readonly HandoffChange[]): Handoff {
  return changes.reduce((before, change) => {
    const next = change(before, NOW)
    return typeof next === "string" ? before : next
  }, handoff)
}

const offer = (handoff: Handoff, given: Partial<ShownOffer> = {}): ShownOffer => ({
  handoff,
  kind: "blocked",
  isYours: false,
  since: NOW,
  reuse: null,
  ...given,
})
const first = offer(aHandoff({ id: idOf(1), ...ofPlan }), { reuse: CHILD })
const second = offer(aHandoff({ id: idOf(2) }), { since: NOW - 50 * 3_600_000 })
const silent = offer(
  after(
    aHandoff({ id: idOf(3), task_text: null }),
    timed(
      1,
      saveHandoff(
        anActor(SECOND),
        someProgress({ status: "in_progress", summary: "Half of the\nparser stands" }),
      ),
    ),
  ),
  { kind: "interrupted", since: now - 5 * MINUTE_MS },
)
const alike = offer(aHandoff({ id: idOf(4), ...ofPlan, task_key: "todo:8", task_text: "Revoke" }))

const handed = after(
  aHandoff({ ...ofPlan, summary: "Wrote the rotation.\n\nLeft: the cron job.\n</boulder> `x`" }),
  timed(10, claimHandoff(anActor(SECOND))),
  timed(20, releaseHandoff()),
  timed(30, claimHandoff(anActor(SECOND))),
  timed(
    40,
    saveHandoff(anActor(SECOND), {
      ...someProgress({ reason: "no cron here", summary: "Cron job\nis written" }),
      unblock: null,
    }),
  ),
)
const claimed = after(handed, timed(180, claimHandoff(anActor("ses_third"))))
const settled = after(
  claimed,
  timed(
    185,
    saveHandoff(anActor("ses_third"), someProgress({ status: "complete", summary: "Done." })),
  ),
)

const refusal = (reason: HandoffRefused["reason"], given: Partial<HandoffRefused> = {}) =>
  refusedText({ kind: "refused", reason, ids: [], handoff: claimed, ...given })
const saved = (
  status: "in_progress" | "blocked" | "complete",
  mark: MarkOutcome,
  claims: { stillHeld?: readonly string[]; lost?: readonly string[] } = {},
) =>
  savedText({
    handoff: after(aHandoff(), timed(1, saveHandoff(anActor(FIRST), someProgress({ status })))),
    mark,
    stillHeld: [],
    lost: [],
    ...claims,
  })
const left = (why: "not-yours" | "final-wave" | "by-option" | "held" | "refused"): MarkOutcome => ({
  kind: "left",
  key: "todo:7",
  why,
  message:
    { refused: "the plan has changed", held: "`npm test` has not been run" }[why as string] ?? "",
})
const wrong = (name: keyof typeof handoffArgs, given: unknown): string => {
  const { error } = handoffArgs[name].safeParse(given)
  return error === undefined ? "taken" : argumentsText(name, error)
}
const tasks = [aTask({ label: "1", title: "Add the users table" })]

/** A text a file: `test/fixtures/prompts/<file>.txt`, with one line end behind the text. */
const WORDINGS: readonly { readonly file: string; readonly texts: readonly string[] }[] = [
  {
    file: "handoff-list",
    texts: [
      listText({ groups: [], total: 0, now }),
      listText({ groups: [[first], [silent], [second]], total: 3, now }),
      listText({
        groups: [
          [second],
          [{ ...silent, isYours: true }],
          [{ ...first, kind: "held", isYours: true }],
        ],
        total: 3,
        now,
      }),
      listText({ groups: [[first, alike], [second]], total: 13, now }),
    ],
  },
  {
    file: "handoff-offers",
    texts: [
      offerLine({ offers: [first], total: 1 }, 1, now) ?? "",
      offerLine({ offers: [silent, first, alike], total: 13 }, 2, now) ?? "",
      offerNote({ offers: [first], total: 1 }) ?? "",
      offerNote({ offers: [first, second], total: 2 }) ?? "",
    ],
  },
  {
    file: "handoff-record",
    texts: [
      handoffText(claimed, { claimed: true, now, reuse: CHILD }),
      handoffText(handed, { claimed: false, now, reuse: null }),
      handoffText(settled, { claimed: false, now, reuse: null }),
    ],
  },
  {
    file: "handoff-saved",
    texts: [
      saved("in_progress", { kind: "none" }),
      saved("blocked", { kind: "marked", key: "todo:7", state: "blocked" }),
      saved("complete", { kind: "marked", key: "todo:7", state: "done" }),
      saved("complete", { kind: "no-task" }),
      saved("blocked", { kind: "no-task" }),
      saved("complete", left("not-yours")),
      saved("complete", { kind: "none" }, { stillHeld: [idOf(2)], lost: [idOf(3)] }),
      saved("complete", left("final-wave")),
      saved("complete", left("by-option")),
      saved("complete", left("refused")),
      saved("complete", left("held")),
    ],
  },
  {
    file: "handoff-refusals",
    texts: [
      refusal("unknown-handoff", { handoff: null }),
      refusal("unknown-task", { handoff: null }),
      refusal("unread-plan", {
        handoff: null,
        ids: ["Expected a plan at plans/a.md; line 1 begins a merge conflict: resolve it."],
      }),
      refusal("ambiguous-task", {
        handoff: null,
        ids: ['todo:1 "Write the parser"', 'todo:2 "Write the docs"'],
      }),
      refusal("moved-key", {
        handoff: null,
        ids: ['todo:2 "Write the parser"', 'todo:3 "Write the docs"'],
      }),
      refusal("moved-key", { handoff: null, ids: ['todo:2 "Write the parser"'] }),
      refusal("one-step", { handoff: null, ids: ["task:1", "1. Set up the database"] }),
      refusal("several-held", { handoff: null, ids: [idOf(1), idOf(2)] }),
      refusal("held-by-other"),
      refusal("settled"),
      refusal("not-held"),
      refusal("still-fresh"),
      refusal("unclaimed"),
    ],
  },
  {
    file: "handoff-arguments",
    texts: [
      wrong("save_task_progress", { summary: "half", status: "blocked" }),
      wrong("save_task_progress", { summary: "half", status: "blocked", blocked_reason: "  " }),
      wrong("save_task_progress", {}),
      wrong("save_task_progress", { summary: "", status: "stuck", task: 3, reason: "x" }),
      wrong("save_task_progress", { summary: "x".repeat(4_001), status: "complete" }),
      wrong("save_task_progress", {
        summary: "x",
        status: "blocked",
        blocked_reason: "x".repeat(1_001),
      }),
      wrong("save_task_progress", "half done"),
      wrong("get_blocked_task", { id: "" }),
      wrong("get_blocked_task", { id: idOf(1), claim: "no" }),
    ],
  },
  {
    file: "start-with-handoffs",
    texts: [
      startText({
        typed: IN_OPENCODE,
        planName: "auth-rewrite",
        planPath: ".boulder/plans/auth-rewrite.md",
        plan: aPlan(tasks),
        resumed: false,
        window: aWindow(tasks),
        settling: "by-tool",
        words: V1_WORDS,
        notes: [],
        waiting: offerNote({ offers: [first, second], total: 2 }),
      }),
    ],
  },
]

describe("the wording of every text about handoffs, word for word", () => {
  test.each(WORDINGS)("$file", ({ file, texts }) => {
    const path = new URL(`../../test/fixtures/prompts/${file}.txt`, import.meta.url)
    if (process.env["WRITE_GOLDEN"] === "1") writeFileSync(path, `${texts.join("\n")}\n`)
    expect(`${texts.join("\n")}\n`).toBe(readFileSync(path, "utf8"))
  })
})

test("a null is as good as an argument left out", () => {
  const nulls = { summary: " half ", status: "complete", blocked_reason: null, task: null }
  expect(handoffArgs.save_task_progress.parse(nulls)).toEqual({
    summary: "half",
    status: "complete",
  })
})

test("nothing waits: not a word of it, neither at a start nor elsewhere", () => {
  expect(offerLine({ offers: [], total: 0 }, 0, now)).toBeNull()
  expect(offerNote({ offers: [], total: 0 })).toBeNull()
})
