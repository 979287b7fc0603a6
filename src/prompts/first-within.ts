// Fits lines into tokens: the first that fit, what each costs, and the share of each part.
import { estimateTokens } from "./quote.ts"

interface Cut {
  readonly most: number
  /** In at most this many tokens, by estimate. */
  readonly tokens: number
  /** The words for how many are left out, after `shown` lines. */
  readonly rest: (left: number, shown: number) => string
}

/** The first lines that fit, and a line about the rest, which is shown even if nothing fits. */
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

/** The estimated cost of lines, including their ends. */
export function linesCost(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + lineCost(line), 0)
}

/** The cost of lines; null stands for no line. */
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

/** What each part may take of `tokens`: a part that needs less than an equal share leaves the rest to the others. */
export function sharesOf(needs: readonly number[], tokens: number): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0)
  const smallestFirst = [...needs.keys()].sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0))
  let left = tokens
  for (const [taken, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - taken)))
    shares[index] = share
    left -= share
  }
  return shares
}

function lineCost(line: string): number {
  return estimateTokens(line) + 1
}

/** The line about those after the first `shown`, if there are any. */
function restOf(lines: readonly string[], shown: number, { rest }: Cut): readonly string[] {
  const left = lines.length - shown
  return left > 0 ? [rest(left, shown)] : []
}
