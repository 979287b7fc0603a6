const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.\ufe0f)/u
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

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
