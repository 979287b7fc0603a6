// Lines that are nothing but a label, `**Acceptance criteria:**`, and what the rows below one are.
import type { Heading, Row } from "../blocks/blocks.ts"
import { listsWork } from "../dialects/checklists.ts"
import { LEAST } from "../dialects/counting.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { askForWork, tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { CRITERIA_ELSEWHERE, IGNORED_HEADING } from "../dialects/section-rules.ts"
import { cutLine } from "../model/lines.ts"

const MAX_LENGTH = 100
/** `**Verification:**`, `- **Acceptance Criteria:**`, `Acceptance criteria:`; bold words need no colon. */
const LABEL =
  /^[ \t]{0,3}(?:[-*+][ \t]+)?(?:(?:\*\*|__)(?<bold>[^*_]{1,80})(?:\*\*|__)[ \t]*[:：]?|(?<plain>\p{L}[^:：]{0,60})[:：])[ \t]*$/u
/** Goals, or what is checked when a task is done: checks of a task if the heading above names one, and work elsewhere. */
const CHECKS =
  /(?<![\p{L}\p{N}])(?:(?:acceptance|success|completion|exit) (?:criteria|checks|tests)|criteria|verification|verify|validation|definition of done|done when)(?![\p{L}\p{N}])|^(?:checks?|goals?|objectives?|requirements?)[ \t:]*$|验收|驗收|受け入れ|완료 기준|akzeptanz|abnahme|aceptaci[oó]n|aceita[cç][aã]o/iu

/** The parts that a task is divided into. */
const PARTS =
  /^(?:sub-?tasks?|子任务|子任務|サブタスク|하위 작업|teilaufgaben|subtareas|subtarefas|sous-tâches|sottoattività|подзадачи|(?:implementation |execution |task )?(?:steps|checklist)|action items|(?:pasos|passos|étapes|passi)(?: (?:de |d['’]|di )?(?:implementa[cç][ií][oó]n|implementação|implémentation|implementazione))?|(?:umsetzungs)?schritte|stappen|kroki|kroky|steg|шаги|кроки|(?:实施|實施|执行|執行)?(?:步骤|步驟)|(?:実装)?(?:手順|ステップ)|(?:구현 )?단계|adımlar|các bước|langkah(?:-langkah)?)$/iu

/** The words of a line that is only a label; null for any other. */
export function labelOn(line: string): string | null {
  const { bold, plain } = LABEL.exec(line.slice(0, MAX_LENGTH))?.groups ?? {}
  return bold ?? plain ?? null
}

/**
 * What the rows below a label are to the task whose heading stands above: what it is judged by (`never`, by words that would make a
 * heading's rows none), `checks` of it, or its `parts`; null below any other label. Where no such heading does, what has a box is a task.
 */
export function rowsBelowLabel(words: string): "never" | "checks" | "parts" | null {
  const plain = headingWords(words)
  if (IGNORED_HEADING.test(plain)) return "never"
  if (PARTS.test(plain) || listsWork(plain)) return "parts"
  return CHECKS.test(words) ? "checks" : null
}

const LISTED = /^ ?(?:[-*+]|\d{1,9}[.)])[ \t]/
/** A numbered row that begins no list, unless this list numbers every row with 1. */
const LATER_ROW = /^ ?(?:[2-9]|\d{2,9})[.)]/

/**
 * Tells, for ascending lines, whether they are in a list after a line that names what the work is judged by, `Acceptance criteria:` or the
 * same as a plain line: rows without a box there are no work.
 */
export function criteriaReader(
  lines: readonly string[],
  headings: readonly Pick<Heading, "index">[],
): (index: number) => boolean {
  let [next, order] = [0, 0]
  let above = ""
  let isJudging = false
  const read = (line: string, index: number) => {
    const isHeading = headings[order]?.index === index
    if (isHeading) order++
    const isFirst = LISTED.test(line) && !(LISTED.test(above) || /^\s/.test(above))
    if (isHeading) isJudging = false
    else if (isFirst && !LATER_ROW.test(line)) isJudging = isOfNoWork(above)
    if (line.trim() !== "") above = line
  }
  return (index) => {
    for (; next <= index; next++) read(cutLine(lines[next] ?? ""), next)
    return isJudging
  }
}

function isOfNoWork(line: string): boolean {
  const label = labelOn(line)
  return rowsBelowLabel(label ?? line) === "never" || (label !== null && tellsOnlyOfNoWork(label))
}

/** How a row begins that says how the row before it is judged: `Done when: it runs`, `Criterio 2: …`. */
const JUDGES = new RegExp(
  "^[*_]{0,3}(?:(?:(?:acceptance|success|completion|exit) )?criteri(?:on|a)|acceptance|done when|definition of done" +
    `|(?:akzeptanz|abnahme|erfolgs)?kriterium|crit(?:e|é)rio|critère|критери[йи](?: \\p{L}+)?|kryterium|${CRITERIA_ELSEWHERE.join("|")}` +
    ")(?: #?\\d{1,2})?[*_]{0,3}[:：]",
  "iu",
)

/** Most rows have no colon there, so the long pattern is not tried. */
const MAY_JUDGE = /^[^:：]{2,40}[:：]/

/** A row that asks for work is work: `Acceptance tests: automate the login`. */
function judges(text: string): boolean {
  const label = MAY_JUDGE.test(text) ? (JUDGES.exec(text)?.[0] ?? null) : null
  return label !== null && !askForWork([text.slice(label.length).trim()], true)
}

/**
 * The rows that only say how the row before them is judged, each with that row, if several rows have some; `listOf` distinguishes lists.
 */
export function judgedRows(
  rows: readonly Row[],
  listOf: (row: Row) => unknown,
): ReadonlyMap<Row, Row> {
  const found = new Map<Row, Row>()
  let before: Row | null = null
  for (const row of rows) {
    if (row.parent !== null || row.kind !== "list") continue
    if (!judges(row.box.text)) before = row
    else if (before !== null && listOf(before) === listOf(row)) found.set(row, before)
  }
  return new Set(found.values()).size < LEAST ? new Map() : found
}
