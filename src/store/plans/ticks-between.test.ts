import { expect, test } from "bun:test"
import { lineStartsIn, ticksBetween } from "./ticks-between.ts"

/** The ticks that make the second text of the first. */
const between = (before: string, after: string) => {
  const bytes = Buffer.from(before)
  return ticksBetween(bytes, Buffer.from(after), () => lineStartsIn(bytes))
}

test.each([
  { where: "in the first line", text: "- [ ] a\n- [ ] b\n", ticks: [{ index: 0, column: 3 }] },
  { where: "in the last line", text: "# P\r\n- [ ] a", ticks: [{ index: 1, column: 3 }] },
  { where: "behind a byte order mark", text: "\ufeff- [ ] a\n", ticks: [{ index: 0, column: 3 }] },
  { where: "behind signs of several bytes", text: "é - [ ] ü\n", ticks: [{ index: 0, column: 5 }] },
])("a tick $where is found at its line and column", ({ text, ticks }) => {
  expect(between(text, text.replace("[ ]", "[x]"))).toEqual([...ticks])
})

test.each([-1, 0, 1])(
  "each tick is found once, also where the pieces meet that are compared (%d bytes behind)",
  (by) => {
    const row = "- [ ] a\n"
    const rows = `${row}${"a".repeat(16 * 1_024 + by - row.length - 4)}\n${row}`
    expect(between(rows + row, rows.replaceAll("[ ]", "[x]") + row)).toEqual([
      { index: 0, column: 3 },
      { index: 2, column: 3 },
    ])
  },
)

test("any other byte that differs is no tick, and the same bytes have none", () => {
  expect(between("- [ ] a\n", "- [X] a\n")).toBeNull()
  expect(between("- [x] a\n", "- [ ] a\n")).toBeNull()
  expect(between("- [ ] a\n", "- [x] b\n")).toBeNull()
  expect(between("- [ ] a\n", "- [x] ab\n")).toBeNull()
  expect(between("- [ ] a\n", "- [ ] a\n")).toEqual([])
})
