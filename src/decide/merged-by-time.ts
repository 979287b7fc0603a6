// Merges lists of observations by time.
import type { ProofEntry } from "../boulder/proof-entry.ts"

/**
 * Merges lists by time; each keeps its own order. Within a millisecond a write comes last, so that a check which may have run before the
 * change must run again.
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
