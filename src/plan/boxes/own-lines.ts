// Finds the lines that belong to a task: those that tell more about it, and no row beside it.

import type { Heading, Stretch } from "../blocks/blocks.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { isCalledTask } from "../headings/named-headings.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle, hashTitle } from "../model/title.ts"
import type { ReadRows } from "../read-rows.ts"

const RANGE = /^(\d{1,4})[-–](\d{1,4})$/
const MAX_RANGE = 50
/** A line that belongs to the row above it. */
export const INDENTED = /^(?:[ ]{2}|[ ]?\t)/
const MARK = /^ ?([-*+]|\d{1,9}[.)])[ \t]/

type OfTasks = Pick<ReadRows, "tasks" | "lines" | "blocks" | "sorted">

/**
 * What stands below a heading that is a task or tells more about one; and what follows a row, up to an empty line or a sibling of its list.
 */
export function ownLines(read: OfTasks, telling = headingsOfTasks(read)): readonly Stretch[] {
  const { tasks, blocks } = read
  const starts = new Set(tasks.map(({ line }) => line - 1))
  const boxed = blocks.headings.filter(({ index }) => starts.has(index))
  return [
    ...[...boxed, ...telling].map(({ index, end }) => ({ from: index, to: end - 1 })),
    ...tasks.map((task) => {
      const end = endOf(task, read)
      const [sibling = end + 1] = siblingsOf(task, read, end)
      return { from: task.line - 1, to: sibling - 1 }
    }),
  ]
}

/** The last line before a line at the margin that follows an empty line. */
function endOf({ line, endLine }: Task, { lines }: OfTasks): number {
  let to = line - 1
  for (let index = line; index < endLine; index++) {
    const text = lines[index] ?? ""
    if (text.trim() === "") continue
    if (to < index - 1 && !INDENTED.test(text)) break
    to = index
  }
  return to
}

/** The lines right after a row that continue its list. */
export function siblingsOf(task: Task, read: OfTasks, end = endOf(task, read)): readonly number[] {
  const { lines } = read
  const mark = markOf(lines[task.line - 1])
  if (mark === null) return []
  const found: number[] = []
  for (let index = task.line; index <= end; index++)
    if (markOf(lines[index]) === mark) found.push(index)
  return found
}

/** The bullet of a row at the margin, `1` for any number; null for any other line. */
function markOf(line = ""): string | null {
  const mark = MARK.exec(line)?.[1] ?? null
  return mark !== null && /\d/.test(mark) ? "1" : mark
}

/** Headings that tell more about a row that is a task: `Task 3` with its number, and others that begin with its words. */
export function headingsOfTasks({ tasks, blocks, sorted }: OfTasks): readonly Heading[] {
  const titles = new Map(
    tasks.flatMap(({ label, title }) =>
      numbersOf(label ?? "").map((number) => [number, title.toLowerCase()] as const),
    ),
  )
  const hashes = new Set(tasks.map(({ titleHash }) => titleHash))
  const isOfTask = ({ index, text }: Heading) => {
    if (sorted.detailed.has(index)) return true
    const { label, rest } = splitLabel(numberedWords(text))
    const title = label === null ? undefined : titles.get(label)
    const isSame =
      isCalledTask(text) ||
      cleanTitle(rest)
        .toLowerCase()
        .startsWith(title ?? "")
    return (title !== undefined && isSame) || hashes.has(hashTitle(rest))
  }
  return blocks.headings.filter(isOfTask)
}

/** `18-20` has three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}
