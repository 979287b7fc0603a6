// Reads GSD's `<task>` elements.
import { type Mask, stretchReader } from "../blocks/blocks.ts"
import { splitLabel } from "../dialects/label.ts"
import type { PlanWarning, Task } from "../model/plan.ts"
import { cleanTitle, hashTitle } from "../model/title.ts"
import { type TakenKeys, takeKey } from "../tasks/take-key.ts"

export interface GsdTasks {
  readonly tasks: readonly Task[]
  readonly warnings: readonly PlanWarning[]
}

interface GsdInput {
  readonly lines: readonly string[]
  readonly masks: readonly Mask[]
  readonly path: string | undefined
  readonly siblings: readonly string[] | undefined
}

const OPENING = /^ {0,3}<task(?=[\s>])[^>]{0,500}>/
const CLOSING = /<\/task>/
const NAME = /<(name|title)>([^<]{1,1000})<\/\1>/
const TYPE = /\btype="([^"]{1,100})"/
const PLAN_SUFFIX = /PLAN\.md$/i

/**
 * Reads `<task>` elements, or returns null if there are none. Their state is not in the text: all are done once the plan's SUMMARY file
 * exists beside it, and a list of criteria ticked in advance says nothing.
 */
export function readGsdTasks(input: GsdInput): GsdTasks | null {
  const starts = findStarts(input)
  if (starts.length === 0) return null
  const summary = summaryOf(input.path ?? "") ?? "SUMMARY.md"
  const isDone = hasSibling(input, summary)
  const keys: TakenKeys = new Map()
  const tasks = starts.map((index, at) => {
    const stop = starts[at + 1] ?? input.lines.length
    return buildTask(input.lines, index, stop, at + 1, { isDone, summary, keys })
  })
  return { tasks, warnings: isDone ? [] : [needsSummary(starts[0] ?? 0, summary)] }
}

function findStarts({ lines, masks }: GsdInput): number[] {
  const isMasked = stretchReader(masks)
  return lines.flatMap((line, index) => {
    const isStart = line.includes("<task") && OPENING.test(line) && !isMasked(index)
    return isStart ? [index] : []
  })
}

/** The name of the file beside a PLAN.md whose existence, in letters of any case, says that its tasks are done; null for other files. */
export function summaryOf(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1) ?? path
  return PLAN_SUFFIX.test(name) ? name.replace(PLAN_SUFFIX, "SUMMARY.md") : null
}

function hasSibling({ siblings = [] }: GsdInput, name: string): boolean {
  return siblings.some((sibling) => sibling.toLowerCase() === name.toLowerCase())
}

function buildTask(
  lines: readonly string[],
  index: number,
  stop: number,
  ordinal: number,
  known: { readonly isDone: boolean; readonly summary: string; readonly keys: TakenKeys },
): Task {
  const closing = lines.slice(index, stop).findIndex((line) => CLOSING.test(line))
  const endLine = closing === -1 ? stop : index + closing + 1
  const body = lines.slice(index, endLine).join("\n")
  const name = NAME.exec(body)?.[2]?.trim() ?? ""
  const named = splitLabel(name)
  const title = named.rest || name || (TYPE.exec(lines[index] ?? "")?.[1] ?? `task ${ordinal}`)
  const label = named.label ?? (name === "" ? null : String(ordinal))
  const titleHash = hashTitle(title)
  const { key, isFirst } = takeKey(known.keys, { section: "task", label }, titleHash)
  return {
    key,
    label,
    title: cleanTitle(title),
    titleHash,
    section: "task",
    group: null,
    state: known.isDone ? "done" : "open",
    marker: "",
    line: index + 1,
    endLine,
    optional: false,
    runnable: !known.isDone,
    dependsOn: [],
    reusable: isFirst,
    rejected: false,
    dialect: "gsd",
    settledBy: known.summary,
  }
}

function needsSummary(index: number, summary: string): PlanWarning {
  const message = `These tasks have no boxes: all are settled at once, by a file ${summary} next to the plan.`
  return { line: index + 1, rule: "needs-summary", message }
}
