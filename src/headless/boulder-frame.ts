// Finds the plugin's last frame in a text.
import { FRAME_BEGIN, FRAME_END } from "../prompts/frame.ts"

const REFUSAL = `${FRAME_BEGIN}Tell the user exactly this and do nothing else:\n`

/** The last frame of the plugin in a text, with its tags; null if there is none. */
export function frameIn(text: string): string | null {
  const end = text.lastIndexOf(FRAME_END)
  const start = end < 0 ? -1 : text.lastIndexOf(FRAME_BEGIN, end)
  return start < 0 ? null : text.slice(start, end + FRAME_END.length)
}

/** What `/start-work` said instead of starting, in one line; null for any other text. */
export function refusalIn(text: string): string | null {
  if (!text.startsWith(REFUSAL)) return null
  const end = text.indexOf(FRAME_END, REFUSAL.length)
  return text
    .slice(REFUSAL.length, end < 0 ? undefined : end)
    .split("\n")
    .join(" ")
    .trim()
}
