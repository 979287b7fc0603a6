// Writes and removes a task's `BLOCKED:` lines in the plan's text.
import { NO_REASON, saysNothing } from "../model/blocked-words.ts"
import { lineRange } from "../model/lines.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"

/** What begins a block of its own, and so ends a row's words: a list, a box, a heading, a rule, a quote, a table, code or HTML. */
const BEGINS =
  /^(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|(?:[-+]|[*_]{1,2})?\\?\[[^[\]]{0,20}\])(?:[ \t]|$)|(?:-{2,}|(?:[-*_][ \t]*){3,})$|[>|]|`{3}|~{3}|<(?!https?:|[\s\d=]))/
/** Each line with its end; after the last end there is none. */
const LINES = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g
const LAST_BREAK = /(?:\r\n|\r|\n)$/
const LINE_END = /\r\n|\n|\r/y
const ATX = /^ {0,3}#/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/

/** Removes the task's `BLOCKED:` lines from the text, and nothing else. */
export function withoutNote(text: string, { note }: Pick<Task, "note">): string {
  const out = new Set(note?.lines ?? [])
  if (out.size === 0) return text
  const lines = text.match(LINES) ?? []
  const kept = lines.filter((_, index) => !out.has(index + 1)).join("")
  const isLastOut = out.has(lines.length) && !LAST_BREAK.test(lines.at(-1) ?? "")
  return isLastOut ? kept.replace(LAST_BREAK, "") : kept
}

/**
 * Writes a `BLOCKED:` line below the row on `line`, whose box is at `column`, or below the heading there (null): one line and nothing else,
 * so that `withoutNote` restores the same bytes. Below a heading it is a list item, so that what follows does not become part of it.
 */
export function withNote(
  text: string,
  line: number,
  column: number | null,
  note: string | undefined,
): string {
  const range = lineRange(text, line)
  if (range === null) return text
  const reason = note === undefined ? "" : cleanTitle(note)
  const words = `- BLOCKED: ${reason === "" || saysNothing(reason) ? NO_REASON : reason}`
  const row = text.slice(range.start, range.end)
  if (column === null || ATX.test(row)) return withLineBelowHeading(text, line, words, false)
  const indent = /^[ \t]*/.exec(row)?.[0] ?? ""
  const begin = row.startsWith("[", column) && column === indent.length ? column + 2 : column
  const padding = indent + row.slice(indent.length, begin).replace(/[^\t]/g, " ")
  return withLine(text, endOfParagraph(text, range.end), padding + words)
}

/** Writes a line below the heading on `line`, after a blank one if `isApart`. */
export function withLineBelowHeading(
  text: string,
  line: number,
  words: string,
  isApart: boolean,
): string {
  const range = lineRange(text, line)
  if (range === null) return text
  const at = ATX.test(text.slice(range.start, range.end))
    ? range.end
    : endOfUnderline(text, range.end)
  const whole = withLine(text, at, words)
  return isApart ? withLine(whole, at, "") : whole
}

/** A line after the one that ends at `at`, with the same line end. */
function withLine(text: string, at: number, line: string): string {
  LINE_END.lastIndex = at
  const end = LINE_END.exec(text)?.[0] ?? /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  return text.slice(0, at) + end + line + text.slice(at)
}

/** The end of the line that makes the paragraph before it a heading. */
function endOfUnderline(text: string, lineEnd: number): number {
  let end = lineEnd
  for (;;) {
    const start = nextLine(text, end)
    const stop = endOfLine(text, start)
    const line = text.slice(start, stop)
    if (UNDERLINE.test(line)) return stop
    if (start === end || line.trim() === "") return lineEnd
    end = stop
  }
}

/** The end of the line on which the row's own words end: as in CommonMark, they may continue at the margin. */
function endOfParagraph(text: string, lineEnd: number): number {
  let end = lineEnd
  for (;;) {
    const start = nextLine(text, end)
    const stop = endOfLine(text, start)
    if (start === end || !isContinued(text.slice(start, stop))) return end
    end = stop
  }
}

function isContinued(line: string): boolean {
  const words = line.trim()
  return words !== "" && !BEGINS.test(words)
}

function endOfLine(text: string, from: number): number {
  const found = /[\r\n]/g
  found.lastIndex = from
  return found.exec(text)?.index ?? text.length
}

function nextLine(text: string, end: number): number {
  if (text.startsWith("\r\n", end)) return end + 2
  return Math.min(end + 1, text.length)
}
