import { describe, expect, test } from "bun:test"
import { LONG_SIZES, tooSlow } from "../../../../test/support/hostile-growth.ts"
import { childOfCall, sessionIdIn } from "./child-of-call.ts"

const A = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"
const B = "ses_e02a05cf0ffeiVkhL7Rr1p5CHI"
const C = "ses_e02a05cf0ffeiVkhL7Rr1p5Cxx"
const child = (output: string, metadata: unknown = null, toldByHost: string | null = null) => {
  const found = childOfCall({ metadata, toldByHost, output })
  return found === null ? null : `${found.from} ${found.sessionId}`
}
const block = (id: string) => `<task_metadata>\nsession_id: ${id}\n</task_metadata>`
const LONG = `ses_${"a".repeat(100_000)}`

describe("ids from the host come before ids from text", () => {
  test.each([
    {
      name: "the tool's metadata first",
      found: child(block(C), { sessionId: A }, B),
      id: `host ${A}`,
    },
    { name: "then what the running part told", found: child(block(C), {}, B), id: `host ${B}` },
    { name: "then the text", found: child(block(C), {}, null), id: `text ${C}` },
    {
      name: "metadata of a wrong form gives way",
      found: child(block(C), { sessionId: "bogus" }, B),
      id: `host ${B}`,
    },
    {
      name: "a told id of a wrong form gives way",
      found: child(block(C), {}, "bogus"),
      id: `text ${C}`,
    },
    { name: "nothing anywhere", found: child("done"), id: null },
  ])("$name", ({ found, id }) => {
    expect(found).toBe(id)
  })
})

describe("metadata of any shape is looked at, never trusted", () => {
  test.each([
    { name: "the host's form", metadata: { parentSessionId: B, sessionId: A }, id: A },
    { name: "null", metadata: null, id: null },
    { name: "text", metadata: A, id: null },
    { name: "a list", metadata: [A], id: null },
    { name: "no id in it", metadata: { parentSessionId: B }, id: null },
    { name: "a number", metadata: { sessionId: 1 }, id: null },
    { name: "an id with a line end", metadata: { sessionId: `${A}\n` }, id: null },
    { name: "an id with a tag", metadata: { sessionId: "ses_</boulder>" }, id: null },
    { name: "an id of 65 characters", metadata: { sessionId: `ses_${"a".repeat(65)}` }, id: null },
    { name: "an id of 100,000 characters", metadata: { sessionId: LONG }, id: null },
  ])("$name", ({ metadata, id }) => {
    expect(sessionIdIn(metadata)).toBe(id)
  })
})

describe("the host's own frame opens the output", () => {
  test.each([
    {
      name: "as since 1.15",
      output: `<task id="${A}" state="completed">\n<task_result>\nok\n</task_result>\n</task>`,
      id: `text ${A}`,
    },
    {
      name: "as before it",
      output: `task_id: ${A} (for resuming to continue this task if needed)\n\n<task_result>\nok\n</task_result>`,
      id: `text ${A}`,
    },
    { name: "not at the start", output: `see <task id="${A}" state="completed">`, id: null },
    { name: "on a second line", output: `ok\ntask_id: ${A}`, id: null },
    {
      name: "with an id of a wrong form",
      output: `<task id="msg_${A}" state="completed">`,
      id: null,
    },
    { name: "with an id of 65 characters", output: `<task id="ses_${"a".repeat(65)}">`, id: null },
    { name: "as before, with 65", output: `task_id: ses_${"a".repeat(65)} `, id: null },
    { name: "with one of 100,000", output: `<task id="${LONG}">`, id: null },
  ])("$name", ({ output, id }) => {
    expect(child(output)).toBe(id)
  })
  test("comes before a block that a model may have written inside it", () => {
    expect(child(`<task id="${A}" state="completed">\n${block(B)}\n</task>`)).toBe(`text ${A}`)
  })
})

describe("the last closed <task_metadata> block (omo PR #2640)", () => {
  test.each([
    { name: "one block", output: `done\n\n${block(A)}`, id: `text ${A}` },
    {
      name: "task_id in it",
      output: "<task_metadata>\ntask_id: ses_1\n</task_metadata>",
      id: "text ses_1",
    },
    {
      name: "with \\r\\n",
      output: `<task_metadata>\r\nsession_id: ${A}\r\n</task_metadata>`,
      id: `text ${A}`,
    },
    {
      name: "indented, without a blank",
      output: `<task_metadata>\n  session_id:${A}\n</task_metadata>`,
      id: `text ${A}`,
    },
    { name: "of two the last", output: `${block(A)}\ntext\n${block(B)}`, id: `text ${B}` },
    {
      name: "text after the block",
      output: `${block(A)}\nsession_id: ${B}\nmore`,
      id: `text ${A}`,
    },
    { name: "id in body text only", output: `session_id: ${A}\nSession ID: ${B}`, id: null },
    { name: "not closed", output: `<task_metadata>\nsession_id: ${A}\n`, id: null },
    {
      name: "closed only before it opens",
      output: `</task_metadata>\n<task_metadata>\nsession_id: ${A}`,
      id: null,
    },
    {
      name: "a last one not closed",
      output: `${block(A)}\n<task_metadata>\nsession_id: ${B}`,
      id: `text ${A}`,
    },
    {
      name: "id between two blocks",
      output: `<task_metadata>\n</task_metadata>\nsession_id: ${A}\n<task_metadata>\n</task_metadata>`,
      id: null,
    },
    {
      name: "opened twice, closed once",
      output: `<task_metadata>\nsession_id: ${A}\n<task_metadata>\nx: y\n</task_metadata>`,
      id: null,
    },
    {
      name: "without an id",
      output: "<task_metadata>\nagent: general\n</task_metadata>",
      id: null,
    },
    {
      name: "id in the middle of a line",
      output: `<task_metadata>\nthe session_id: ${A}\n</task_metadata>`,
      id: null,
    },
    {
      name: "words behind the id",
      output: `<task_metadata>\nsession_id: ${A} or so\n</task_metadata>`,
      id: null,
    },
    {
      name: "a placeholder",
      output: "<task_metadata>\nsession_id: <session_id>\n</task_metadata>",
      id: null,
    },
    { name: "an id of a wrong form", output: block("ses_../../etc"), id: null },
    { name: "an id of 100,000 characters", output: block(LONG), id: null },
    {
      name: "a result of 1 MB before it",
      output: `${"x\n".repeat(500_000)}${block(A)}`,
      id: `text ${A}`,
    },
  ])("$name", ({ output, id }) => {
    expect(child(output)).toBe(id)
  })
})

describe("450 kB of unclosed tags are read in linear time", () => {
  test.each([
    { name: "opening tags", unit: "<task_metadata>" },
    { name: "opening tags with an id", unit: `<task_metadata>\nsession_id: ${A}\n` },
    { name: "closing tags", unit: "</task_metadata>" },
    { name: "frames", unit: `<task id="${A}` },
    { name: "blanks", unit: " " },
    { name: "lines of blanks", unit: "   \t \n" },
    { name: "carriage returns", unit: "\r" },
    { name: "ids", unit: "session_id: ses_a" },
  ])("$name", async ({ unit }) => {
    const of = (size: number) => unit.repeat(size / unit.length)
    expect(await tooSlow(child, of, { sizes: LONG_SIZES })).toBeNull()
  })
})
