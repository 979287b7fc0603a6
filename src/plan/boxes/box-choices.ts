// Finds what may be the tasks of a plan in which no line has a box: first what headings and numbers say, then every list.
import { boxedLines, placeOf } from "../blocks/blocks.ts"
import { showsOpenBox } from "../blocks/shown-box.ts"
import { LEAST } from "../dialects/counting.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { mayTellOfWork, tellsOfWork } from "../dialects/heading-roles.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { askForWork, isContents } from "../dialects/no-work.ts"
import { isNamedUnit } from "../dialects/unit-names.ts"
import { criteriaReader } from "../headings/criteria-labels.ts"
import { isSection, numberedHeadings } from "../headings/numbered-headings.ts"
import type { BoxSpot, Own } from "../headings/own-headings.ts"
import { letteredHeadings, unitHeadings } from "../headings/units-of-work.ts"
import { saysNothing } from "../model/blocked-words.ts"
import { cutLine } from "../model/lines.ts"
import { addTo, once } from "../model/once.ts"
import { saysDone } from "../model/title.ts"
import type { BoxPlace, WithoutTask } from "./box-lines.ts"
import { mayBeWork, type Whole, wholeReader } from "./whole-series.ts"

/** Lines that may be the tasks, all of them or none. */
export interface BoxChoice {
  readonly kind: BoxPlace["kind"]
  readonly spots: readonly BoxSpot[]
  /** Whether the plan's words say that it is the work, its numbers or rows look like it, nothing does, or the words say that it is none. */
  readonly likelihood: "told" | "likely" | "guessed" | "unlikely"
}

/**
 * What may be the tasks, the likeliest first: what names and numbers point to; lists of work; headings beside each other; all other lists;
 * what does not look like work.
 */
export function* boxChoices(
  read: WithoutTask,
  all: readonly BoxPlace[],
): Generator<BoxChoice, void> {
  const places = all.filter((each) => !showsBox(each))
  const whole = once(() => wholeReader(places.filter(({ kind }) => kind === "headings")))
  const given = new Set<string>()
  for (const choice of candidates(read, places)) {
    const isOfHeadings = choice.kind === "headings"
    for (const each of isOfHeadings ? withWhole(choice, whole()(choice.spots)) : [choice]) {
      const id = each.spots.map(({ index }) => index).join(" ")
      if (id !== "" && !given.has(id)) yield each
      given.add(id)
    }
  }
}

/**
 * A choice of headings, without gaps if only a guess made it, and then with everything that belongs to them: no single word excludes a
 * heading.
 */
function withWhole(choice: BoxChoice, { closed, whole }: Whole): readonly BoxChoice[] {
  if (closed.length < LEAST && !closed.some(isUnit)) return []
  const isTold = choice.likelihood === "told"
  const first = isTold ? choice : { ...choice, spots: closed }
  return [first, { ...choice, spots: whole, likelihood: isTold ? "guessed" : choice.likelihood }]
}

function* candidates(read: WithoutTask, places: readonly BoxPlace[]): Generator<BoxChoice, void> {
  const own = read.own()
  const rows = rowsIn(read, places)
  const isBoxed = boxedLines(read.rows)
  const series: ReadonlySet<number>[] = []
  const choices = [
    () => unitHeadings(own),
    () => letteredHeadings(own),
    () => rows.filter(isRightBelow),
    () => numberedHeadings(own),
    () => letteredHeadings(own, headingWords),
  ]
  for (const choose of choices) {
    const spots = choose().filter(({ index }) => !isBoxed(index))
    const [first] = spots
    if (first === undefined || spots.length < LEAST) continue
    const kind = "kind" in first ? first.kind : "headings"
    yield { kind, spots, likelihood: "told" }
    if (kind === "headings") series.push(new Set(spots.map(({ index }) => index)))
  }
  const [heads, lists] = [siblings(read, places, series), listsIn(read, rows, series)]
  const isOf = (each: BoxChoice["likelihood"]) => (choice: BoxChoice) => choice.likelihood === each
  yield* lists.filter(isOf("told"))
  yield* lists.filter(isOf("likely"))
  yield* heads.filter(isOf("guessed"))
  yield* lists.filter(isOf("guessed"))
  yield* lists.filter(isOf("unlikely"))
  yield* heads.filter(isOf("unlikely"))
}

/** Whether numbered rows stand right below a heading that says they are the work. */
function isRightBelow(place: BoxPlace): boolean {
  const [{ kind }, heading] = [place, headingAbove(place)]
  if (kind !== "numbered rows" || heading === undefined) return false
  return heading.role === "left" || (heading.role === "work" && tellsOfWork(heading.text))
}

/** The heading that a row belongs to: of rows that count on below others, that of the first, unless only one of both is beside the work. */
function headingAbove({ heading, run }: BoxPlace): Own | undefined {
  const areAlike = (run?.heading?.role === "beside") === (heading?.role === "beside")
  return run !== undefined && areAlike ? run.heading : heading
}

/** The rows that may be tasks. */
function rowsIn({ lines, own }: WithoutTask, places: readonly BoxPlace[]): readonly BoxPlace[] {
  const isJudging = criteriaReader(lines, own())
  return places.filter(({ index, kind, words }) => {
    const isNone = isJudging(index) || isContents(cutLine(lines[index] ?? "")) || saysNothing(words)
    return kind !== "headings" && !isNone
  })
}

