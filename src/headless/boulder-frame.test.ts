import { describe, expect, test } from "bun:test"
import { frameIn, refusalIn } from "./boulder-frame.ts"

describe("the plugin's frame in a text", () => {
  test.each([
    ["a\n<boulder>\nx\n</boulder>\nb", "<boulder>\nx\n</boulder>"],
    ["<boulder>\n1\n</boulder>\n<boulder>\n2\n</boulder>", "<boulder>\n2\n</boulder>"],
    ["<boulder>\nnever closed", null],
    ["no frame", null],
  ])("%j", (text, expected) => {
    expect(frameIn(text)).toBe(expected)
  })

  test("what /start-work said instead of starting", () => {
    const text =
      "<boulder>\nTell the user exactly this and do nothing else:\nNo plan.\nWrite one.\n</boulder>"
    expect(refusalIn(text)).toBe("No plan. Write one.")
    expect(refusalIn(`quoted: ${text}`)).toBeNull()
    expect(refusalIn("<boulder>\nStart the plan demo.\n</boulder>")).toBeNull()
  })
})
