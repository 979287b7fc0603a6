// Finds bold lines that stand for headings: those that name a unit of work, `**Phase 2: Base**`, `**Phase 2:** Base`.
import { nestHeadings, stretchReader } from "../blocks/blocks.ts"
import { isNamedUnit, unitNumbers } from "../dialects/unit-names.ts"
import { labelOn } from "../headings/criteria-labels.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import { cutLine } from "../model/lines.ts"
import type { ReadRows } from "../read-rows.ts"

/** Below all real headings. */
const LEVEL = 7

/** A reading with such lines among its headings and units. */
export interface WithUnits extends Pick<ReadRows, "blocks" | "sorted"> {
  /** Where all of these begin. */
  readonly heads: () => readonly BoxSpot[]
}

/** The same reading with them. */
export function withBoldUnits<
  Read extends Pick<ReadRows, "lines" | "own" | "blocks" | "sorted" | "masks">,
>(read: Read): Read & WithUnits {
  const { lines, own, blocks, sorted, masks } = read
  const isMasked = stretchReader(masks)
  const bold = lines.flatMap((line, index) => {
    const words = line.startsWith("**") && !isMasked(index) ? cutLine(line) : null
    const text = words === null || isNamedUnit(words) ? words : labelOn(words)
    return text === null ? [] : [{ index, at: 0, level: LEVEL, text, isRow: false }]
  })
  const units = unitNumbers(bold)
  if (units.size === 0) return { ...read, heads: own }
  const added = bold.filter(({ index }) => units.has(index))
  return {
    ...read,
    blocks: {
      ...blocks,
      headings: nestHeadings([...blocks.headings, ...added].sort(byLine), lines.length),
    },
    sorted: { ...sorted, units: new Map([...sorted.units, ...units]) },
    heads: () => [...own(), ...added].sort(byLine),
  }
}

function byLine(one: { readonly index: number }, other: { readonly index: number }): number {
  return one.index - other.index
}
