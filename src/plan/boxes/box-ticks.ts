// Finds the lines without a box that a plan calls done: they get a tick.
import { type Blocks, below, belowReader, type Heading, titleIndex } from "../blocks/blocks.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { saysItWasDone, tellsWhatIsLeft } from "../dialects/heading-roles.ts"
import { splitLabel } from "../dialects/label.ts"
import { tickedIn } from "../dialects/ticked-rows.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import { readStatusLines } from "../headings/status-lines.ts"
import { saysDone } from "../model/title.ts"

/** A heading with its tick at the end. */
const TICK_BEHIND = /\[[xX✓✔✅☑√]\ufe0f?\]$/u

/**
 * Those that are done by their words, their status or the rows below them, or by a heading around them, unless a closer sign or heading
 * says that they are left.
 */
export function doneSpots(
  lines: readonly string[],
  blocks: Blocks,
  spots: readonly BoxSpot[],
): ReadonlySet<BoxSpot> {
  const { headings, masks } = blocks
  const statuses = readStatusLines(lines, blocks, { masks, isNear: false })
  const isOfDone = ({ index }: Pick<BoxSpot, "index">) => statuses.get(index)?.state === "done"
  const document = titleIndex(headings)
  // What a document says about itself may be about its text.
  const isOver = (heading: Heading) =>
    heading.index !== document && (saysItWasDone(heading.text) || isOfDone(heading))
  const isBelowDone = belowReader(headings, isOver)
  const isBelowLeft = belowReader(headings, ({ text }) => tellsWhatIsLeft(text))
  const own = new Set(spots.map(({ index }) => index))
  const held = below(headings, ({ index }) => own.has(index))
  const ticked = tickedIn(lines, masks, held).sure
  return new Set(
    spots.filter((spot) => {
      const { index, at } = spot
      const title = titleIn((lines[index] ?? "").slice(at).trim())
      const isBelow = isBelowDone(index) && !isBelowLeft(index)
      const isSaid = saysDone(title) || TICK_BEHIND.test(title)
      const isDone = (isBelow || isSaid) && !showsLeft(title)
      return isDone || isOfDone(spot) || ticked.has(index + 1)
    }),
  )
}

/** The words without the number that they begin with. */
function titleIn(words: string): string {
  const { rest } = splitLabel(words)
  return rest === "" ? words : rest
}
