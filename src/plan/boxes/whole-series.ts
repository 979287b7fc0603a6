// Groups headings that count alike, or do not count, without the gaps that a single word makes among them.
import { tellsNoStates } from "../dialects/no-work.ts"
import type { BoxSpot } from "../headings/own-headings.ts"
import { addTo } from "../model/once.ts"
import type { BoxPlace } from "./box-lines.ts"

/** What belongs to some headings. */
export interface Whole {
  /** Those of a level that count alike, from the first of them to the last, */
  readonly closed: readonly BoxPlace[]
  /** and those below the same headings: all that count, else from the first to the last that may be work. */
  readonly whole: readonly BoxPlace[]
}

/** From one to another in their series, both included. */
interface Range {
  readonly from: number
  readonly to: number
}

/** Tells which headings belong to some of them. */
export function wholeReader(headings: readonly BoxPlace[]): (spots: readonly BoxSpot[]) => Whole {
  const alike = new Map<string, BoxPlace[]>()
  const known = new Map<number, { readonly place: BoxPlace; readonly at: number }>()
  const ends = new Map<string, Range>()
  for (const place of headings) {
    const at = alike.get(place.series)?.length ?? 0
    known.set(place.index, { place, at })
    addTo(alike, place.series, place)
    const isCounted = !place.series.endsWith(" ")
    if (isCounted || mayBeWork(place)) reach(ends, besideOf(place), { from: at, to: at })
  }
  const within = (ranges: ReadonlyMap<string, Range>) =>
    [...ranges]
      .flatMap(([series, { from, to }]) => alike.get(series)?.slice(from, to + 1) ?? [])
      .sort((one, other) => one.index - other.index)
  return (spots) => {
    const [closed, whole] = [new Map<string, Range>(), new Map<string, Range>()]
    for (const { place, at } of spots.flatMap(({ index }) => known.get(index) ?? [])) {
      reach(closed, place.series, { from: at, to: at })
      reach(whole, place.series, { from: at, to: at })
      reach(whole, place.series, ends.get(besideOf(place)) ?? { from: at, to: at })
    }
    return { closed: within(closed), whole: within(whole) }
  }
}

function reach(ranges: Map<string, Range>, key: string, { from, to }: Range): void {
  const known = ranges.get(key) ?? { from, to }
  ranges.set(key, { from: Math.min(known.from, from), to: Math.max(known.to, to) })
}

function besideOf({ heading, series }: BoxPlace): string {
  return `${heading?.parent ?? -1} ${series}`
}

/** Tests are work as often as not, and so is what is done itself. */
export function mayBeWork({ heading }: BoxPlace): boolean {
  if (heading?.role !== "beside") return true
  return !(heading.isBeside || heading.isDone || tellsNoStates(heading.text))
}
