import { expect, test } from "bun:test"
import fc from "fast-check"
import { decodeCompaction } from "../../src/boulder/decode-compaction.ts"
import { frameIn } from "../../src/headless/boulder-frame.ts"
import { V1_WORDS } from "../../src/opencode/host/v1/v1-words.ts"
import { cleanLine, printable, withoutFrames } from "../../src/plan/model/foreign-text.ts"
import { compactionPrompt, fallbackSummary } from "../../src/prompts/compaction-text.ts"
import { failedText, unknownToolText } from "../../src/prompts/handoff-refusal.ts"
import { handoffText, listText } from "../../src/prompts/handoff-text.ts"
import { quote } from "../../src/prompts/quote.ts"
import { sayText } from "../../src/prompts/say-text.ts"
import { taskStateText } from "../../src/prompts/task-state-text.ts"
import { toolText } from "../../src/prompts/tool-text.ts"
import { foreign, UNPRINTABLE } from "../support/foreign-arbitrary.ts"
import { aHandoff } from "../support/handoff-builders.ts"
import { aTaskState } from "../support/task-states.ts"

const CASES = 2_000
const OURS =
  toolText(
    {
      settled: 1,
      total: 2,
      cameBack: { kind: "result", taskKey: "todo:1", settle: "tick its box" },
      next: { kind: "go-on" },
      remark: null,
      lost: [],
      hints: [
        { taskKey: "todo:1", reuse: { kind: "reuse", sessionId: "ses_ours", agent: "general" } },
      ],
    },
    V1_WORDS,
  ) ?? ""

const piece = fc.oneof(
  fc.constantFrom("<", "</", "< /", "＜", "﹤", "&lt;", "&#60;", "&#x3C;", "&amp;lt;", "<\\/"),
  fc.constantFrom(">", "＞", "&gt;", "\n>", " x='1'>", ">\n"),
  fc.constantFrom(
    "boulder",
    "Boulder",
    "BOULDER",
    "b o u l d e r",
    "bo\u200bulder",
    "ｂｏｕｌｄｅｒ",
  ),
  fc.constantFrom(
    "b&#111;ulder",
    "bou\u0301lder",
    "𝒃𝒐𝒖𝒍𝒅𝒆𝒓",
    "ⓑⓞⓤⓛⓓⓔⓡ",
    "boul",
    "der",
    "bou\nlder",
  ),
  fc.constantFrom("<boulder>\n", "\n</boulder>", "\u200b", "\u2060", "\n", " ", "-", "amp;"),
  foreign.map((text) => text.slice(0, 20)),
)
/** Texts of somebody who wants to speak in our name. */
const forged = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""))

/** The tags of our frame as a reader takes them who is not particular: another way to find them than the cleaner's. */
function tagsRead(text: string): readonly string[] {
  let read = text
  for (let times = 0; times < 6; times++)
    read = read
      .replace(/&amp;/gi, "&")
      .replace(/&lt;?/gi, "<")
      .replace(/&gt;?/gi, ">")
      .replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/&#(\d{1,7});?/g, (_, code: string) => String.fromCharCode(Number(code)))
  read = read
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{DI}\s\\]/gu, (sign) => (/\s/.test(sign) ? " " : ""))
  return (read.match(/<[\s/]*b\s*o\s*u\s*l\s*d\s*e\s*r(?![\p{L}\p{N}_.([-])/giu) ?? []).map((tag) =>
    tag.replace(/\s/g, "").toLowerCase(),
  )
}

test("the reader of this test finds our own frame, and forged ones", () => {
  expect(tagsRead(OURS)).toEqual(["<boulder", "</boulder"])
  expect(tagsRead("＜ＢＯＵＬＤＥＲ＞ &amp;lt;/b o u l\u200bder>")).toEqual([
    "<boulder",
    "</boulder",
  ])
})

test("a result with our words below it holds our frame and no other", () => {
  fc.assert(
    fc.property(forged, (text) => {
      const result = `${withoutFrames(text)}\n\n${OURS}`
      expect(tagsRead(result)).toEqual(["<boulder", "</boulder"])
      expect(frameIn(result)).toBe(OURS)
    }),
    { numRuns: CASES },
  )
})

test("what was cleaned once stays as it is, and nothing but brackets changes", () => {
  fc.assert(
    fc.property(forged, (text) => {
      const once = withoutFrames(text)
      expect(withoutFrames(once)).toBe(once)
      const brackets = /[<>＜＞﹤﹥‹›]|&(?:amp;)*(?:[lg]t|#0*6[02]|#x0*3[ce]);?/gi
      expect(once.replace(brackets, "")).toBe(text.replace(brackets, ""))
    }),
    { numRuns: CASES },
  )
})

test("a compaction's summary holds no frame", () => {
  fc.assert(
    fc.property(forged, (text) => {
      const answer = { task_state: aTaskState({ goal: text }), display_summary: `so: ${text}` }
      const decoded = decodeCompaction(JSON.stringify(answer))
      const summary = decoded.kind === "decoded" ? decoded.displaySummary : null
      expect(tagsRead(summary ?? "<boulder>")).toEqual([])
    }),
    { numRuns: CASES },
  )
})

test("no text of ours that quotes foreign words holds another frame than ours", () => {
  fc.assert(
    fc.property(forged, (text) => {
      const state = aTaskState({ goal: text, progress: [text], decisions: [text] })
      const handoff = aHandoff({ summary: text, task_text: text, blocked_reason: text })
      const facts = {
        failure: "not-strict",
        sessionId: "ses_a",
        facts: null,
        resumedBy: null,
      } as const
      const offers = [{ handoff, kind: "blocked", isYours: false, since: 0, reuse: null }] as const
      const texts = [
        taskStateText(state, "ses_a"),
        compactionPrompt(state, null),
        fallbackSummary({ ...facts, state, userWords: [] }),
        fallbackSummary({ ...facts, state: null, userWords: [text] }),
        handoffText(handoff, { claimed: false, now: 0, reuse: null }),
        listText({ groups: [offers], total: 1, now: 0 }),
        failedText(text, new Error(text)),
        unknownToolText(text),
        sayText([text]),
      ]
      for (const one of texts) expect(tagsRead(one)).toEqual(["<boulder", "</boulder"])
      expect(tagsRead(quote(text, 1_000))).toEqual([])
      expect(compactionPrompt(state, null)).toContain("task_state")
    }),
    { numRuns: CASES },
  )
})

test("the state in a compaction's prompt reads back to the letter", () => {
  fc.assert(
    fc.property(forged, (text) => {
      const state = aTaskState({ goal: text })
      const line =
        compactionPrompt(state, null)
          .split("\n")
          .find((one) => one.startsWith('{"task_state":{"goal":"')) ?? "{}"
      expect(JSON.parse(line)).toEqual({ task_state: state })
    }),
    { numRuns: CASES },
  )
})

test("no line holds a character of the table", () => {
  fc.assert(
    fc.property(foreign, (text) => {
      const line = cleanLine(text)
      expect(line.replace(/[\u200c\u200d]/g, "")).not.toMatch(UNPRINTABLE)
      expect(line).not.toContain("\n")
      expect(line.isWellFormed()).toBe(true)
      expect(printable(line)).toBe(line)
    }),
    { numRuns: CASES },
  )
})
