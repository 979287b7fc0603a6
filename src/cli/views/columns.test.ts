import { describe, expect, test } from "bun:test"
import { columnsOf, fitLine, padLine, wrapLine } from "./columns.ts"

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
    ["हिन्दी", 5],
    ["காடு", 4],
    ["한", 2],
    ["👁‍🗨", 2],
    ["🇩🇪", 2],
    ["1️⃣", 2],
    ["〈︑", 4],
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

  test("wrapping breaks at spaces, keeps the indent in front and a long word whole", () => {
    expect(wrapLine("  one two three", 9)).toEqual(["  one two", "three"])
    expect(wrapLine("unbreakable", 5)).toEqual(["unbreakable"])
    expect(wrapLine("购物车页面 show it", 7)).toEqual(["购物车", "页面", "show it"])
    expect(wrapLine("the a购物车b/c page", 6)).toEqual(["the a", "购物车", "b/c", "page"])
    expect(wrapLine("", 5)).toEqual([""])
  })
})
