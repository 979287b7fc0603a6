// The file of a shard, and the details of a task.
import { cutLine } from "./model/lines.ts"
import type { Task } from "./model/plan.ts"
import type { Shard } from "./shard-plan.ts"

/** What a shard's file says besides its tasks. */
export interface ShardFacts {
  readonly planPath: string
  readonly shard: Shard
  /** How many shards the plan has now. */
  readonly count: number
  /** The lines of the plan. */
  readonly lines: readonly string[]
}

/**
 * The file of a shard: front matter, then the tasks' own lines with their marks. Made of nothing but the plan, so
 * that the same plan gives the same bytes. Lines of over 4,096 characters are cut.
 */
export function printShard({ planPath, shard, count, lines }: ShardFacts): string {
  const keys = shard.tasks.map(
    ({ key, titleHash }) =>
      `  - { key: ${JSON.stringify(key)}, title_hash: ${JSON.stringify(titleHash)} }`,
  )
  const head = [
    "---",
    `plan: ${JSON.stringify(planPath)}`,
    `shard: ${shard.number}`,
    `shards: ${count}`,
    "tasks:",
    ...keys,
    "---",
  ]
  const tasks = shard.tasks.map((task) => taskLinesOf(lines, task).join("\n"))
  return `${head.join("\n")}\n\n${tasks.join("\n\n")}\n`
}

/** What stands below a task's row in the plan, as it is; for a task without a row what the plan says of it. */
export function detailsOf(lines: readonly string[], task: Task): string {
  return task.body ?? taskLinesOf(lines, task).slice(1).join("\n")
}

function taskLinesOf(lines: readonly string[], task: Task): readonly string[] {
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
