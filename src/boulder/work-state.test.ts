import { expect, test } from "bun:test"
import { at, aWork, CHILD, LEAD, NOW } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import { stateWords, waitWords } from "../prompts/work-state-words.ts"
import type { Work } from "./boulder.ts"
import { type LeadFacts, workStateOf } from "./work-state.ts"

const lead: LeadFacts = {
  waitingFor: null,
  asks: null,
  session: null,
  backsOffUntil: null,
  hostWaitsUntil: null,
}
const asking = (waitingFor: LeadFacts["waitingFor"]): LeadFacts => ({
  ...lead,
  waitingFor,
  asks: "which colour?",
  session: CHILD,
})
const limited = { since: at(-60), until: at(600), goes_on_at: null, attempts: 0 }
const wave = { fingerprint: "f", since: at(-5) }

const ROWS: readonly {
  readonly name: string
  readonly work?: Partial<Work>
  readonly lead: LeadFacts | null
  readonly words: string
}[] = [
  { name: "led and running", lead, words: "working" },
  {
    name: "led by nobody",
    lead: null,
    words:
      "idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work",
  },
  { name: "a question", lead: asking("question"), words: "waiting for your answer: which colour?" },
  {
    name: "a permission of a subagent",
    lead: asking("permission"),
    words: "waiting for your permission: which colour?",
  },
  {
    name: "a wave that is back, also where nobody leads it",
    work: { awaiting_approval: wave },
    lead: null,
    words: "waiting for your approval of the final wave. To approve: run opencode-boulder approve",
  },
  {
    name: "the provider's limit, waited out by the host",
    work: { limited },
    lead,
    words: "waiting for the provider until 2026-11-21 12:10 UTC",
  },
  {
    name: "a retry of a moment, which the host alone has told",
    lead: { ...lead, hostWaitsUntil: NOW + 26_000 },
    words: "waiting for the provider until 2026-11-21 12:00:26 UTC",
  },
  {
    name: "the same, over",
    lead: { ...lead, hostWaitsUntil: NOW },
    words: "working",
  },
  {
    name: "the same where the host has died",
    work: { limited },
    lead: null,
    words:
      "idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work",
  },
  {
    name: "a limit that we wait out",
    work: {
      status: "paused",
      pause_reason: "usage-limited",
      limited: { ...limited, goes_on_at: at(660) },
    },
    lead,
    words: "waiting for the provider's limit, resumes at 2026-11-21 12:11 UTC",
  },
  {
    name: "failed turns",
    lead: { ...lead, backsOffUntil: NOW + 60_000 },
    words: "waiting after failed turns, tries again at 2026-11-21 12:01 UTC",
  },
  {
    name: "an interruption",
    work: { status: "paused", pause_reason: "aborted" },
    lead,
    words: "paused: you interrupted it. To resume: send its session a message or type /start-work",
  },
  {
    name: "a pause with a figure, where nobody leads it",
    work: { status: "paused", pause_reason: "budget-spent" },
    lead: null,
    words: "paused: its budget is spent (more). To resume: type /start-work (with a fresh budget)",
  },
  { name: "the end", work: { status: "completed" }, lead, words: "complete" },
]

test.each(ROWS)("$name: $words", ({ work = {}, lead: facts, words }) => {
  const more = work.pause_reason === "budget-spent" ? "more" : null
  const state = workStateOf(aWork({ lead_session_id: LEAD, ...work }), facts, { more, now: NOW })
  expect(stateWords(state, { typed: IN_OPENCODE, now: NOW })).toBe(words)
})

test("below its heading, each wait begins as a sentence", () => {
  const beginnings = ROWS.flatMap(({ work = {}, lead: facts }) => {
    const state = workStateOf(aWork({ lead_session_id: LEAD, ...work }), facts, {
      more: null,
      now: NOW,
    })
    return waitWords(state, { typed: IN_OPENCODE, now: NOW })?.charAt(0) ?? []
  })
  expect(beginnings.filter((letter) => letter !== letter.toUpperCase())).toEqual([])
})
