// What is said of lines that would not be read as just the tasks that they were chosen for.
import type { Heading } from "../blocks/blocks.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import type { Task } from "../model/plan.ts"
import { namedTitle } from "../model/title.ts"
import type { ReadRows } from "../read-rows.ts"
import { type BoxlessPlan, wantedWith } from "./without-box.ts"

/** Lines by their indexes that would be no tasks for one reason, the first with what it is, and what to do. */
interface NoTasks {
  readonly lines: readonly number[]
  readonly would: (isOne: boolean) => string
  readonly cure: string
}

const MAX_LINES = 20

type After = Pick<ReadRows, "tasks" | "sorted" | "blocks">

/** Why the plan does not read as its tasks and these, and what to do: `after` is its reading with these boxes. */
export function noTasksByBox(
  read: Pick<BoxlessPlan, "tasks">,
  spots: readonly BoxSpot[],
  after: After,
): string {
  const wanted = wantedWith(read, spots)
  const tasks = new Set(after.tasks.map(({ line }) => line - 1))
  const none = wanted.filter((index) => !tasks.has(index)).sort((one, other) => one - other)
  const found = parts(none, spots, after) ?? leftOut(none, spots, after)
  if (found === null) return unlike(wanted.length, none, tasks.size)
  const { lines, would, cure } = found
  const first = (lines[0] ?? 0) + 1
  const which =
    lines.length === 1
      ? `line ${first}, which ${would(true)}`
      : `${lines.length} lines, the first ${first}, which ${would(false)}`
  return `Expected each line with a box to be a task; found ${which}. ${cure}`
}

/** Those that stand below one task. */
function parts(
  none: readonly number[],
  spots: readonly BoxSpot[],
  { tasks, blocks: { rows } }: After,
): NoTasks | null {
  const [first = -1] = none
  const whole = tasks.findLast(({ line, endLine }) => line <= first && first < endLine)
  if (whole === undefined) return null
  const { line, title } = whole
  const words = rows.find(({ index }) => index === line - 1)?.box.text ?? title
  const chosen = new Set(spots.map(({ index }) => index + 1))
  const cure = chosen.has(line)
    ? chosen.has(first + 1)
      ? "Choose that line or those below it, not both."
      : "Delete the boxes below that line first, or choose others."
    : `Delete the ${boxesOn(holding(none, tasks).filter((each) => !chosen.has(each)))} first, or choose others.`
  return {
    lines: none.filter((index) => line <= index && index < whole.endLine),
    would: (isOne) =>
      `would be ${isOne ? "a part" : "parts"} of the task on line ${line}, "${namedTitle(words, 60)}"`,
    cure,
  }
}

/** The lines of the tasks below which one of these stands, all in their order. */
function holding(none: readonly number[], tasks: readonly Task[]): readonly number[] {
  let at = 0
  const next = () => none[at] ?? Number.POSITIVE_INFINITY
  return tasks.flatMap(({ line, endLine }) => {
    while (next() < line) at++
    return next() < endLine ? [line] : []
  })
}

function boxesOn(lines: readonly number[]): string {
  const more = lines.length - MAX_LINES
  const shown = lines.slice(0, MAX_LINES).join(", ")
  return lines.length === 1
    ? `box on line ${shown}`
    : `boxes on lines ${shown}${more > 0 ? ` and ${more} more` : ""}`
}

const LEAVING_OUT: ReadonlySet<string> = new Set(["outside-section", "ignored-heading"])

/** Those that stand below one heading whose rows are no tasks. */
function leftOut(none: readonly number[], spots: readonly BoxSpot[], after: After): NoTasks | null {
  const ignored = after.sorted.ignored.filter(({ reason }) => LEAVING_OUT.has(reason))
  const left = new Set(ignored.map(({ line }) => line - 1))
  const [first = -1] = none
  const heading = around(first, after)
  const kept = keptHeading(after)
  if (!left.has(first) || heading === undefined || heading === kept?.heading) return null
  const isBeside = kept !== null && !isBelow(kept.heading, first)
  const other = isBeside ? `"${namedTitle(kept.heading.text, 60)}"` : null
  const lines = none.filter((index) => left.has(index) && isBelow(heading, index))
  const [it, its] = lines.length === 1 ? ["it", "its box"] : ["them", "their boxes"]
  const move =
    other !== null && kept?.hasRows === true ? `, or move ${it} below ${other} first` : ""
  return {
    lines,
    would: (isOne) =>
      `would be left out: ${isOne ? "it stands" : "they stand"} below "${namedTitle(heading.text, 60)}"${other === null ? "" : `, not below ${other}`}`,
    cure: spots.some(({ index }) => index === first)
      ? `Choose others${move}.`
      : `Delete ${its} first, or choose others.`,
  }
}

/** The heading below which the first task stands, and whether that is a row: behind a heading that is a task others would be its parts. */
function keptHeading(after: After) {
  const [task] = after.tasks
  const heading = task === undefined ? undefined : around(task.line - 1, after)
  if (task === undefined || heading === undefined) return null
  const row = after.blocks.rows.find(({ index }) => index === task.line - 1)
  return { heading, hasRows: row?.kind === "list" }
}

function around(line: number, { blocks }: After): Heading | undefined {
  return blocks.headings.findLast((heading) => isBelow(heading, line))
}

function isBelow({ index, end }: Heading, line: number): boolean {
  return index < line && line < end
}

function unlike(wanted: number, none: readonly number[], found: number): string {
  const [first = 0] = none
  const which =
    none.length === 0
      ? ""
      : none.length === 1
        ? `: line ${first + 1} would be no task`
        : `: ${none.length} lines, the first ${first + 1}, would be no tasks`
  return `Expected ${wanted} ${wanted === 1 ? "task" : "tasks"} with these boxes; found ${found}${which}. Choose others, or write each task as a row, \`- [ ] 1. Title\`.`
}
