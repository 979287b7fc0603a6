// What a plan without a task is told of its lines: which are likeliest to be the tasks, and how they get boxes.
import { type Blocks, below, belowReader, titleIndex } from "../blocks/blocks.ts"
import type { FrontMatter } from "../data/front-matter.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { tellsWhatWasDone } from "../dialects/heading-roles.ts"
import { tickedIn } from "../dialects/ticked-rows.ts"
import type { BoxSpot, Own } from "../headings/own-headings.ts"
import { readStatusLines } from "../headings/status-lines.ts"
import { cutLine } from "../model/lines.ts"
import type { PlanWarning } from "../model/plan.ts"
import { readState, stateOfWord } from "../model/state-words.ts"
import { namedTitle, saysDone } from "../model/title.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import { type BoxPlace, MAX_TYPED, typedRanges, type WithoutTask } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"

/** A plan without a task. */
export interface Tasklessness extends WithoutTask {
  readonly blocks: Blocks
  readonly front: FrontMatter
  readonly places: () => readonly BoxPlace[]
  /** Of these lines those that become tasks by a box. */
  readonly taken: (spots: readonly BoxSpot[]) => readonly BoxSpot[]
}

/** The likeliest choice, and what is said of it. */
export interface ToldChoice extends BoxChoice {
  readonly warnings: readonly PlanWarning[]
}

/** So many are looked at, the likeliest first. */
const MAX_LOOKED = 6
const ONE = { headings: "heading", "numbered rows": "numbered row", bullets: "bullet" } as const
const OTHERS = "`opencode-boulder plan <file>` shows what else may be"

const GUESSED = "No heading says which lines are the tasks, and those that may be have no box"
const SHOWN = "`opencode-boulder plan <file>` shows them, and how boxes are written"

/** Such a warning as it stands above the choices: without where they are shown. */
export function aboveOffers(message: string): string {
  return message.replace(` ${OTHERS}.`, "").replace(`: ${SHOWN}.`, ".")
}

/**
 * The first choice of which something is left; else the first all of which is said to be done. Where the work is
 * told to be done, nothing is guessed beside it; and tables of work (`tables`) say more than a guess.
 */
export function likeliestChoice(read: Tasklessness): ToldChoice | null {
  const { lines, blocks } = read
  const places = read.places()
  let done: BoxChoice | undefined
  for (const choice of worthALook(read, places, () => done)) {
    const spots = read.taken(choice.spots)
    if (doneSpots(lines, blocks, choice.spots).size === choice.spots.length) done ??= choice
    else if (spots.length > 0) {
      const [part, others] = [{ ...choice, spots }, without(choice.spots, spots)]
      const ranges = typedRanges(places, spots)
      return { ...part, warnings: [warningFor(part, read, { ranges, others })] }
    } else if (isLikely(choice.likelihood))
      return { ...choice, warnings: [warningFor(choice, read, BY_HAND)] }
  }
  return done === undefined ? null : { ...done, warnings: [doneWarning(done, lines)] }
}

interface Written {
  /** What is typed for the lines; null by hand. */
  readonly ranges: string | null
  /** Lines of the same choice that would be no tasks with a box. */
  readonly others: readonly BoxSpot[]
}

const BY_HAND: Written = { ranges: null, others: [] }

function without(all: readonly BoxSpot[], some: readonly BoxSpot[]): readonly BoxSpot[] {
  const taken = new Set(some.map(({ index }) => index))
  return all.filter(({ index }) => !taken.has(index))
}

/** The likeliest choices but for those that say less than another; `done`: the first all of which is done, as far as it is known. */
function* worthALook(
  read: Tasklessness,
  places: readonly BoxPlace[],
  done: () => BoxChoice | undefined,
): Generator<BoxChoice, void> {
  const isBesideTables = read.tables().length > 0
  let count = 0
  for (const choice of boxChoices(read, places)) {
    if (isBesideTables ? choice.likelihood !== "told" : isLess(choice, done())) continue
    if (++count > MAX_LOOKED) return
    yield choice
  }
}

/** Whether a choice says less than another, all of which is done. */
function isLess({ likelihood }: BoxChoice, done: BoxChoice | undefined): boolean {
  if (done === undefined || isLikely(likelihood)) return false
  return likelihood === "unlikely" || isLikely(done.likelihood)
}

function isLikely(likelihood: BoxChoice["likelihood"]): boolean {
  return likelihood === "told" || likelihood === "likely"
}

/** By a guess nothing is named or advised. */
function warningFor(choice: BoxChoice, read: Tasklessness, written: Written): PlanWarning {
  if (isLikely(choice.likelihood)) return toldOf(choice, read, written)
  return warningOf(choice, `${GUESSED}: ${SHOWN}.`)
}

