// The first lines of several that have room, and how many more there are.
import { estimateTokens } from "./quote.ts"

/** How lines are cut. */
interface Cut {
  /** So many at most. */
  readonly most: number
  /** In so many tokens, by estimate. */
  readonly tokens: number
  /** How many are left out, in words; `shown` stand before them. */
  readonly rest: (left: number, shown: number) => string
}

/** The first lines that have room, and a line on the rest; that one stands even where nothing has room. */
export function firstWithin(lines: readonly string[], cut: Cut): readonly string[] {
  for (let shown = Math.min(cut.most, lines.length); shown > 0; shown -= 1) {
    const kept = withRest(lines, shown, cut)
    if (linesCost(kept) <= cut.tokens) return kept
  }
  return withRest(lines, 0, cut)
}

/** What lines cost with their ends, by estimate. */
export function linesCost(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(line) + 1, 0)
}

function withRest(lines: readonly string[], shown: number, { rest }: Cut): readonly string[] {
  const left = lines.length - shown
  return [...lines.slice(0, shown), ...(left > 0 ? [rest(left, shown)] : [])]
}
