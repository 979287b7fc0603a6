import { describe, expect, test } from "bun:test"
import { blockedReason, resultIn } from "./blocked-line.ts"

const framed = (text: string) =>
  `<task id="ses_e0213d021ffeV2HPb4rtSolXsd" state="completed">\n<task_result>\n${text}\n</task_result>\n</task>`

describe("a result that says BLOCKED", () => {
  test.each([
    { name: "at its end", text: "I tried.\nBLOCKED: no API key", is: "no API key" },
    { name: "alone", text: "BLOCKED: no API key", is: "no API key" },
    { name: "in bold", text: "I tried.\n**BLOCKED**: no API key", is: "no API key" },
    { name: "in bold with the colon", text: "**BLOCKED:** no API key", is: "no API key" },
    { name: "as an item", text: "Done:\n- a\n- BLOCKED: no API key", is: "no API key" },
    { name: "with a last word behind it", text: "BLOCKED: no API key\n\nSorry.", is: "no API key" },
    {
      name: "with what unblocks it",
      text: "BLOCKED: no API key\nUnblock: put it into .env",
      is: "no API key Unblock: put it into .env",
    },
    {
      name: "of another system, under Windows",
      text: "I tried.\r\nBLOCKED: no key\r\n",
      is: "no key",
    },
    {
      name: "far above its end",
      text: "BLOCKED: first\nThen I found it.\nIt works.\nTests pass.",
      is: null,
    },
    { name: "in a sentence", text: "The port was BLOCKED: I took another one.", is: null },
    { name: "in lower case", text: "blocked: by nobody", is: null },
    { name: "in code", text: "It prints\n```\nBLOCKED: 3\n```", is: null },
    { name: "of the plan, quoted", text: "Left:\n- BLOCKED: no key (hnd_0z9)", is: null },
    { name: "and means no", text: "Done: all\nBLOCKED: none", is: null },
    ...[
      "nothing blocked me",
      "N/A - everything done",
      "n/a",
      "None, all is done",
      "`None`.",
      "no",
      "No blockers",
      "no blockers, all done",
      "no known issues",
      "no problems found",
      "no issues.",
    ].map((words) => ({
      name: `and means no: ${words}`,
      text: `Done.\nBLOCKED: ${words}`,
      is: null,
    })),
    ...[
      "no issue tracker token",
      "no network",
      "no such database",
      "nobody answers",
      "not allowed to write",
    ].map((words) => ({ name: `because of ${words}`, text: `BLOCKED: ${words}`, is: words })),
    { name: "in a quote", text: "It says\n> BLOCKED: no key", is: null },
    { name: "in indented code", text: "It prints\n\n    BLOCKED: no key", is: null },
    {
      name: "in code that quotes another fence",
      text: "It prints\n~~~\n```\nBLOCKED: no key\n~~~",
      is: null,
    },
    {
      name: "in code with a longer fence",
      text: "It prints\n````\n```\nBLOCKED: no key\n```\n````",
      is: null,
    },
    { name: "behind code", text: "```ts\nlet a\n```\nBLOCKED: no key", is: "no key" },
    { name: "and says nothing", text: "Done.\nBLOCKED: -", is: null },
    { name: "of nothing that works", text: "BLOCKED: nothing compiles", is: "nothing compiles" },
    { name: "of nothing, in words", text: "BLOCKED: nothing was blocking me", is: null },
    { name: "not at all", text: "Done.", is: null },
    { name: "nowhere, being empty", text: "", is: null },
  ])("$name", ({ text, is }) => {
    expect(blockedReason(framed(text))).toBe(is)
    expect(blockedReason(text)).toBe(is)
  })
  test("the host's frame is not the result", () => {
    expect(resultIn(framed("a\nb"))).toBe("\na\nb\n")
  })
})
