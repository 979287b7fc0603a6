// Lists of what was seen, each in its order, as one.
import type { ProofEntry } from "../boulder/proof-entry.ts"

/**
 * Puts lists together by their times; each keeps its own order. Of two in the same millisecond a write comes last: what
 * may have been changed behind a run is to be run again.
 */
export function mergedByTime(lists: readonly (readonly ProofEntry[])[]): readonly ProofEntry[] {
  const left = lists.map((list) => ({ list, at: 0 }))
  const merged: ProofEntry[] = []
  for (;;) {
    const heads = left.flatMap((one) => {
      const entry = one.list[one.at]
      return entry === undefined ? [] : [{ one, entry }]
    })
    const first = heads.reduce<(typeof heads)[number] | null>(
      (known, head) => (known === null || isBefore(head.entry, known.entry) ? head : known),
      null,
    )
    if (first === null) return merged
    merged.push(first.entry)
    first.one.at += 1
  }
}

function isBefore(a: ProofEntry, b: ProofEntry): boolean {
  return a.at === b.at ? b.kind === "write" && a.kind !== "write" : a.at < b.at
}
