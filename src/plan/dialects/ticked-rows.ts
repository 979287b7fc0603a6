// Finds rows with a tick that is no box, and the stretches of a plan that such ticks call done.
import { type Mask, type Stretch, stretchReader } from "../blocks/blocks.ts"
import { cutLine } from "../model/lines.ts"
import { shownFirst } from "./first-sign.ts"

/**
 * A row of a list or table at the margin, and one with a tick that the grammar does not know as a box: in code, after another bullet, or as
 * a sign.
 */
const ROW = /^ ?(?:[-*+•]|\d{1,9}[.)]|\|)[ \t]+(?=[^\s:-])/
const TICKED = /^[*_]{0,2}(?:`\[[xX✓✔]\]`|\[[xX✓✔]\]|\([xX✓✔]\)|[☑🗹])/u

/** What is said to be done, surely or perhaps, by the line of its first row. */
export interface Ticked {
  readonly sure: ReadonlySet<number>
  readonly unsure: readonly number[]
}

/**
 * The first lines, ascending, of those stretches in which every row has a tick, and there is at least one. `✅` is a tick in a plan whose
 * rows also have signs for what is left; in any other it stands as often for what will be so.
 */
export function tickedIn(
  lines: readonly string[],
  masks: readonly Mask[],
  stretches: readonly Stretch[],
): Ticked {
  const rows = rowsOf(lines, masks)
  const isSigned = rows.some(({ shown }) => shown === "left")
  const [sure, unsure] = [new Set<number>(), [] as number[]]
  let at = 0
  for (const { from, to } of stretches) {
    const held = []
    for (; (rows[at]?.index ?? lines.length) <= to; at++) held.push(rows[at])
    const own = held.flatMap((row) => (row !== undefined && row.index >= from ? [row] : []))
    const [first] = own
    if (first === undefined || own.some(({ shown }) => shown !== "tick" && shown !== "done"))
      continue
    if (isSigned || own.every(({ shown }) => shown === "tick")) sure.add(from)
    else unsure.push(first.index)
  }
  return { sure, unsure }
}

function rowsOf(lines: readonly string[], masks: readonly Mask[]) {
  const isMasked = stretchReader(masks)
  return lines.flatMap((whole, index) => {
    const line = cutLine(whole)
    const prefix = ROW.exec(line)?.[0]
    if (prefix === undefined || isMasked(index)) return []
    const words = line.slice(prefix.length)
    return [{ index, shown: TICKED.test(words) ? "tick" : shownFirst(words) }]
  })
}
