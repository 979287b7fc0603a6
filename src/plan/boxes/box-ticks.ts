// Finds the lines without a box that a plan calls done: they get a tick.
import {
  type Blocks,
  below,
  belowReader,
  type Heading,
  placeOf,
  titleIndex,
} from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import { shownFirst, showsLeft } from "../dialects/first-sign.ts"
import { saysItWasDone, tellsWhatIsLeft } from "../dialects/heading-roles.ts"
import { splitLabel } from "../dialects/label.ts"
import { tickedIn } from "../dialects/ticked-rows.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import { readStatusLines } from "../headings/status-lines.ts"
import { addTo } from "../model/once.ts"
import { saysDone } from "../model/title.ts"
import { doneInTables } from "./table-states.ts"

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
  const adorned = adornedHeadings(headings)
  const bare = (index: number, words: string) =>
    adorned.has(index) ? titleIn(words).replace(PICTURE, "") : words
  const isListed = doneInTables(lines, masks)
  // What a document says about itself may be about its text.
  const isOver = ({ index, text }: Heading) =>
    index !== document &&
    (saysItWasDone(bare(index, text)) || isOfDone({ index }) || isListed(text))
  const isBelowDone = belowReader(headings, isOver)
  const isBelowLeft = belowReader(headings, ({ text }) => tellsWhatIsLeft(text))
  const own = new Set(spots.map(({ index }) => index))
  const held = below(headings, ({ index }) => own.has(index))
  const ticked = tickedIn(lines, masks, held).sure
  return new Set(
    spots.filter((spot) => {
      const { index, at } = spot
      const title = titleIn(bare(index, (lines[index] ?? "").slice(at).trim()))
      const isBelow = isBelowDone(index) && !isBelowLeft(index)
      const isSaid = saysDone(title) || TICK_BEHIND.test(title)
      const isDone = (isBelow || isSaid) && !showsLeft(title)
      return (
        isDone ||
        isOfDone(spot) ||
        ticked.has(index + 1) ||
        isListed((lines[index] ?? "").slice(at))
      )
    }),
  )
}

const PICTURE = /^\p{Extended_Pictographic}\ufe0f?[ \t]*/u

/**
 * The lines of headings beside each other that begin with a picture each, no two with the same one, and several with one that stands for no
 * state: `✅ Testing` beside `🔧 Setup` and `🚀 Hosting` says no state either.
 */
function adornedHeadings(headings: readonly Heading[]): ReadonlySet<number> {
  const places = new Map<string, Heading[]>()
  for (const heading of headings) addTo(places, placeOf(heading), heading)
  const areAdorned = (beside: readonly Heading[]) => {
    const titles = beside.map(({ text }) => titleIn(text))
    const pictures = titles.flatMap((title) => PICTURE.exec(title)?.[0].trim() ?? [])
    const silent = titles.filter((title) => shownFirst(title) === null)
    return new Set(pictures).size === titles.length && silent.length >= LEAST
  }
  const adorned = [...places.values()].filter(areAdorned).flat()
  return new Set(adorned.map(({ index }) => index))
}

/** The words without the number that they begin with. */
function titleIn(words: string): string {
  const { rest } = splitLabel(words)
  return rest === "" ? words : rest
}
