// Says which lines of a plan without tasks are likeliest to be its tasks, and how they get boxes.
import { type Blocks, below, belowReader, titleIndex } from "../blocks/blocks.ts"
import type { FrontMatter } from "../data/front-matter.ts"
import { tellsWhatWasDone } from "../dialects/heading-roles.ts"
import { tickedIn } from "../dialects/ticked-rows.ts"
import type { BoxSpot, Own } from "../headings/own-headings.ts"
import { readStatusLines } from "../headings/status-lines.ts"
import type { PlanWarning } from "../model/plan.ts"
import { readState, stateOfWord } from "../model/state-words.ts"
import { namedTitle, saysDone } from "../model/title.ts"
import { type BoxChoice, boxChoices } from "./box-choices.ts"
import { type BoxPlace, type WithoutTask, wordsAt } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"

/** What its choices are made from and ticked by. */
interface Looked extends WithoutTask {
  readonly blocks: Blocks
  readonly places: () => readonly BoxPlace[]
}

/** A plan without a task. */
export interface Tasklessness extends Looked {
  readonly front: FrontMatter
  /** Those of these lines that become tasks if they get a box. */
  readonly taken: (spots: readonly BoxSpot[]) => readonly BoxSpot[]
}

/** The likeliest choice, and what to say about it. */
export interface ToldChoice extends BoxChoice {
  readonly warning: PlanWarning
}

/** At most this many are looked at, the likeliest first. */
const MAX_LOOKED = 6
const ONE = { headings: "heading", "numbered rows": "numbered row", bullets: "bullet" } as const
/** The command that offers choices: none is made by a guess. */
const CHOOSE = "`opencode-boulder plan <file>` shows what may be tasks, and how boxes are written"

/** What helps where none is offered. */
const WRITE = "write what is work as a row with a box, like the tasks"

/** A warning that names this command, as it stands above the command's own output. */
export function aboveOffers(message: string): string {
  return message.replace(`: ${CHOOSE}.`, ".").replace(` ${CHOOSE}.`, "")
}

/** What to say about a plan without a task; null for nothing. */
export function likeliestChoice(read: Tasklessness): ToldChoice | null {
  for (const { choice, isDone } of likeliest(read)) {
    if (isDone) return doneOf(choice, read.lines)
    if (isLikely(choice)) return toldOf(choice, read)
    if (read.taken(choice.spots).length > 0)
      return withWarning(choice, `No task has a box yet: ${CHOOSE}.`)
  }
  return null
}

/**
 * The choices with something left, the likeliest first; else the first one that is said to be done in full. If the work is said to be done,
 * nothing else is guessed.
 */
function* likeliest(
  read: Looked,
): Generator<{ readonly choice: BoxChoice; readonly isDone: boolean }, void> {
  const { lines, blocks } = read
  let done: BoxChoice | undefined
  let count = 0
  for (const choice of boxChoices(read, read.places())) {
    if (isLess(choice, done)) continue
    if (++count > MAX_LOOKED) break
    const isDone = doneSpots(lines, blocks, choice.spots).size === choice.spots.length
    if (isDone) done ??= choice
    else yield { choice, isDone }
  }
  if (done !== undefined) yield { choice: done, isDone: true }
}

/** Whether a choice says less than another one that is done in full and is not part of it. */
function isLess({ likelihood, spots }: BoxChoice, done: BoxChoice | undefined): boolean {
  if (done === undefined || isLikely({ likelihood })) return false
  const own = new Set(spots.map(({ index }) => index))
  const isPart = done.spots.every(({ index }) => own.has(index))
  return !isPart && (likelihood === "unlikely" || isLikely(done))
}

/** Whether the plan's words say that it is the work, or its numbers or rows look like it. */
export function isLikely({ likelihood }: Pick<BoxChoice, "likelihood">): boolean {
  return likelihood === "told" || likelihood === "likely"
}

function toldOf(choice: BoxChoice, read: Tasklessness): ToldChoice {
  const doubt = doubtOf(read, choice.spots)
  const may = choice.spots.length === 1 ? "a task, but has" : "the tasks, but have"
  const though = doubt === null ? "" : `, and line ${doubt + 1} may say that all is done`
  return withWarning(
    choice,
    `${lengthOf(choice)} may be ${may} no box (${namesOf(choice, read.lines)})${though}: ${CHOOSE}.`,
  )
}

function doneOf(choice: BoxChoice, lines: readonly string[]): ToldChoice {
  const tell = choice.spots.length === 1 ? "tells" : "tell"
  const names = namesOf(choice, lines)
  return withWarning(
    choice,
    `${lengthOf(choice)} ${tell} of what was done (${names}), and none of them is left to do: ${CHOOSE}.`,
  )
}

/** The one warning about lines outside the tasks of a plan. `canHaveBoxes`: the command offers to put boxes before them. */
export function besideWarning(
  choices: readonly BoxChoice[],
  lines: readonly string[],
  canHaveBoxes: boolean,
): PlanWarning {
  const spots = choices.flatMap((each) => each.spots).sort((one, other) => one.index - other.index)
  const [have, are] = spots.length === 1 ? ["has", "is"] : ["have", "are"]
  const counts = choices.map(lengthOf).join(" and ")
  const fact = `${counts} ${have} no box and ${are} not run (${namesOf({ spots }, lines)})`
  const message = `${fact}: ${canHaveBoxes ? CHOOSE : WRITE}.`
  const line = (spots[0]?.index ?? 0) + 1
  return { line, rule: "rows-without-box", message }
}

function withWarning(choice: BoxChoice, message: string): ToldChoice {
  const line = (choice.spots[0]?.index ?? 0) + 1
  return { ...choice, warning: { line, rule: "no-boxes", message } }
}

function lengthOf({ kind, spots }: Pick<BoxChoice, "kind" | "spots">): string {
  return `${spots.length} ${spots.length === 1 ? ONE[kind] : kind}`
}

/** The first two, and the last. */
function namesOf({ spots }: Pick<BoxChoice, "spots">, lines: readonly string[]): string {
  const [first, second] = spots
  const last = spots.at(-1)
  const shown = [...new Set([first, second, last])].flatMap((spot) =>
    spot === undefined ? [] : [`"${namedTitle(wordsAt(lines, spot), 60)}"`],
  )
  if (spots.length > 3) shown.splice(2, 0, "…")
  return shown.join(", ")
}

/**
 * The line that may say that everything that gets a box is done: a status of the whole document, if nothing else states a state, or `✅`
 * before all rows of a heading.
 */
function doubtOf(
  { lines, blocks, masks, front, own }: Tasklessness,
  spots: readonly BoxSpot[],
): number | null {
  const status = front.data["status"]
  const statuses = readStatusLines(lines, blocks, { masks, isNear: false })
  const document = titleIndex(blocks.headings)
  const ofText = statuses.get(document)
  const silent = spots.filter((spot) => !saysDone(wordsAt(lines, spot)))
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

/** `Agreed, then implemented and verified`: one of several statements in a row. */
function mayBeDone(said: string): boolean {
  const parts = said
    .split(/[,;.][ \t]+/)
    .map((part) => part.replace(/^(?:then|now|and)[ \t]+/i, ""))
  return parts.some((part) => readState(part).state === "done")
}
