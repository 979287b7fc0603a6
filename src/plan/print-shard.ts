// Writes the file of a shard, and the details of a task.
import { cutLine, type Lines } from "./model/lines.ts"
import { oncePerPlan } from "./model/once-a-reading.ts"
import type { Task } from "./model/plan.ts"
import { type Shard, tasksOf } from "./shard-plan.ts"

/** What a shard's file is made from. */
export interface ShardFacts {
  readonly planPath: string
  readonly shard: Shard
  /** How many shards the plan has now. */
  readonly count: number
  /** The lines of the plan. */
  readonly lines: Lines
  /** All tasks of the plan; what stands around and between them is shown in its place. */
  readonly tasks: readonly Task[]
  /** Whether its tasks are rows, so that the lines around them are words for whoever works on them. */
  readonly isOfRows: boolean
}

/** Lines of a file, from 1, both included. */
interface LineRange {
  readonly from: number
  readonly to: number
}

/** A shard's file, and where things stand in it. */
export interface PrintedShard {
  readonly text: string
  /** The lines of each task, by its key. */
  readonly taskRanges: ReadonlyMap<string, LineRange>
  /** What the plan says before its first task and after its last: it applies to every one of them. Null for nothing. */
  readonly rules: LineRange | null
}

/** Characters of what the plan says before its first task, after its last, and between two of them. */
const MAX_BEFORE = 6_000
const MAX_BEHIND = 2_000
const MAX_BETWEEN = 2_000

/** Headings, lines and blanks are no rule. */
const NO_RULE = /^\s*(?:#.*|-{3,}|)$/

/**
 * The file of a shard: front matter, what applies to every task, then the tasks' own lines with their marks, with the headings and notes
 * between them in place. It is made only from the plan, so that the same plan gives the same bytes. Lines of over 4,096 characters are cut.
 */
export function printShard(facts: ShardFacts): PrintedShard {
  const { planPath, shard, count, lines, tasks } = facts
  const own = tasksOf(tasks, shard)
  const keys = own.map(
    ({ key, titleHash }) =>
      `  - { key: ${JSON.stringify(key)}, title_hash: ${JSON.stringify(titleHash)} }`,
  )
  const printed = [
    "---",
    `plan: ${JSON.stringify(planPath)}`,
    `shard: ${shard.number}`,
    `shards: ${count}`,
    "tasks:",
    ...keys,
    "---",
  ]
  const add = (block: readonly string[]): LineRange | null => {
    if (block.length === 0) return null
    const from = printed.push("") + 1
    return { from, to: printed.push(...block) }
  }
  const between = notesOf(facts)
  const before = add(between(0, MAX_BEFORE))
  const behind = add(between(tasks.length, MAX_BEHIND))
  const taskRanges = new Map<string, LineRange>()
  const { first } = shard
  const sectionsFirst = groupFirsts(tasks)[first] ?? first
  if (sectionsFirst > 0 && sectionsFirst < first) add(between(sectionsFirst, MAX_BETWEEN))
  for (const [index, task] of own.entries()) {
    if (first + index > 0) add(between(first + index, MAX_BETWEEN))
    const range = add(taskLinesOf(lines, task))
    if (range !== null) taskRanges.set(task.key, range)
  }
  const says = (range: LineRange | null): boolean =>
    range !== null && printed.slice(range.from - 1, range.to).some((line) => !NO_RULE.test(line))
  const ranges =
    says(before) || says(behind) ? [before, behind].filter((range) => range !== null) : []
  const [start, end] = [ranges[0], ranges.at(-1)]
  const rules = start === undefined || end === undefined ? null : { from: start.from, to: end.to }
  return { text: `${printed.join("\n")}\n`, taskRanges, rules }
}

/** What stands below a task's row in the plan, unchanged; for a task without a row, what the plan says about it. */
export function detailsOf(lines: Lines, task: Task): string {
  return task.body ?? taskLinesOf(lines, task).slice(1).join("\n")
}

/**
 * What the plan says before the task at an index, after the previous task: headings and notes, up to `max` characters, with a line about
 * what was left out. Nothing if tasks are no rows.
 */
function notesOf({ lines, tasks, isOfRows, planPath }: ShardFacts) {
  return (index: number, max: number): readonly string[] => {
    const [from, to] = [
      tasks[index - 1]?.endLine ?? 0,
      (tasks[index]?.line ?? lines.length + 1) - 1,
    ]
    if (!isOfRows || to <= from) return []
    const all = withoutBlankEnds(lines.slice(from, to))
    const shown: string[] = []
    let left = max
    for (const line of all) {
      left -= line.length + 1
      if (left < 0) {
        shown.push(`(cut: the rest is in ${planPath}, up to line ${to})`)
        break
      }
      shown.push(cutLine(line))
    }
    return shown
  }
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const isFilled = (line: string): boolean => line.trim() !== ""
  const first = lines.findIndex(isFilled)
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex(isFilled) + 1)
}

/** For each task, the place of the first one below the same heading. */
const groupFirsts = oncePerPlan((tasks: readonly Task[]): readonly number[] => {
  const firsts: number[] = []
  for (const [place, { group }] of tasks.entries()) {
    const before = tasks[place - 1]
    firsts.push(before !== undefined && before.group === group ? (firsts[place - 1] ?? 0) : place)
  }
  return firsts
})

function taskLinesOf(lines: Lines, task: Task): readonly string[] {
  const { line, endLine, body = "" } = task
  if (line > 0 && body === "") return lines.slice(line - 1, endLine).map(cutLine)
  const below = body === "" ? [] : body.split("\n").map((one) => cutLine(`  ${one}`))
  return [rowOf(task), ...below]
}

/** A row for a task that has none in the plan. */
function rowOf({ label, title, state }: Task): string {
  return `- [${MARKS[state]}] ${label === null ? "" : `${label}: `}${title}`
}

const MARKS = { open: " ", in_progress: "/", blocked: "!", done: "x", cancelled: "-" } as const
