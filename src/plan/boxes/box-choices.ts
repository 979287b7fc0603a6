// What may be the tasks of a plan in which no line has a box: what its headings and numbers say, and then every list.
import { placeOf } from "../blocks/blocks.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { LEAST } from "../dialects/counting.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { tellsOfWork, tellsWhatIsLeft } from "../dialects/heading-roles.ts"
import { isContents } from "../dialects/no-work.ts"
import { likelySpots, type WithoutTask } from "../headings/box-spots.ts"
import { criteriaReader } from "../headings/criteria-labels.ts"
import { isSection } from "../headings/numbered-headings.ts"
import type { BoxSpot, Own } from "../headings/own-headings.ts"
import { saysNothing } from "../model/blocked-words.ts"
import { cutLine } from "../model/lines.ts"
import { addTo } from "../model/once.ts"
import { saysDone } from "../model/title.ts"
import type { BoxPlace } from "./box-lines.ts"

/** Lines that may be the tasks, all of them or none. */
export interface BoxChoice {
  readonly kind: BoxPlace["kind"]
  readonly spots: readonly BoxSpot[]
  /** Whether the plan's words say that it is the work, its numbers or rows look so, nothing does, or the words say that it is none. */
  readonly likelihood: "told" | "likely" | "guessed" | "unlikely"
}

/** What may be the tasks, the likeliest first: what names and numbers choose; the rows below such headings; lists of work; headings beside each other; all other lists; what tells of no work. */
export function* boxChoices(
  read: WithoutTask,
  places: readonly BoxPlace[],
): Generator<BoxChoice, void> {
  const given = new Set<string>()
  for (const choice of candidates(read, places)) {
    const id = choice.spots.map(({ index }) => index).join(" ")
    if (id !== "" && !given.has(id)) yield choice
    given.add(id)
  }
}

function* candidates(read: WithoutTask, places: readonly BoxPlace[]): Generator<BoxChoice, void> {
  const byLine = new Map(places.map((each) => [each.index, each]))
  const series: ReadonlySet<number>[] = []
  for (const { spots, isGuess } of likelySpots(read)) {
    const { kind = "headings" } = byLine.get(spots[0]?.index ?? -1) ?? {}
    yield { kind, spots, likelihood: isGuess ? "likely" : "told" }
    if (kind === "headings") series.push(new Set(spots.map(({ index }) => index)))
  }
  const [heads, lists] = [siblings(read, places, series), listsIn(read, places, series)]
  const isOf = (each: BoxChoice["likelihood"]) => (choice: BoxChoice) => choice.likelihood === each
  yield* lists.filter(isOf("told"))
  yield* lists.filter(isOf("likely"))
  yield* heads.filter(isOf("guessed"))
  yield* lists.filter(isOf("guessed"))
  yield* lists.filter(isOf("unlikely"))
  yield* heads.filter(isOf("unlikely"))
}

/** Tells which headings stand together: those of a series with each other, and what stands right below such ones or one that says the same of it; no list below a heading of work itself with others. */
function placeReader(
  { own }: WithoutTask,
  series: readonly ReadonlySet<number>[],
): (heading: Own, isBelow: boolean) => string {
  const roles = new Map(own().map(({ index, role }) => [index, role]))
  return (heading, isBelow) => {
    const { index, parent, level, role, text } = heading
    if (isBelow && (tellsOfWork(text) || tellsWhatIsLeft(text))) return `${index}`
    const order = series.findIndex((each) => each.has(isBelow ? index : parent))
    if (order !== -1) return `series ${order} ${level}`
    return !isBelow || roles.get(parent) === role ? placeOf(heading) : `${index}`
  }
}

/** The rows of each heading; those of headings that stand together as one. */
function listsIn(
  read: WithoutTask,
  places: readonly BoxPlace[],
  series: readonly ReadonlySet<number>[],
): readonly BoxChoice[] {
  const { lines, own } = read
  const isJudging = criteriaReader(lines, own())
  const placeIn = placeReader(read, series)
  const lists = new Map<string, BoxPlace[]>()
  for (const place of places) {
    const { index, at, kind, heading } = place
    const line = cutLine(lines[index] ?? "")
    const isNone = isJudging(index) || isContents(line) || saysNothing(line.slice(at))
    if (kind === "headings" || isNone) continue
    addTo(lists, `${heading === undefined ? "" : placeIn(heading, true)} ${kind}`, place)
  }
  const saysState = ({ index, at }: BoxPlace) => {
    const words = cutLine(lines[index] ?? "").slice(at)
    return saysDone(words) || showsLeft(words)
  }
  return [...lists.values()].flatMap((spots) => {
    const [{ heading, kind } = {}] = spots
    if (kind === undefined || spots.some((each) => showsBox(read, each))) return []
    const role = heading?.role
    if (role === "left") return { kind, spots, likelihood: "told" }
    if (role === "beside") return { kind, spots, likelihood: "unlikely" }
    const isLikely = role === "work" || spots.some(saysState)
    return { kind, spots, likelihood: isLikely ? "likely" : "guessed" }
  })
}

/** Headings that stand together and count alike, or do not count; none that tell of no work, or are a document's sections, beside those that do not. */
function siblings(
  read: WithoutTask,
  places: readonly BoxPlace[],
  series: readonly ReadonlySet<number>[],
): readonly BoxChoice[] {
  const placeIn = placeReader(read, series)
  const groups = new Map<string, BoxPlace[]>()
  for (const place of places) {
    const { kind, heading } = place
    if (kind !== "headings" || heading === undefined || showsBox(read, place)) continue
    addTo(groups, `${placeIn(heading, false)} ${place.series}`, place)
  }
  return [...groups.values()].flatMap((all): BoxChoice | [] => {
    const others = all.filter(({ heading }) => {
      return heading !== undefined && heading.role !== "beside" && !isSection(heading)
    })
    const spots = others.length > 0 ? others : all
    const likelihood = others.length > 0 ? "guessed" : "unlikely"
    return spots.length < LEAST ? [] : { kind: "headings", spots, likelihood }
  })
}

/** Of a line that shows a box more is said than that it has none. */
function showsBox({ lines }: WithoutTask, { index }: BoxPlace): boolean {
  return showsOpenBox(cutLine(lines[index] ?? "")) !== null
}
