// Says why lines cannot become exactly the tasks they were chosen for.
import type { BoxSpot } from "../headings/own-headings.ts"
import { namedTitle } from "../model/title.ts"
import type { ReadRows } from "../read-rows.ts"
import { type BoxlessPlan, wantedWith } from "./without-box.ts"

const LEAVING_OUT: ReadonlySet<string> = new Set(["outside-section", "ignored-heading"])

/**
 * Why the plan does not read as its own tasks and these, by the first line that is none, and what to do; `after` is its reading with these
 * boxes.
 */
export function noTasksByBox(
  read: Pick<BoxlessPlan, "tasks">,
  spots: readonly BoxSpot[],
  { tasks, sorted, blocks }: Pick<ReadRows, "tasks" | "sorted" | "blocks">,
): string {
  const wanted = wantedWith(read, spots)
  const found = new Set(tasks.map(({ line }) => line - 1))
  const none = wanted.filter((index) => !found.has(index))
  if (none.length === 0)
    return `Expected ${wanted.length} tasks with these boxes; found ${tasks.length}. ${OTHERS}`
  const first = Math.min(...none)
  const whole = tasks.findLast(({ line, endLine }) => line <= first && first < endLine)
  const left = sorted.ignored.find(({ line }) => line - 1 === first)
  const heading = blocks.headings.findLast(({ index, end }) => index < first && first < end)
  const isLeft = left !== undefined && LEAVING_OUT.has(left.reason) && heading !== undefined
  const [would, cure] =
    whole !== undefined
      ? [`a part of the task on line ${whole.line}, "${namedTitle(whole.title, 60)}"`, NOT_BOTH]
      : isLeft
        ? [`left out below "${namedTitle(heading.text, 60)}"`, MOVE]
        : ["no task", OTHERS]
  return `Expected each line with a box to be a task; found line ${first + 1}, which would be ${would}. ${cure}`
}

const OTHERS = "Choose others, or write each task as a row, `- [ ] 1. Title`."
const MOVE = "Choose others, or move it to the other tasks."
const NOT_BOTH =
  "Only one of the two can be a task: choose that one alone, or delete the box of the other."
