const ESC = String.fromCodePoint(0x1b)
const BEL = String.fromCodePoint(0x07)
/** Sequences that move the cursor, colour, or talk to the terminal: gone with their parameters. */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[ -/]*[0-~])`,
  "g",
)
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const MAX_CHARS = 20_000

/** Foreign text as one harmless line for a terminal: no escape sequence, no control or direction character. */
export function cleanLine(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .replace(SEQUENCES, "")
    .replace(BIDI, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
}

/** The same for a text of several lines, whose breaks are kept. */
export function cleanText(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .split("\n")
    .map((line) => cleanLine(`|${line}`).slice(1))
    .join("\n")
}

/** How many columns a line takes: wide characters two, combining ones none. */
export function columnsOf(line: string): number {
  let columns = 0
  for (const { segment } of new Intl.Segmenter().segment(line)) columns += widthOf(segment)
  return columns
}

/** A line cut to so many columns, with an ellipsis where something is missing. */
export function fitLine(line: string, columns: number): string {
  if (line.length <= columns && !/[^\u0020-\u007e]/.test(line)) return line
  let kept = ""
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    const width = widthOf(segment)
    if (used + width > columns) return shortened(kept, columns)
    kept += segment
    used += width
  }
  return kept
}

/** A line filled up with spaces to so many columns, and cut to them. */
export function padLine(line: string, columns: number): string {
  const fitted = fitLine(line, columns)
  return fitted + " ".repeat(Math.max(0, columns - columnsOf(fitted)))
}

/** Text broken at spaces into lines of at most so many columns; spaces in front stay. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = []
  const [first = "", ...words] = line.trimStart().split(" ")
  let current = line.slice(0, line.length - line.trimStart().length) + first
  for (const word of words) {
    const longer = `${current} ${word}`
    if (columnsOf(longer) <= columns) current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current].map((one) => fitLine(one, columns))
}

function shortened(kept: string, columns: number): string {
  const segments = [...new Intl.Segmenter().segment(kept)].map(({ segment }) => segment)
  while (segments.length > 0 && columnsOf(segments.join("")) + 1 > columns) segments.pop()
  return columns > 0 ? `${segments.join("").trimEnd()}…` : ""
}

function widthOf(segment: string): number {
  if (WIDE.test(segment)) return 2
  return ZERO.test(segment) ? 0 : 1
}
