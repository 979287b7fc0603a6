// The column of a table that says states, and what its cells say.

import { countsLess, lacks } from "../model/leaves-done.ts"
import { isSettledState } from "../model/plan.ts"
import {
  isPlainWord,
  readState,
  STATUS_NAME,
  stateOfSigned,
  TAKEN_BACK,
} from "../model/state-words.ts"
import { saysDone } from "../model/title.ts"
import { LEAST } from "./counting.ts"
import { shownFirst } from "./first-sign.ts"

/** A row of a table. */
export interface CellRow {
  readonly cells: readonly string[]
}

const STATE = new RegExp(
  `^[ \\t*_]*(?:state|progress|done\\??|completed?\\??|${STATUS_NAME})[ \\t*_]*$`,
  "i",
)
const IN_CODE = /^[*_]{0,3}`/
const A_BOX = /^[*_`]{0,3}\[([ \txX✓✔]?)\]/
const CROSS_ALONE = /^[*_]{0,3}[❌❎✗✘🔴⚠]\ufe0f?[*_]{0,3}$/u
const NO_LETTERS = /^[^\p{L}]+/u
const EMPTY = /^[\s*_—–-]*$/
/** Where more is said of it: `done (see backlog)`, `see backlog: done`. */
const SEE = /[(（]see [^\s()（）]{1,40}[)）]|^see [^\s:]{1,40}:/i

/** The column of a table's head that is called one of states, whatever its cells say; null for none. */
export function calledColumn(head: readonly string[]): number | null {
  const called = head.findIndex((cell) => STATE.test(cell))
  return called === -1 ? null : called
}

/** Whether a cell says anything. */
export function isFilled(cell: string): boolean {
  return !EMPTY.test(cell)
}

/**
 * The column whose cells say states: one that is called so, of which half do; of a list of work also the only one most of
 * whose cells say so in a sign or a plain word. A first column that says each state once, and leaves none out, is a legend, and one of no plain state
 * tells of something else: `New`, `Proposed`.
 */
export function stateColumn(
  head: readonly string[],
  rows: readonly CellRow[],
  isOfWork: boolean,
): number | null {
  const column = (at: number) => {
    const cells = rows.map((row) => row.cells[at] ?? "").filter(isFilled)
    const saying = cells.filter((cell) => saysLeft(cell) !== null)
    const isEach = cells.length === rows.length && new Set(saying).size === saying.length
    const isLegend = at === 0 && isEach
    const isTold = saying.some((cell) => saysLeft(cell) === false || saysNoMore(cell))
    return { cells, saying: isLegend || !isTold ? [] : saying }
  }
  const called = head.findIndex((cell, at) => {
    if (!STATE.test(cell)) return false
    const { cells, saying } = column(at)
    return saying.length > 0 && saying.length * 2 >= cells.length
  })
  if (called !== -1 || !isOfWork) return called === -1 ? null : called
  const plain = head.flatMap((_, at) => {
    const { cells, saying } = column(at)
    const isMostly = saying.length >= LEAST && saying.length * 2 > cells.length
    return isMostly && saying.every(saysHowFar) ? [at] : []
  })
  return plain.length === 1 ? (plain[0] ?? null) : null
}

/** A cross says as well that something is not to be had. */
function saysHowFar(cell: string): boolean {
  return saysNoMore(cell) && !CROSS_ALONE.test(cell)
}

/** A sign, or a word that names a state and nothing else; a sign of what is left says it whatever stands behind. */
function saysNoMore(cell: string): boolean {
  if (showsLeft(cell)) return true
  const words = readState(cell).word.replace(NO_LETTERS, "")
  return words === "" || isPlainWord(words)
}

function showsLeft(cell: string): boolean {
  const shown = shownFirst(cell)
  return shown === "left" || shown === "blocked"
}

/** Whether a cell says that something is left, or that nothing is; null for one that says neither. */
export function saysLeft(cell: string): boolean | null {
  if (IN_CODE.test(cell)) return null
  const box = A_BOX.exec(cell)?.[1]
  if (box !== undefined) return box.trim() === ""
  const { at, word, state, isKnown } = readState(cell.replace(SEE, "").trim())
  if (state !== null) return !isSettledState(state)
  const behind = cell.slice(at + word.length)
  if (shownFirst(cell) === "done") return TAKEN_BACK.test(behind) || countsLess(behind)
  if (stateOfSigned(word) === "done") return TAKEN_BACK.test(behind) || lacks(behind)
  if (isKnown || showsLeft(cell) || CROSS_ALONE.test(cell)) return true
  return saysDone(cell) ? false : null
}
