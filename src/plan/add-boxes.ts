// Puts a box before each numbered row or task heading of a plan that has no box at all.
import { below, belowReader, type Heading, titleIndex } from "./blocks/blocks.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { readFrontMatter } from "./data/front-matter.ts"
import { showsLeft } from "./dialects/first-sign.ts"
import { saysItWasDone, tellsWhatIsLeft } from "./dialects/heading-roles.ts"
import { splitLabel } from "./dialects/label.ts"
import { tickedIn } from "./dialects/ticked-rows.ts"
import { isAdapted } from "./formats.ts"
import { areLines } from "./headings/box-spots.ts"
import type { BoxSpot } from "./headings/own-headings.ts"
import { readStatusLines } from "./headings/status-lines.ts"
import { lineRanges, splitLines } from "./model/lines.ts"
import { cleanTitle, saysDone } from "./model/title.ts"
import { boxlessOf, parsePlan } from "./parse-plan.ts"

/** A line that gets a box. */
export interface BoxedLine {
  readonly line: number
  readonly title: string
}

/** A plan with boxes, or why there is none to be had. */
export type AddedBoxes =
  | { readonly ok: true; readonly text: string; readonly added: readonly BoxedLine[] }
  | { readonly ok: false; readonly message: string }

/** Where a box goes in the text. */
interface Spot {
  readonly offset: number
  readonly line: number
}

const BOX = "[ ] "
const TICKED = "[x] "
/** A heading that bears its tick at the end. */
const TICK_BEHIND = /\[[xX✓✔✅☑√]\ufe0f?\]$/u

/**
 * Puts a box before each numbered row or task heading of a plan that has no box at all, or of one whose tasks are fewer than such lines or all settled: `[ ] ` and nothing else. What
 * is taken: headings such as "Task 1" or "Step 1", else the numbered rows below a heading that speaks of work, else
 * headings with a number, else all numbered rows. A heading that says that it is done, by its words or its `Status:`, or holds nothing but rows with a tick, gets `[x] `; where that cannot be told, nothing is written. The result must read as just those tasks, or it is refused.
 */
export function addBoxes(text: string, path: string): AddedBoxes {
  const before = parsePlan(text, { path })
  if (isAdapted(before.dialect))
    return refused("Expected a plan in markdown; found one that keeps its tasks as data.")
  const found = boxlessOf(text, { path })
  const spots = spotsOf(text, found?.spots ?? [])
  if (found !== null && found.doubt !== null)
    return refused(
      `Expected lines that can be told to be open or done; found ${spots.length} that may be done (line ${found.doubt + 1}). Write their boxes by hand, \`[x] \` or \`[ ] \`.`,
    )
  if (spots.length === 0 && before.tasks.length > 0)
    return refused(
      `Expected a plan without a task; found ${before.tasks.length}: it needs no boxes.`,
    )
  if (spots.length === 0)
    return refused(
      "Expected numbered rows (`1. Title`) or headings (`### Task 1: Title`) that name work; found none. Write each task as a row, `- [ ] 1. Title`.",
    )
  const boxed = withBoxes(text, spots)
  const after = parsePlan(boxed, { path }).tasks
  const wanted = [...before.tasks, ...spots].map(({ line }) => line - 1)
  if (!areLines(after, wanted))
    return refused(
      `Expected ${new Set(wanted).size} tasks once the boxes stand; found ${after.length}. Write them by hand, \`- [ ] 1. Title\`.`,
    )
  const lines = splitLines(text)
  const added = spots.map(({ line }) => ({ line, title: cleanTitle(lines[line - 1] ?? "") }))
  return { ok: true, text: boxed, added }
}

function spotsOf(text: string, found: readonly BoxSpot[]): readonly Spot[] {
  const starts = lineRanges(
    text,
    found.map(({ index }) => index + 1),
  )
  return found.map(({ index, at }, order) => ({
    offset: (starts[order]?.start ?? 0) + at,
    line: index + 1,
  }))
}

/** The text with a box at each spot; a tick where its title, the heading's status or a heading around says that it is done, unless a nearer sign or heading says that it is left. */
function withBoxes(text: string, spots: readonly Spot[]): string {
  const lines = splitLines(text)
  const blocks = scanBlocks(lines, readFrontMatter(lines).lineCount)
  const { headings, masks } = blocks
  const statuses = readStatusLines(lines, blocks, { masks, isNear: false })
  const document = titleIndex(headings)
  // What a document says of itself may be said of its text.
  const isOver = ({ index, text: words }: Heading) =>
    index !== document && (saysItWasDone(words) || statuses.get(index)?.state === "done")
  const isBelowDone = belowReader(headings, isOver)
  const isBelowLeft = belowReader(headings, ({ text: words }) => tellsWhatIsLeft(words))
  const own = new Set(spots.map(({ line }) => line - 1))
  const ticked = tickedIn(
    lines,
    masks,
    below(headings, ({ index }) => own.has(index)),
  ).sure
  let from = 0
  const pieces = spots.map(({ offset, line }) => {
    const title = titleAt(text, offset)
    const isDone =
      (isBelowDone(line - 1) && !isBelowLeft(line - 1) && !showsLeft(title)) ||
      statuses.get(line - 1)?.state === "done" ||
      ticked.has(line) ||
      saysDone(title) ||
      TICK_BEHIND.test(title)
    const before = text.slice(from, offset)
    from = offset
    return before + (isDone ? TICKED : BOX)
  })
  return pieces.join("") + text.slice(from)
}

/** What stands behind a spot, without its number. */
function titleAt(text: string, offset: number): string {
  const end = text.slice(offset).search(/[\r\n]|$/)
  const words = text.slice(offset, offset + end).trim()
  const { rest } = splitLabel(words)
  return rest === "" ? words : rest
}

function refused(message: string): AddedBoxes {
  return { ok: false, message }
}
