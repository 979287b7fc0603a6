const OPEN = "<boulder>\n"
const CLOSE = "\n</boulder>"
const REFUSAL = `${OPEN}Tell the user exactly this and do nothing else:\n`

/** The last frame of the plugin in a text, with its tags; null when there is none. */
export function frameIn(text: string): string | null {
  const end = text.lastIndexOf(CLOSE)
  const start = end < 0 ? -1 : text.lastIndexOf(OPEN, end)
  return start < 0 ? null : text.slice(start, end + CLOSE.length)
}

/** What `/start-work` said instead of starting, in one line; null for any other text. */
export function refusalIn(text: string): string | null {
  if (!text.startsWith(REFUSAL)) return null
  const end = text.indexOf(CLOSE, REFUSAL.length)
  return text
    .slice(REFUSAL.length, end < 0 ? undefined : end)
    .split("\n")
    .join(" ")
    .trim()
}
