import { expect, test } from "bun:test"
import { lineStartsIn, takeTicks, ticksAt } from "./ticks-between.ts"

/** An open file with these bytes. */
const opened = (bytes: Buffer) => ({
  read: async (into: Buffer, offset: number, length: number, position: number) => ({
    bytesRead: bytes.copy(into, offset, position, position + length),
  }),
})

/** Odd, so that lines stand across the pieces. */
const PIECE = 50_021

/** The ticks that make the second text of the first; what is kept must be the second then, and the first if more differs. */
const between = async (before: string, after: string) => {
  const bytes = Buffer.from(before)
  const places = await takeTicks(opened(Buffer.from(after)), bytes, Buffer.alloc(PIECE))
  expect(bytes.equals(Buffer.from(places === null ? before : after))).toBe(true)
  return places && ticksAt(bytes, places, lineStartsIn(bytes))
}

test.each([
  { where: "in the first line", text: "- [ ] a\n- [ ] b\n", ticks: [{ index: 0, column: 3 }] },
  { where: "in the last line", text: "# P\r\n- [ ] a", ticks: [{ index: 1, column: 3 }] },
  { where: "behind a byte order mark", text: "\ufeff- [ ] a\n", ticks: [{ index: 0, column: 3 }] },
  { where: "behind signs of several bytes", text: "é - [ ] ü\n", ticks: [{ index: 0, column: 5 }] },
])("a tick $where is found at its line and column", async ({ text, ticks }) => {
  expect(await between(text, text.replace("[ ]", "[x]"))).toEqual([...ticks])
})

test.each([16 * 1_024, PIECE, 2 * PIECE].flatMap((length) => [length - 1, length, length + 1]))(
  "each tick is found once, also where the pieces meet that are read and compared (%d bytes on)",
  async (length) => {
    const row = "- [ ] a\n"
    const rows = `${row}${"a".repeat(length - row.length - 4)}\n${row}`
    expect(await between(rows + row, rows.replaceAll("[ ]", "[x]") + row)).toEqual([
      { index: 0, column: 3 },
      { index: 2, column: 3 },
    ])
  },
)

test("any other byte that differs is no tick, and the same bytes have none", async () => {
  expect(await between("- [ ] a\n", "- [X] a\n")).toBeNull()
  expect(await between("- [x] a\n", "- [ ] a\n")).toBeNull()
  expect(await between("- [ ] a\n", "- [x] b\n")).toBeNull()
  expect(await between("- [ ] a\n", "- [ ] a\n")).toEqual([])
})

test.each([100, PIECE - 1, PIECE, PIECE + 1])(
  "a file of %d bytes that has become longer or shorter while it was opened has no ticks alone",
  async (length) => {
    const text = `- [ ] a\n${"a".repeat(length - 8)}`
    const ticked = text.replace("[ ]", "[x]")
    expect(await between(text, `${ticked}a`)).toBeNull()
    expect(await between(text, ticked.slice(0, -1))).toBeNull()
    expect(await between(text, ticked)).toHaveLength(1)
  },
)

test("as many ticks as are patched are found, and no more", async () => {
  const text = "- [ ] a\n".repeat(60_000)
  const withTicks = (count: number) => "- [x] a\n".repeat(count) + text.slice(8 * count)
  expect(await between(text, withTicks(256))).toHaveLength(256)
  expect(await between(text, withTicks(257))).toBeNull()
})
