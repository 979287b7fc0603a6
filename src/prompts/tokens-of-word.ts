// The tokens (o200k) of a common English word.
import { COMMON_WORDS, ENDINGS } from "./common-words.ts"

/** The tokens (o200k) of a common English word, a blank before it included; null for every other word. */
export function tokensOfWord(word: string): number | null {
  const lower = word.toLowerCase()
  if (COMMON_WORDS.has(lower)) return 1
  return ENDINGS.some((end) => lower.endsWith(end) && COMMON_WORDS.has(lower.slice(0, -end.length)))
    ? 2
    : null
}