/** Tells which headings belong together: those of a series, and what stands right below them or below headings with the same role. */
function placeReader(
  { own }: WithoutTask,
  series: readonly ReadonlySet<number>[],
): (heading: Own, isBelow: boolean) => string {
  const roles = new Map(own().map(({ index, role }) => [index, role]))
  return (heading, isBelow) => {
    const { index, parent, level, role } = heading
    const order = series.findIndex((each) => each.has(isBelow ? index : parent))
    if (order !== -1) return `series ${order} ${level}`
    return !isBelow || roles.get(parent) === role ? placeOf(heading) : `${index}`
  }
}

/** The rows of all headings of one level with the same role, then those of each heading; headings that belong together count as one. */
function listsIn(
  read: WithoutTask,
  rows: readonly BoxPlace[],
  series: readonly ReadonlySet<number>[],
): readonly BoxChoice[] {
  const placeIn = placeReader(read, series)
  const groups = groupsOf(rows, (row) => {
    const heading = headingAbove(row)
    return `${heading === undefined ? "" : placeIn(heading, true)} ${row.kind}`
  })
  const choices = groups.map(({ spots, parts }) => {
    const each = new Set(parts.map(likelihoodOf))
    const [likelihood = "guessed"] = parts.length > FEW && each.size === 1 ? each : []
    return {
      parts,
      kind: spots[0]?.kind ?? "bullets",
      spots,
      likelihood: parts.length === 1 ? likelihoodOf(spots) : likelihood,
    }
  })
  // What is offered together is a guess one by one.
  const joined = new Set<BoxSpot>(
    choices.flatMap(({ parts, likelihood }) =>
      parts.length > FEW && likelihood !== "guessed" ? parts.flat() : [],
    ),
  )
  return choices.map(({ parts, ...choice }) => {
    const isPart = parts.length === 1 && choice.spots.some((spot) => joined.has(spot))
    return isPart ? { ...choice, likelihood: "guessed" as const } : choice
  })
}

/** A person picks this many choices one by one: joining them would be a guess. */
const FEW = 3

interface Group {
  readonly spots: readonly BoxPlace[]
  readonly parts: readonly (readonly BoxPlace[])[]
}

/** Lines grouped by where they stand (`placeIn`), after groups of several places whose headings have one level and one role. */
function groupsOf(
  places: readonly BoxPlace[],
  placeIn: (place: BoxPlace) => string,
): readonly Group[] {
  const near = new Map<string, BoxPlace[]>()
  const wide = new Map<string, BoxPlace[]>()
  for (const place of places) {
    const { heading, series } = place
    addTo(near, placeIn(place), place)
    if (!mayBeWork(place) || heading === undefined) continue
    const role = heading.role === "beside" ? null : heading.role
    addTo(wide, `${heading.level} ${role} ${series}`, place)
  }
  const joined = [...wide.values()].map((spots) => {
    const keys = new Set(spots.map(placeIn))
    return { spots, parts: [...keys].map((key) => near.get(key) ?? []) }
  })
  const single = [...near.values()].map((spots) => ({ spots, parts: [spots] }))
  return [...joined.filter(({ parts }) => parts.length >= LEAST), ...single]
}

/** Judged by its heading, by the states that its rows show, or by what numbered rows ask for. */
function likelihoodOf(list: readonly BoxPlace[]): BoxChoice["likelihood"] {
  const [{ kind, heading } = {}] = list
  if (heading?.role === "left") return "told"
  if (list.some(({ words }) => showsLeft(words))) return "likely"
  const isOfDone = kind === "numbered rows" && heading?.isDone === true
  if (heading?.role === "beside") return isOfDone ? "likely" : "unlikely"
  const isSaid = heading?.role === "work" || list.some(({ words }) => saysDone(words))
  return isSaid || (kind === "numbered rows" && askAt(heading, list)) ? "likely" : "guessed"
}

/** Whether numbered rows ask for work; below only a title they are simply what the plan says. */
function askAt(heading: Own | undefined, list: readonly BoxPlace[]): boolean {
  if (heading === undefined || heading.level === 1) return true
  const words = list.map((each) => each.words)
  return mayTellOfWork(heading.text) && askForWork(words, true)
}

/**
 * Headings that stand together and count alike, or do not count: without those that do not look like work or are sections of a document,
 * unless there is nothing else.
 */
function siblings(
  read: WithoutTask,
  places: readonly BoxPlace[],
  series: readonly ReadonlySet<number>[],
): readonly BoxChoice[] {
  const placeIn = placeReader(read, series)
  const heads = places.filter(({ kind }) => kind === "headings")
  const groups = groupsOf(heads, ({ heading, series: count }) => {
    return `${heading === undefined ? "" : placeIn(heading, false)} ${count}`
  })
  return groups.map(({ spots: all }): BoxChoice => {
    const parts = all.filter(({ heading }) => {
      return heading !== undefined && heading.role !== "beside" && !isSection(heading)
    })
    const isPart = parts.length > 0
    return {
      ...{ kind: "headings", spots: isPart ? parts : all },
      likelihood: isPart ? "guessed" : "unlikely",
    }
  })
}

/** A task that has a file of its own; a title is none. */
function isUnit({ heading, words }: BoxPlace): boolean {
  return heading !== undefined && heading.level > 1 && isNamedUnit(words)
}

const BRACKET = /[[［【〔]/u

/** If a line shows a box in brackets, another warning says more about it than that it has none; a sign such as `⬜` may stand elsewhere. */
function showsBox({ words }: BoxPlace): boolean {
  return BRACKET.test(words) && showsOpenBox(`- ${words}`) !== null
}
