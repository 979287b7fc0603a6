// What the plan itself says that its markers mean.
import type { Blocks } from "../blocks/blocks.ts"
import type { MarkerTable, Meaning } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import { LEGEND_HEADING } from "./section-rules.ts"

const LEGEND_LINE = /^[\s>*_#-]*(?:legend|status key|markers?)\b/i
const PAIR =
  /\[([^[\]]{1,3})\]`?[ \t]{0,8}(?:[:=\u2013\u2014\u2192-]{1,2}>?)?[ \t]{0,8}(\p{L}[\p{L} -]{0,24})/gu
const MAX_LEGEND_LINES = 40
const MAX_LENGTH = 500

const WORDS: readonly (readonly [RegExp, TaskState])[] = [
  [/^(?:not started|to ?do|open|pending|queued|planned|unstarted)/i, "open"],
  [/^(?:in[ -]progress|doing|started|active|wip|ongoing|partial)/i, "in_progress"],
  [/^(?:deferred|blocked|on hold|waiting|postponed|paused)/i, "blocked"],
  [/^(?:cancel|skip|dropped|won|not needed|n\/a|obsolete)/i, "cancelled"],
  [/^(?:complete|done|finished|implemented|verified)/i, "done"],
]

/**
 * What the plan itself says that its markers mean: the lines below a heading Legend, and a line
 * that starts with that word. It wins over every table; words that say nothing known are passed over.
 */
export function readLegend(lines: readonly string[], blocks: Blocks): MarkerTable {
  const table: Record<string, Meaning> = {}
  for (const line of legendLines(lines, blocks)) {
    for (const [, marker, words] of line.slice(0, MAX_LENGTH).matchAll(PAIR)) {
      const state = WORDS.find(([pattern]) => pattern.test(words ?? ""))?.[1]
      if (marker !== undefined && state !== undefined) table[marker] = { state }
    }
  }
  return table
}

function legendLines(lines: readonly string[], blocks: Blocks): string[] {
  const found = lines.filter((line) => line.includes("[") && LEGEND_LINE.test(line))
  const heading = blocks.headings.findIndex(({ text }) => LEGEND_HEADING.test(text))
  const start = blocks.headings[heading]?.index
  if (start === undefined) return found.slice(0, MAX_LEGEND_LINES)
  const end = Math.min(
    blocks.headings[heading + 1]?.index ?? lines.length,
    start + MAX_LEGEND_LINES,
  )
  return [...found.slice(0, MAX_LEGEND_LINES), ...lines.slice(start + 1, end)]
}
