import type { Blocks, Mask } from "./blocks.ts"
import { looksLikeBox } from "./box.ts"
import { buildTasks } from "./build-tasks.ts"
import { detectDialect } from "./detect-dialect.ts"
import { adapterOf, FORMATS } from "./formats.ts"
import { readFrontMatter } from "./front-matter.ts"
import { readGsdTasks } from "./gsd-plan.ts"
import { headingTasks } from "./heading-tasks.ts"
import { cutLine, splitLines } from "./lines.ts"
import type { IgnoredLine, Plan, PlanWarning } from "./plan.ts"
import { type SortedRows, sortRows } from "./rows.ts"
import { scanBlocks } from "./scan-blocks.ts"
import { summarize } from "./summarize.ts"

export interface ParseOptions {
  /** Where the plan lies: a hint at its dialect. */
  readonly path?: string
  /** The dialect's name, where it is known. */
  readonly dialect?: string
  /** Names of the files in the plan's folder. */
  readonly siblings?: readonly string[]
}

const MAX_LENGTH = 64 * 1024 * 1024

/**
 * Reads a plan of any format. It never throws and takes time linear in the text: what cannot be
 * read is a warning, and each line that looks like a checkbox is a task, a sub-item or ignored with
 * its reason. A text without any task gives the state `invalid`.
 */
export function parsePlan(text: string, options: ParseOptions = {}): Plan {
  const isTooLong = text.length > MAX_LENGTH
  const adapter = isTooLong ? null : adapterOf(text, options)
  if (adapter !== null) return adapter.read(text, options)
  const lines = isTooLong ? [] : splitLines(text)
  const front = readFrontMatter(lines)
  const blocks = scanBlocks(front.lines, front.lineCount)
  const choice = detectDialect({
    text,
    blocks,
    wanted: options.dialect,
    path: options.path,
    frontMatter: front.data,
  })
  const masks = frontMask(front.lineCount).concat(blocks.masks)
  const elements = choice.dialect.hasElements
    ? readGsdTasks({ lines, masks, path: options.path, siblings: options.siblings })
    : null
  const sorted = elements === null ? sortRows(blocks, choice.dialect) : leaveOut(blocks)
  const built = buildTasks({ lines, blocks, sorted, dialect: choice.dialect })
  const tasks = elements?.tasks ?? built.tasks
  const ignored = [...sorted.ignored, ...overlooked(lines, sorted, masks)].sort(byLine)
  return {
    dialect: choice.dialect.name,
    evidence: choice.evidence,
    ...summarize(tasks),
    subItems: built.subItems,
    ignored,
    warnings: [
      ...unknownDialect(options.dialect),
      ...front.warnings,
      ...tooLong(isTooLong),
      ...unclosed(blocks),
      ...emptySections(sorted),
      ...indentedRows(ignored),
      ...built.warnings,
      ...(elements?.warnings ?? []),
      ...(tasks.length === 0 ? headingTasks(blocks) : []),
    ].sort(byLine),
  }
}

/** In a plan of `<task>` elements boxes are criteria, never tasks. */
function leaveOut(blocks: Blocks): SortedRows {
  const ignored = blocks.rows.map(({ index }) => ({ line: index + 1, reason: "outside-section" }))
  return { entries: [], ignored, areSectionsEmpty: false }
}

function byLine(one: { readonly line: number }, other: { readonly line: number }): number {
  return one.line - other.line
}

function frontMask(lineCount: number): Mask[] {
  return lineCount === 0 ? [] : [{ from: 0, to: lineCount - 1, reason: "front-matter" }]
}

/** Lines that look like a box to a person, and why they are none. */
function overlooked(lines: readonly string[], sorted: SortedRows, masks: readonly Mask[]) {
  const known = new Set(sorted.ignored.map(({ line }) => line))
  for (const { row } of sorted.entries) known.add(row.index + 1)
  const ignored: IgnoredLine[] = []
  let at = 0
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (!line.includes("[") || known.has(index + 1)) continue
    while ((masks[at]?.to ?? lines.length) < index) at++
    const reason = reasonFor(cutLine(line), index, masks[at])
    if (reason !== null) ignored.push({ line: index + 1, reason })
  }
  return ignored
}

const NO_TEXT = /\]\*?[ \t]*$/

function reasonFor(line: string, index: number, mask: Mask | undefined): string | null {
  const looks = looksLikeBox(line)
  if (looks === null) return null
  if (mask !== undefined && mask.from <= index) return mask.reason
  if (looks === "bare") return "no-list-marker"
  return NO_TEXT.test(line) ? "no-text" : "in-paragraph"
}

function unclosed(blocks: Blocks): PlanWarning[] {
  return blocks.unclosed.map(({ index, rule, reopenedAt }) => {
    const kind = rule === "unclosed-fence" ? "code fence" : "comment"
    const message =
      reopenedAt === null
        ? `Nothing closes this ${kind}: it hides nothing.`
        : `Tasks stand between this ${kind} and the one on line ${reopenedAt + 1}: it is read as never closed and hides nothing.`
    return { line: index + 1, rule, message }
  })
}

/** Rows four columns in, below no item: CommonMark says code, and their author may have meant tasks. */
function indentedRows(ignored: readonly IgnoredLine[]): PlanWarning[] {
  const found = ignored.filter(({ reason }) => reason === "indented-code")
  const [first] = found
  if (first === undefined) return []
  const lines = found.length === 1 ? "1 line" : `${found.length} lines`
  const message = `${lines} with a box are indented by 4 columns or a tab below no item: that is code, not a task.`
  return [{ line: first.line, rule: "indented-rows", message }]
}

function unknownDialect(wanted: string | undefined): PlanWarning[] {
  if (wanted === undefined || FORMATS.some(({ name }) => name === wanted)) return []
  const names = FORMATS.map(({ name }) => name).join(", ")
  const message = `There is no dialect "${wanted.slice(0, 40)}"; known are ${names}.`
  return [{ line: 1, rule: "unknown-dialect", message }]
}

function tooLong(isTooLong: boolean): PlanWarning[] {
  if (!isTooLong) return []
  return [
    { line: 1, rule: "too-long", message: `The plan is longer than ${MAX_LENGTH} characters.` },
  ]
}

function emptySections(sorted: SortedRows): PlanWarning[] {
  if (!sorted.areSectionsEmpty) return []
  const message =
    "The section for tasks holds none; the rows under other headings are read instead."
  return [{ line: 1, rule: "empty-section", message }]
}
