// Writes the task state as every later request shows it.
import type { TaskState } from "../boulder/task-state.ts"
import { frame } from "./frame.ts"
import { estimateTokens, quote } from "./quote.ts"

/**
 * The fields as the model reads them, the most important first, and the tokens reserved for each whatever the others say: the most for what
 * nobody could find out again. What a field does not use goes to the others, in this order.
 */
const FIELDS: readonly {
  readonly field: keyof TaskState
  readonly heading: string
  readonly tokens: number
}[] = [
  { field: "goal", heading: "Goal", tokens: 100 },
  { field: "user_constraints", heading: "The user's constraints", tokens: 320 },
  { field: "decisions", heading: "Decided; only the user reopens it", tokens: 250 },
  { field: "next_step", heading: "Next step", tokens: 90 },
  { field: "blockers", heading: "Blockers", tokens: 70 },
  { field: "open_items", heading: "Open", tokens: 65 },
  { field: "key_artifacts", heading: "Artifacts", tokens: 55 },
  { field: "progress", heading: "Progress", tokens: 40 },
]
const ALL_TOKENS = FIELDS.reduce((sum, { tokens }) => sum + tokens, 0)
/** What an item costs besides its words: the dash and the line end. */
const ITEM_TOKENS = 3

/** Budget: 1,200 tokens (o200k), whatever the state. The same state gives the same bytes. */
export function taskStateText(state: TaskState, sessionId: string): string {
  return frame([
    "Task state of this session as of its last compaction. Whatever came later, in the messages or in the plan, overrides it.",
    ...taskStateLines(state, sessionId),
  ])
}

/**
 * A state's fields, without empty ones, within 1,150 tokens (o200k). Items are shown whole and in order as long as there is room; only the
 * first one of a field may be cut, and the last line counts what was left out.
 */
export function taskStateLines(state: TaskState, sessionId: string): readonly string[] {
  const fields = FIELDS.map((one) => ({ ...one, items: itemsOf(state[one.field]) }))
  const wanted = fields.map(({ items }) => costOf(items))
  let spare =
    ALL_TOKENS -
    fields.reduce((sum, { tokens }, index) => sum + Math.min(tokens, wanted[index] ?? 0), 0)
  const lines: string[] = []
  let leftOut = 0
  for (const [index, { field, heading, tokens, items }] of fields.entries()) {
    if (items.length === 0) continue
    const extra = Math.min(spare, Math.max(0, (wanted[index] ?? 0) - tokens))
    spare -= extra
    const shown = fitting(items, tokens + extra)
    leftOut += items.length - shown.length
    if (typeof state[field] === "string") lines.push(`${heading}: ${shown.join("")}`)
    else lines.push(`${heading}:`, ...shown.map((item) => `- ${item}`))
  }
  if (leftOut > 0) lines.push(`(${leftOut} more: opencode-boulder state ${sessionId})`)
  return lines
}

function itemsOf(field: string | readonly string[]): readonly string[] {
  const items = typeof field === "string" ? [field] : field
  return items.filter((item) => item !== "").map((item) => quote(item, ALL_TOKENS))
}

/** The tokens that all items would take, up to the most that a field could ever have. */
function costOf(items: readonly string[]): number {
  let tokens = 0
  for (const item of items) {
    tokens += estimateTokens(item) + ITEM_TOKENS
    if (tokens > ALL_TOKENS) break
  }
  return tokens
}

function fitting(items: readonly string[], tokens: number): readonly string[] {
  const shown: string[] = []
  let left = tokens
  for (const item of items) {
    const cost = estimateTokens(item) + ITEM_TOKENS
    if (cost > left) return shown.length === 0 ? [quote(item, left - ITEM_TOKENS)] : shown
    shown.push(item)
    left -= cost
  }
  return shown
}
