import { describe, expect, test } from "bun:test"
import {
  cleanLine,
  cleanText,
  columnsOf,
  fitLine,
  padLine,
  wrapLine,
} from "../../src/cli/clean-text.ts"
import { growth, tenfold } from "../support/growth.ts"

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
    ["line\u2028separator", "line separator"],
    ["right\u202eto left\u2066", "rightto left"],
    ["日本語 und 👩‍👩‍👧", "日本語 und 👩‍👩‍👧"],
  ])("%j becomes %j", (text, expected) => {
    expect(cleanLine(text)).toBe(expected)
  })

  test("a text of several lines keeps its breaks and its indent, and nothing else", () => {
    expect(cleanText("a\n  b\u001b[2J\n\u001b]0;x\nc")).toBe("a\n  b\n\nc")
  })

  test("450 kB of unclosed sequences are read in linear time", () => {
    expect(growth(cleanLine, tenfold("\u001b]")).ratio).toBeLessThan(30)
    expect(growth(cleanText, tenfold("\u001b]")).ratio).toBeLessThan(30)
  })
})

describe("columns", () => {
  test.each([
    ["abc", 3],
    ["日本", 4],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["é", 1],
    ["👍", 2],
    ["👩‍👩‍👧", 2],
    ["ℹ️", 2],
    ["", 0],
  ])("%j takes %d", (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })

  test.each([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["too long for it", 8, "too lon…"],
    ["日本語です", 7, "日本語…"],
    ["日本語です", 6, "日本…"],
    ["anything", 0, ""],
  ])("%j cut to %d is %j", (text, columns, expected) => {
    expect(fitLine(text, columns)).toBe(expected)
    expect(columnsOf(expected)).toBeLessThanOrEqual(columns)
  })

  test("padding counts columns, not characters", () => {
    expect(padLine("日本", 6)).toBe("日本  ")
  })

  test("wrapping breaks at spaces and keeps the indent in front", () => {
    expect(wrapLine("  one two three", 9)).toEqual(["  one two", "three"])
    expect(wrapLine("unbreakable", 5)).toEqual(["unbr…"])
    expect(wrapLine("", 5)).toEqual([""])
  })
})
