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
  const first = lines.slice(0, cut.most)
  const costs = first.map(lineCost)
  for (let shown = first.length; shown > 0; shown -= 1) {
    const rest = restOf(lines, shown, cut)
    const cost = costs.slice(0, shown).reduce((sum, one) => sum + one, linesCost(rest))
    if (cost <= cut.tokens) return [...first.slice(0, shown), ...rest]
  }
  return restOf(lines, 0, cut)
}

/** What lines cost with their ends, by estimate. */
export function linesCost(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineCost(line), 0)
}

/** What lines cost, of which null is none. */
export type CostOf = (lines: readonly (string | null)[]) => number

/** The same for lines that are weighed again and again while a text is laid out: each is counted once. */
export function keptCosts(): CostOf {
  const costs = new Map<string, number>()
  const add = (sum: number, line: string | null): number => {
    if (line === null) return sum
    const cost = costs.get(line) ?? lineCost(line)
    costs.set(line, cost)
    return sum + cost
  }
  return (lines) => lines.reduce(add, 0)
}

function lineCost(line: string): number {
  return estimateTokens(line) + 1
}

/** The line on those behind the first `shown`, where there are any. */
function restOf(lines: readonly string[], shown: number, { rest }: Cut): readonly string[] {
  const left = lines.length - shown
  return left > 0 ? [rest(left, shown)] : []
}
