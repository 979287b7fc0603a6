// Measures, cuts, pads and wraps text by its width on a terminal.
const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}])/u
/** A character that is drawn as a picture, whatever is joined to it. */
const PICTURE = /^(?:\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}]|.\ufe0f)/u
/** Marks, and the vowels and final consonants of a Korean syllable that is written in parts. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]+$/u
/** One-column characters that join with nothing: ASCII, Latin letters, and the signs in our own texts. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02af–—‘’“”…█░·]*$/

/** How many columns a line takes: wide characters two, combining ones none. */
export function columnsOf(line: string): number {
  if (PLAIN.test(line)) return line.length
  let columns = 0
  for (const segment of segmentsOf(line)) columns += widthOf(segment)
  return columns
}

/** A line cut to this many columns, with an ellipsis if something is missing. */
export function fitLine(line: string, columns: number): string {
  if (line.length <= columns && PLAIN.test(line)) return line
  let kept = ""
  let used = 0
  for (const segment of segmentsOf(line)) {
    const width = widthOf(segment)
    if (used + width > columns) return shortened(kept, columns)
    kept += segment
    used += width
  }
  return kept
}

/** A line padded with spaces, or cut, to this many columns. */
export function padLine(line: string, columns: number): string {
  const fitted = fitLine(line, columns)
  return fitted + " ".repeat(Math.max(0, columns - columnsOf(fitted)))
}

/** A text of several lines, each broken by `wrapLine`. */
export function wrapText(text: string, columns: number): string {
  const lines = text.split("\n").flatMap((line) => wrapLine(line, columns))
  return lines.join("\n")
}

/**
 * Text broken at spaces, and between wide characters as in Chinese and Japanese, into lines of at most this many columns; leading spaces
 * stay. A longer word stays whole, so that a path or a command can be copied: callers that have no more room cut the lines with `fitLine`.
 */
export function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = []
  const [first = "", ...pieces] = line.trimStart().split(" ").flatMap(piecesOf)
  let current = line.slice(0, line.length - line.trimStart().length) + first
  let used = columnsOf(current)
  for (const piece of pieces) {
    const more = columnsOf(piece)
    if (used + more <= columns) {
      current += piece
      used += more
    } else {
      lines.push(current)
      current = piece.trimStart()
      used = columnsOf(current)
    }
  }
  return [...lines, current]
}

/** A word, with the space before it, in parts that must not be broken: each wide character, and what stands between them. */
function piecesOf(word: string, index: number): readonly string[] {
  const spaced = index === 0 ? word : ` ${word}`
  if (PLAIN.test(word)) return [spaced]
  const pieces: string[] = []
  let isNew = true
  for (const segment of segmentsOf(spaced)) {
    const isWide = WIDE.test(segment)
    const last = pieces.length - 1
    if (pieces.length > 0 && (pieces[last] === " " || !(isNew || isWide))) pieces[last] += segment
    else pieces.push(segment)
    isNew = isWide
  }
  return pieces
}

/** If the first part takes more than this share of the columns, further lines begin near the edge. */
const MAX_HANG = 0.6
const NEAR_EDGE = 4

/** Text after a first part, wrapped to this many columns; further lines begin below its start if that leaves them room. */
export function hangingLines(first: string, text: string, columns: number): readonly string[] {
  const indent = columnsOf(first)
  const isNear = indent > columns * MAX_HANG
  const lines = isNear
    ? indentedLines(`${first}${text}`, columns, ["", " ".repeat(NEAR_EDGE)])
    : indentedLines(text, columns, [first, " ".repeat(indent)])
  return lines.map((line) => line.trimEnd())
}

/** A text in lines of at most this many columns, which begin with these words: the first, and all others. */
export function indentedLines(
  text: string,
  columns: number,
  [first, others]: readonly [first: string, others: string],
): readonly string[] {
  const lines = wrapLine(text, Math.max(1, columns - others.length))
  return lines.map((line, index) => `${index === 0 ? first : others}${line}`)
}

function shortened(kept: string, columns: number): string {
  const segments = [...segmentsOf(kept)]
  let used = columnsOf(kept)
  while (segments.length > 0 && used + 1 > columns) used -= widthOf(segments.pop() ?? "")
  return columns > 0 ? `${segments.join("").trimEnd()}…` : ""
}

/** Node's time for each character grows with the length of the whole text, so it gets pieces of this length. */
const PIECE = 512
const BETWEEN_ASCII = /^[ -~]{2}$/
const LOW_SURROGATE = /^[\udc00-\udfff]/

/** The characters of a line as a person sees them; one of over 512 UTF-16 units counts as several. */
function* segmentsOf(line: string): Generator<string> {
  // Made here, since the first one takes longer than everything else that a help needs.
  const segmenter = new Intl.Segmenter()
  for (let from = 0; from < line.length; ) {
    const to = endOfPiece(line, from + PIECE)
    for (const { segment } of segmenter.segment(line.slice(from, to))) yield segment
    from = to
  }
}

/** Where a piece may end: between two ASCII characters if there are any nearby, else between any two. */
function endOfPiece(line: string, to: number): number {
  if (to >= line.length) return line.length
  for (let at = to; at > to - PIECE / 2; at--)
    if (BETWEEN_ASCII.test(line.slice(at - 1, at + 1))) return at
  return LOW_SURROGATE.test(line.charAt(to)) ? to - 1 : to
}

/** A picture is as wide as its first character; in any other script each character of a segment takes its own columns. */
function widthOf(segment: string): number {
  if (PICTURE.test(segment)) return 2
  let columns = 0
  for (const character of segment)
    columns += WIDE.test(character) ? 2 : ZERO.test(character) ? 0 : 1
  return columns
}
