// Reads the rows of a plan in markdown: what each line is, and which tasks they make.
import { withBareRows } from "./blocks/bare-rows.ts"
import type { Blocks, Mask } from "./blocks/blocks.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { thatMayShowBox } from "./blocks/shown-box.ts"
import { boxPlaces } from "./boxes/box-lines.ts"
import { type FrontMatter, readFrontMatter } from "./data/front-matter.ts"
import { readGsdTasks } from "./data/gsd-plan.ts"
import { detectDialect } from "./dialects/detect-dialect.ts"
import { withTitle } from "./headings/nest-headings.ts"
import { ownHeadings } from "./headings/own-headings.ts"
import { splitLines } from "./model/lines.ts"
import { once } from "./model/once.ts"
import type { ParseOptions } from "./model/plan.ts"
import { stateOfWord } from "./model/state-words.ts"
import { buildTasks } from "./tasks/build-tasks.ts"
import { type SortedRows, sortRows } from "./tasks/rows.ts"

/** The longest text that is read, in characters. */
export const MAX_LENGTH = 64 * 1024 * 1024

/** The reading of a plan of rows. */
export type ReadRows = ReturnType<typeof readRows>

/** Reads a plan of rows; `lines` of the options are those of the text, if somebody has already split it. */
export function readRows(text: string, options: ParseOptions) {
  const lines = options.lines ?? splitLines(text)
  const front = readFrontMatter(lines)
  const scanned = scanBlocks(front.lines, front.lineCount)
  const shown = thatMayShowBox({ text, lines })
  const body = shown.filter((index) => index >= front.lineCount)
  const bare = withBareRows(front.lines, body, scanned)
  const blocks = withTitle(bare)
  const choice = detectDialect({
    text,
    blocks,
    hasBareRows: bare !== scanned,
    wanted: options.dialect,
    path: options.path,
    frontMatter: front.data,
  })
  const masks = frontMask(front.lineCount).concat(blocks.masks)
  const elements = choice.dialect.hasElements
    ? readGsdTasks({ lines, masks, path: options.path, siblings: options.siblings })
    : null
  const own = once(() => ownHeadings(blocks.headings, lines))
  const { rows, headings } = blocks
  const places = once(() => boxPlaces({ lines, own, rows, headings, masks }))
  const sorted =
    elements === null ? sortRows(blocks, choice.dialect, { lines, own }) : leaveOut(blocks)
  const built = buildTasks({ text, lines, masks: blocks.masks, sorted, dialect: choice.dialect })
  const tasks = elements?.tasks ?? built.tasks
  return {
    ...{ text, lines, own, front, blocks, rows, headings, masks, shown, places },
    ...{ choice, elements, sorted, built, tasks },
  }
}

/** In a plan of `<task>` elements boxes are criteria, never tasks. */
function leaveOut(blocks: Blocks): SortedRows {
  const ignored = blocks.rows.map(({ index }) => ({ line: index + 1, reason: "criterion" }))
  return {
    entries: [],
    ignored,
    passedOver: null,
    blocks,
    statuses: new Map(),
    unread: [],
    units: new Map(),
    detailed: new Set(),
    told: new Map(),
    legend: { said: [], rows: new Set() },
  }
}

function frontMask(lineCount: number): Mask[] {
  return lineCount === 0 ? [] : [{ from: 0, to: lineCount - 1, reason: "front-matter" }]
}

/** Whether the front matter says that everything is done. */
export function isDoneByFront({ data: { status } }: FrontMatter): boolean {
  return typeof status === "string" && stateOfWord(status) === "done"
}