function toldOf(choice: BoxChoice, read: Tasklessness, { ranges, others }: Written): PlanWarning {
  const { length } = choice.spots
  const doubt = doubtOf(read, choice.spots)
  const [may, them] = length === 1 ? ["a task, but has", "it"] : ["the tasks, but have", "them"]
  const written = writing(ranges, them)
  const though = doubt === null ? "" : `, and line ${doubt + 1} may say that all is done`
  return warningOf(
    choice,
    `${lengthOf(choice)} may be ${may} no box (${namesOf(choice, read.lines)})${though}: ${written}.${leftOut(choice, others, read.lines)} ${OTHERS}.`,
  )
}

function leftOut(
  { kind }: BoxChoice,
  others: readonly BoxSpot[],
  lines: readonly string[],
): string {
  if (others.length === 0) return ""
  const names = namesOf({ spots: others }, lines)
  return ` ${lengthOf({ kind, spots: others })} more (${names}) would be no ${others.length === 1 ? "task" : "tasks"} with a box.`
}

function writing(ranges: string | null, them: string): string {
  if (ranges === null) return "write `[ ] ` before the words of each that is one"
  if (ranges.length > MAX_TYPED) return SHOWN
  return `\`opencode-boulder plan <file> --add-boxes ${ranges}\` writes ${them}`
}

function doneWarning(choice: BoxChoice, lines: readonly string[]): PlanWarning {
  const tell = choice.spots.length === 1 ? "tells" : "tell"
  const names = namesOf(choice, lines)
  return warningOf(
    choice,
    `${lengthOf(choice)} ${tell} of what was done (${names}), and none of them is left to do. ${OTHERS}.`,
  )
}

function warningOf({ spots }: BoxChoice, message: string): PlanWarning {
  return { line: (spots[0]?.index ?? 0) + 1, rule: "no-boxes", message }
}

function lengthOf({ kind, spots }: Pick<BoxChoice, "kind" | "spots">): string {
  return `${spots.length} ${spots.length === 1 ? ONE[kind] : kind}`
}

/** The first two, and the last. */
function namesOf({ spots }: Pick<BoxChoice, "spots">, lines: readonly string[]): string {
  const [first, second] = spots
  const last = spots.at(-1)
  const shown = [...new Set([first, second, last])].flatMap((spot) => {
    const { index, at } = spot ?? { index: -1, at: 0 }
    return spot === undefined ? [] : [`"${namedTitle(cutLine(lines[index] ?? "").slice(at), 60)}"`]
  })
  if (spots.length > 3) shown.splice(2, 0, "…")
  return shown.join(", ")
}

/**
 * The line that may say of all that gets a box that it is done: a status of the whole document, where
 * nothing else says a state, or `✅` before all rows of a heading.
 */
function doubtOf(
  { lines, blocks, masks, front, own }: Tasklessness,
  spots: readonly BoxSpot[],
): number | null {
  const status = front.data["status"]
  const statuses = readStatusLines(lines, blocks, { masks, isNear: false })
  const document = titleIndex(blocks.headings)
  const ofText = statuses.get(document)
  const silent = spots.filter(({ index, at }) => !isShownAt(cutLine(lines[index] ?? "").slice(at)))
  const isTelling = ({ index, role, text }: Own) =>
    index !== document && (tellsWhatWasDone(text) || role === "left" || saysDone(text))
  const telling = new Set(own().flatMap((each) => (isTelling(each) ? [each.index] : [])))
  const isBelow = belowReader(blocks.headings, ({ index }) => telling.has(index))
  const isTold =
    statuses.size > 1 ||
    silent.length < spots.length ||
    spots.some(({ index }) => isBelow(index) || telling.has(index))
  if (!isTold && typeof status === "string" && stateOfWord(status) === "done") return 0
  const said = ofText === undefined ? "" : (lines[ofText.index] ?? "").slice(ofText.at)
  if (!isTold && ofText !== undefined && mayBeDone(said)) return ofText.index
  const title = blocks.headings.find(({ index }) => index === document)
  if (!isTold && title !== undefined && saysDone(title.text)) return document
  const of = new Set(silent.map(({ index }) => index))
  const held = below(blocks.headings, ({ index }) => of.has(index))
  return tickedIn(lines, masks, held).unsure[0] ?? null
}

function isShownAt(words: string): boolean {
  return saysDone(words) || showsLeft(words)
}

/** `Agreed, then implemented and verified`: one of what it says one after the other. */
function mayBeDone(said: string): boolean {
  const parts = said
    .split(/[,;.][ \t]+/)
    .map((part) => part.replace(/^(?:then|now|and)[ \t]+/i, ""))
  return parts.some((part) => readState(part).state === "done")
}
