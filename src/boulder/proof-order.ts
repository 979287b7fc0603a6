// Puts observations of a work's checks in order: what a call did belongs where the call began.

import { addTo } from "../plan/model/once.ts"
import type { ProofEntry } from "./proof-entry.ts"

type Done = Extract<ProofEntry, { readonly kind: "run" | "write" }>

/**
 * Puts what a call did after the entry of its call: anything reported in between happened while it ran. If there is no such entry any more,
 * it is placed by its time. Entries already in order stay as they are.
 */
export function inOrder(entries: readonly ProofEntry[]): readonly ProofEntry[] {
  const done = entries.filter(isOfCall)
  if (done.length === 0) return entries
  const began = new Map<string, ProofEntry>()
  const behind = new Map<ProofEntry, Done[]>()
  const lost = new Map<string, Done[]>()
  for (const entry of entries) {
    if (entry.kind === "call") began.set(nameOf(entry), entry)
    else if (isOfCall(entry)) {
      const place = began.get(nameOf(entry))
      if (place === undefined) addTo(lost, nameOf(entry), entry)
      else addTo(behind, place, entry)
    }
  }
  const placed = entries
    .filter((entry) => !isOfCall(entry))
    .flatMap((entry) => [entry, ...(behind.get(entry) ?? [])])
  return withLost(placed, [...lost.values()])
}

/** Ordered entries as lines to write: the place of a call is written when nothing of it stands there yet. */
export function asLines(entries: readonly ProofEntry[]): readonly ProofEntry[] {
  let placed: string | null = null
  return entries.flatMap((entry, at): readonly ProofEntry[] => {
    if (entry.kind === "call") {
      placed = nameOf(entry)
      const next = entries[at + 1]
      return next !== undefined && isOfCall(next) && nameOf(next) === placed ? [] : [entry]
    }
    if (!isOfCall(entry) || nameOf(entry) !== placed) {
      placed = null
      return [entry]
    }
    const { call: _, ...line } = entry
    return [line]
  })
}

/** Removes the place of a call that has ended, if nothing of it was seen. */
export function withoutPlace(
  entries: readonly ProofEntry[],
  over: { readonly session: string; readonly call: string },
): readonly ProofEntry[] {
  const name = nameOf(over)
  return entries.some((entry) => isOfCall(entry) && nameOf(entry) === name)
    ? entries
    : entries.filter((entry) => entry.kind !== "call" || nameOf(entry) !== name)
}

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

/** If the place of a call is lost, what it did goes before the first entry that is as late. */
function withLost(
  entries: readonly ProofEntry[],
  lost: readonly (readonly Done[])[],
): readonly ProofEntry[] {
  if (lost.length === 0) return entries
  const left = lost.toSorted(([a], [b]) => (a?.at ?? "").localeCompare(b?.at ?? ""))
  let next = 0
  const until = (at: string | null): readonly ProofEntry[] => {
    const from = next
    while (next < left.length && (at === null || (left[next]?.[0]?.at ?? "") <= at)) next += 1
    return left.slice(from, next).flat()
  }
  return [...entries.flatMap((entry) => [...until(entry.at), entry]), ...until(null)]
}

function isOfCall(entry: ProofEntry): entry is Done & { readonly call: string } {
  return (entry.kind === "run" || entry.kind === "write") && entry.call !== undefined
}

function nameOf({ session, call }: { readonly session: string; readonly call?: string }): string {
  return `${session} ${call}`
}

function isBefore(a: ProofEntry, b: ProofEntry): boolean {
  return a.at === b.at ? b.kind === "write" && a.kind !== "write" : a.at < b.at
}
