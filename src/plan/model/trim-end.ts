// Trims given characters from the end of a text, in linear time.
/** A text without the `signs` at its end. A pattern such as `/[.]+$/` starts again at each sign; this does not. */
export function trimEnd(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The same at both ends. */
export function trimSigns(text: string, { start, end }: { start: string; end: string }): string {
  let from = 0
  while (from < text.length && start.includes(text.charAt(from))) from += 1
  return trimEnd(text.slice(from), end)
}
