// Finds lines that the linear scanner and the grammar (remark) read differently, ascending.
import type { Row } from "./blocks/blocks.ts"
import { readWithRemark } from "./blocks/remark-reading.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { readFrontMatter } from "./data/front-matter.ts"
import { type Lines, splitLines } from "./model/lines.ts"
import type { PlanWarning, Task } from "./model/plan.ts"
import { shardPlan, tasksOf } from "./shard-plan.ts"

/** Remark takes more than linear time in long lists, long lines, deep nesting, and with each round: such a text is not compared. */
const MAX_LENGTH = 64 * 1024
const MAX_LINES = 1_500
const MAX_ROUNDS = 4
/** For a plan while a person waits: about a second. */
const MAX_SHARDS = 40
const TOO_LONG = /^.{1001}|^[\s>*+\-\d.)]{81}/m

/**
 * A warning for each line of a shard's tasks that the linear scanner and the grammar (remark) read differently; the scanner's reading counts. There
 * should be none, and a property test says so: each shard is read this way when it becomes active. None for a shard without lines, or one
 * too large to compare.
 */
export function warnOfShard(
  lines: Lines,
  tasks: readonly Task[],
  grammar: Grammar,
): readonly PlanWarning[] {
  const placed = tasks.filter(({ line }) => line > 0)
  const first = Math.min(...placed.map(({ line }) => line))
  const last = Math.max(...placed.map(({ line, endLine }) => Math.max(line, endLine)))
  if (placed.length === 0) return []
  const differing = compareReadings(lines.slice(first - 1, last).join("\n"), grammar) ?? []
  return differing.map((line) => ({
    line: line + first - 1,
    rule: "grammar-differs",
    message: DIFFERS,
  }))
}

/** The same for a whole plan, one shard of `size` tasks at a time, for the first 40 shards. */
export function warnOfPlan(
  lines: Lines,
  tasks: readonly Task[],
  size: number,
): readonly PlanWarning[] {
  return shardPlan(tasks, size)
    .slice(0, MAX_SHARDS)
    .flatMap((shard) => warnOfShard(lines, tasksOf(tasks, shard), readWithRemark))
}

/** The second reading as a port: with another one than remark, tests can see what is said about a difference. */
type Grammar = typeof readWithRemark

const DIFFERS = "remark reads this line otherwise than the scanner does: please report it"

/** Lines of a text that the linear scanner and the grammar (remark) read differently, ascending. Null for a text too large to compare. */
export function compareReadings(text: string, grammar: Grammar): readonly number[] | null {
  if (text.length > MAX_LENGTH || TOO_LONG.test(text)) return null
  const all = splitLines(text)
  if (all.length > MAX_LINES) return null
  const { lines, lineCount } = readFrontMatter(all)
  const scanned = scanBlocks(lines, lineCount)
  const bare = lines.map((line, index) => (index < lineCount ? "" : line))
  const remark = grammar(bare.join("\n"), MAX_ROUNDS)
  if (remark === null) return null
  const ours = [
    ...scanned.rows.filter(({ kind }) => kind === "list").map(rowText),
    ...scanned.headings.map(({ index, level }) => `${index + 1} heading ${level}`),
  ]
  const theirs = [
    ...remark.rows.map((row) => `${row.line} row ${row.parentLine} ${row.marker} ${row.isQuoted}`),
    ...remark.headings.map(({ line, level }) => `${line} heading ${level}`),
  ]
  const differing = [...missingFrom(ours, theirs), ...missingFrom(theirs, ours)]
  return [...new Set(differing)].sort((one, other) => one - other)
}

function rowText({ index, parent, box, quoted }: Row): string {
  return `${index + 1} row ${parent === null ? null : parent.index + 1} ${box.marker} ${quoted}`
}

/** The lines of what one reading has and the other lacks. */
function missingFrom(one: readonly string[], other: readonly string[]): readonly number[] {
  const known = new Set(other)
  return one.filter((text) => !known.has(text)).map((text) => Number.parseInt(text, 10))
}
