// How often a reading looks at each line: a bound on its speed that no busy machine moves.
import { expect, test } from "bun:test"
import { withBareRows } from "./blocks/bare-rows.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { thatMayShowBox } from "./blocks/shown-box.ts"
import { dialectOf } from "./dialects/dialects.ts"
import { ownHeadings } from "./headings/own-headings.ts"
import { splitLines } from "./model/lines.ts"
import { toldTables } from "./table-warnings.ts"
import { buildTasks } from "./tasks/build-tasks.ts"
import { withChecks } from "./tasks/checks.ts"
import { overlooked } from "./tasks/left-out.ts"
import { sortRows } from "./tasks/rows.ts"

const ROW = (at: number, mark: string) =>
  `- [${mark}] ${at}. Lay stone ${at}\n\n  **What to do**:\n  - dig\n  - level\n  - [${mark}] it holds\n`

/** How often each line is looked at, on average, as `parsePlan` reads this text. */
function looksPerLine(text: string): number {
  let looks = 0
  const lines = new Proxy(splitLines(text), {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++
      return Reflect.get(target, key, receiver)
    },
  })
  const dialect = dialectOf(undefined)
  const shown = thatMayShowBox({ text, lines })
  const blocks = withBareRows(lines, shown, scanBlocks(lines, 0))
  const own = () => ownHeadings(blocks.headings, lines)
  const { masks, headings } = blocks
  const sorted = sortRows(blocks, dialect, { lines, own })
  const { tasks } = buildTasks({ text, lines, masks: blocks.masks, sorted, dialect })
  withChecks(tasks, { text, lines, masks, headings })
  overlooked({ lines, shown, sorted, masks, dialect })
  toldTables({ lines, masks, tasks }, [], () => [])
  expect(tasks).toHaveLength(300)
  return looks / lines.length
}

test.each([
  { name: "with open boxes", mark: " ", looks: 5 },
  { name: "with ticks alone, where work without a box is looked for", mark: "x", looks: 7 },
])("a plan $name is gone over $looks times at most", ({ mark, looks }) => {
  const rows = Array.from({ length: 300 }, (_, at) => ROW(at + 1, mark)).join("\n")
  expect(looksPerLine(`# Path\n\n## TODOs\n\n${rows}`)).toBeLessThanOrEqual(looks)
})
