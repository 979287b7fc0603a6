/** What may not stand in our text as it is: it could close our frame, imitate one, or open code. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/</g, "‹"],
  [/>/g, "›"],
  [/`/g, "'"],
]

/**
 * A foreign text (a title, a path, a reason) as one line that can neither close nor imitate our frame,
 * cut to about `maxTokens` tokens. The estimate errs on the side of more tokens.
 */
export function quote(text: string, maxTokens: number): string {
  let line = text
    .slice(0, 4_000)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\s]+/gu, " ")
    .trim()
  for (const [pattern, replacement] of LOOKALIKES) line = line.replace(pattern, replacement)
  return cut(line, maxTokens)
}

/** An upper estimate of the tokens (o200k) of a text: words are cheap, signs and other scripts are not. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const character of text) tokens += weight(character)
  return Math.ceil(tokens)
}

function cut(line: string, maxTokens: number): string {
  let tokens = 0
  let end = 0
  for (const character of line) {
    tokens += weight(character)
    if (tokens > maxTokens) return `${line.slice(0, end).trimEnd()}…`
    end += character.length
  }
  return line
}

function weight(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code > 0xffff) return 4
  if (code > 0x7f) return 2
  return /[a-z ]/.test(character) ? 0.3 : /[A-Z0-9]/.test(character) ? 0.6 : 1
}
