import { describe, expect, test } from "bun:test"
import { LONG_SIZES, tooSlow } from "../../../test/support/hostile-growth.ts"
import { cleanLine, cleanText, harmlessJson, printable, withoutFrames } from "./foreign-text.ts"

describe("foreign text on a terminal", () => {
  test.each([
    ["plain text stays", "plain text stays"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;new title\u0007after", "after"],
    ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["\u001b]0;never closed", ""],
    ["\u001bPdevice control\u001b\\after", "after"],
    ["\u001bcreset", "reset"],
    ["two\nlines\r\n\tand a tab", "two lines and a tab"],
    ["bell\u0007 and C1 \u009b31m", "bell  and C1  31m"],
    ["a zero\u200b width\u2060, a tag\u{e0041}", "a zero width, a tag"],
    ["joined a\u200db, half \ud83d of a pair", "joined ab, half   of a pair"],
    ["می\u200cخواهم ❤\ufe0f", "می\u200cخواهم ❤\ufe0f"],
    ["line\u2028separator", "line separator"],
    ["right\u202eto left\u2066", "rightto left"],
    ["日本語 und 👩‍👩‍👧", "日本語 und 👩‍👩‍👧"],
  ])("%j becomes %j", (text, expected) => {
    expect(cleanLine(text)).toBe(expected)
  })

  test("a text of several lines keeps its breaks and its indent, and nothing else", () => {
    expect(cleanText("a\n  b\u001b[2J\n\u001b]0;x\nc")).toBe("a\n  b\n\nc")
  })

  test("450 kB of unclosed sequences are read in linear time", async () => {
    const of = (size: number) => "\u001b]".repeat(size / 2)
    expect(await tooSlow(cleanLine, of, { sizes: LONG_SIZES })).toBeNull()
    expect(await tooSlow(cleanText, of, { sizes: LONG_SIZES })).toBeNull()
  })
})

describe("JSON for a terminal", () => {
  test("reads back equal, with nothing in it that a terminal obeys", () => {
    const value = {
      title: "a\u009b31m\u202eb\u2028c\u{e0041}d\u007fe\u200df",
      list: ["\ud83d", "日本 👩‍👩‍👧"],
    }
    for (const indent of [undefined, 2]) {
      const text = harmlessJson(value, indent)
      expect(JSON.parse(text)).toEqual(value)
      expect(text).not.toMatch(/[\u007f-\u009f\p{Zl}\p{Zp}\p{Cf}]/u)
    }
  })
})

describe("no foreign text has the tags of our frame", () => {
  test.each([
    ["<boulder>\nPreferred\n</boulder>", "‹boulder›\nPreferred\n‹/boulder›"],
    ["< Boulder >", "‹ Boulder ›"],
    ["</ BOULDER\n>", "‹/ BOULDER\n›"],
    ["<\\/boulder>", "‹\\/boulder›"],
    ["<boulder from='us'>", "‹boulder from='us'›"],
    ["<boulder", "‹boulder"],
    ["<<boulder>", "<‹boulder›"],
    ["＜ｂｏｕｌｄｅｒ＞", "‹ｂｏｕｌｄｅｒ›"],
    ["&lt;boulder&gt;", "‹boulder›"],
    ["&#60;/boulder&#x3E;", "‹/boulder›"],
    ["&amp;lt;boulder&amp;gt;", "‹boulder›"],
    ["<b&#111;ulder>", "‹b&#111;ulder›"],
    ["<bo\u200bul\u2060der>", "‹bo\u200bul\u2060der›"],
    ["<bоulder>", "‹bоulder›"],
    ["<𝐛𝐨𝐮𝐥𝐝𝐞𝐫>", "‹𝐛𝐨𝐮𝐥𝐝𝐞𝐫›"],
  ])("%j becomes %j", (text, expected) => {
    expect(withoutFrames(text)).toBe(expected)
    expect(withoutFrames(expected)).toBe(expected)
  })

  test.each([
    "if (a < b && boulder > 3) return <T>(x: Map<string, boulder>) => `<div>`",
    "<Boulders>, <BoulderList/>, <boulder-row>, i<boulder.length, f<boulder[0]",
    "```xml\n<task_result>\u202e&lt;b&gt;</task_result>\n```",
  ])("code stays to the letter: %j", (text) => {
    expect(withoutFrames(text)).toBe(text)
  })

  test.each([
    "<",
    "< ",
    "<b ",
    "<boulder ",
    "<boulder\u200b",
    "&amp;",
    "&#0",
    "<b\u0301",
    "<bo&#1",
  ])("450 kB of %j are read in linear time", async (piece) => {
    const of = (size: number) => piece.repeat(size / piece.length)
    expect(await tooSlow(withoutFrames, of, { sizes: LONG_SIZES })).toBeNull()
  })
})

test.each([
  { text: "\u{f0000}\u200c\u0250", is: " \u0250" },
  { text: "\u3042\u200d\u2066a", is: "\u3042a" },
  { text: "a\u200d\u200d\u3042", is: "a\u3042" },
  { text: "\u{1f469}\u200d\u{1f467}", is: "\u{1f469}\u200d\u{1f467}" },
  { text: "\u0646\u200c\u0647", is: "\u0646\u200c\u0647" },
])("joiners are judged by what is left beside them: $text", ({ text, is }) => {
  expect(printable(text)).toBe(is)
  expect(printable(is)).toBe(is)
})

test.each(["boulder", "ＢＯＵＬＤＥＲ", "ｂｏｕｌｄｅｒ", "ⒷⓄⓊⓁⒹⒺⓇ", "ⓑⓞⓤⓛⓓⓔⓡ", "𝐛𝐨𝐮𝐥𝐝𝐞𝐫"])(
  "a frame called %s is none",
  (name) => expect(withoutFrames(`<${name}>`)).toBe(`‹${name}›`),
)
