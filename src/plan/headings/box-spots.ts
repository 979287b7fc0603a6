// Where boxes go in a plan without a task: before its headings or its numbered rows.
import type { Blocks, Heading, Mask } from "../blocks/blocks.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { tellsNoWork } from "../dialects/no-work.ts"
import { cutLine } from "../model/lines.ts"
import { unitNumbers } from "./empty-headings.ts"
import { stretchReader } from "./stretches.ts"

/** Where a box goes. */
export interface BoxSpot {
  /** Index of the line, from 0. */
  readonly index: number
  /** Where its words begin in the line. */
  readonly at: number
}

/** What gets the boxes of a plan that has none. */
export interface BoxSpots {
  readonly kind: "headings" | "rows"
  readonly spots: readonly BoxSpot[]
}

/** Two of a kind make a list, one does not. */
const LEAST = 2
/** What a task's heading may be called, the smallest unit first: a phase holds steps. */
const UNITS = [
  ...["task", "story", "step", "milestone", "day", "week", "sprint", "iteration"],
  ...["phase", "stage", "part", "file", "change"],
]
const WORK =
  /\b(?:plan|steps?|implementation|tasks?|to-?dos?|checklist|order|phases|actions?|changes|roadmap|milestones|sequence|queue|backlog|work|pas(?:s?os|si)|passo a passo|etapas|schritte|aufgaben|tarefas|tareas)\b|étapes|tâches|шаги|задачи|实施|實施|步骤|步驟|任务|任務|计划|計劃|待办|実装|手順|タスク|작업|단계/i
/** `A1. Title`, `M0 — Title`; Q1 is a quarter or a question, V1 a version. */
const LETTERED = /^(?![QV])[A-Z]{1,2}\d{1,3}[ \t]*[.):—–-][ \t]*\S/
const NUMBERED = /^\d{1,3}(?:\.\d{1,3})*[.):]?[ \t]+\S/
const PREFIX = /^ {0,3}#{1,6}[ \t]+/
const PICTURES = /^(?:!\[[^[\]]{0,80}\]\([^()]{0,400}\)[ \t]*)+/
/** A row of a numbered list at the margin that begins with words. */
const ROW = /^ ?\d{1,9}[.)][ \t]+(?![-+*>][ \t]|#{1,6}[ \t]|\d{1,9}[.)][ \t]|```|~~~)(?=\S)/

/**
 * The lines that get a box in a plan without a task: headings such as "Task 1" or "Step 1", else the numbered rows below
 * a heading that speaks of work, else headings with a number, else the numbered rows below no heading that tells of no work,
 * else all numbered rows.
 */
export function boxSpots(
  lines: readonly string[],
  { headings, masks }: Pick<Blocks, "headings" | "masks">,
): BoxSpots | null {
  const own = headings.flatMap((heading) => asOwn(heading, lines))
  const work = ofWork(own)
  const rows = numberedRows(lines, own, masks)
  const choices: (() => BoxSpots)[] = [
    ...UNITS.map((unit) => () => ofHeadings(unitHeadings(work, unit))),
    () => ofHeadings(countedHeadings(work)),
    () => ofHeadings(work.filter(({ text }) => LETTERED.test(numberedWords(text)))),
    () => ofRows(rows, ({ words, isTitle }) => !isTitle && isWork(words)),
    () => ofRows(rows, ({ words }) => isWork(words)),
    () => ofHeadings(work.filter(({ text }) => NUMBERED.test(numberedWords(text)))),
    () => ofRows(rows, ({ words }) => !tellsNoWork(words)),
    () => ofRows(rows, () => true),
  ]
  for (const choose of choices) {
    const found = choose()
    if (found.spots.length >= LEAST) return found
  }
  return null
}

/** A heading of the text itself, without pictures before its words. */
interface Own extends BoxSpot {
  readonly level: number
  readonly text: string
}

/** None of a list or a quote is one. */
function asOwn({ index, level, text }: Heading, lines: readonly string[]): readonly Own[] {
  const line = lines[index] ?? ""
  const at = PREFIX.exec(line)?.[0].length ?? /^ {0,3}(?=[^\s#>*+-])/.exec(line)?.[0].length
  return at === undefined ? [] : [{ index, at, level, text: text.replace(PICTURES, "") }]
}

/** The headings that do not stand below one which tells of no work: `### Step 9` below `## Testing`. */
function ofWork(headings: readonly Own[]): readonly Own[] {
  let aside = 0
  return headings.filter(({ level, text }) => {
    if (aside > 0 && level > aside) return false
    aside = level > 1 && tellsNoWork(text) ? level : 0
    return true
  })
}

/** Headings of one and the same number count nothing. */
function unitHeadings(headings: readonly Own[], unit: string): readonly Own[] {
  const named = new RegExp(`^(?:[^\\p{L}\\p{N}]*)${unit}[ \\t]+#?(\\d+(?:\\.\\d+)*|[A-Z]\\b)`, "iu")
  const found = headings.filter(({ text }) => named.test(text))
  const numbers = new Set(found.map(({ text }) => named.exec(text)?.[1]))
  return numbers.size < LEAST ? [] : found
}

/** Headings that count by any other word: `Fix 1`, `Fix 2`. */
function countedHeadings(headings: readonly Own[]): readonly Own[] {
  const units = unitNumbers(headings)
  return headings.filter(({ index }) => units.has(index))
}

/** Those headings that stand on the level where most of them stand. */
function ofHeadings(headings: readonly Own[]): BoxSpots {
  const counts = [1, 2, 3, 4, 5, 6].map(
    (level) => headings.filter((heading) => heading.level === level).length,
  )
  const common = counts.indexOf(Math.max(...counts)) + 1
  return { kind: "headings", spots: headings.filter(({ level }) => level === common) }
}

function isWork(words: string): boolean {
  return WORK.test(words) && !tellsNoWork(words)
}

interface NumberedRow extends BoxSpot {
  /** Of the heading above. */
  readonly words: string
  readonly isTitle: boolean
}

function numberedRows(
  lines: readonly string[],
  headings: readonly Own[],
  masks: readonly Mask[],
): readonly NumberedRow[] {
  const isMasked = stretchReader(masks)
  let order = 0
  return lines.flatMap((line, index) => {
    while ((headings[order]?.index ?? lines.length) <= index) order++
    const at = isMasked(index) ? undefined : ROW.exec(cutLine(line))?.[0].length
    const { level = 1, text = "" } = headings[order - 1] ?? {}
    return at === undefined ? [] : [{ index, at, words: text, isTitle: level === 1 }]
  })
}

function ofRows(rows: readonly NumberedRow[], isMeant: (row: NumberedRow) => boolean): BoxSpots {
  return { kind: "rows", spots: rows.filter(isMeant) }
}
