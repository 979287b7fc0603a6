// Says in our own words what an option should have been.
import type { z } from "../boulder/z.ts"

/** What a wrong option should have been: `a number of at least 0`. */
export function expectedWords(issue: z.core.$ZodIssue): string {
  // The messages of our schema begin like this; the library's do not.
  if (issue.message.startsWith("expected ") || issue.message.startsWith("Expected "))
    return issue.message
  switch (issue.code) {
    case "invalid_value":
      return `expected ${listed(issue.values.map((value) => JSON.stringify(value)))}`
    case "invalid_type":
      return `expected ${TYPES[issue.expected] ?? issue.expected}`
    case "too_small":
      return `expected ${thing(issue.origin)} of at least ${issue.minimum}`
    case "too_big":
      return `expected ${thing(issue.origin)} of at most ${issue.maximum}`
    case "invalid_format":
      return "expected a share such as 60%"
    default:
      return issue.message
  }
}

/** What was found, in a few words; nothing of a URL, since it may hold a password. */
export function foundWords(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing"
  return text.includes("://") ? "a url" : text.slice(0, 80)
}

/** What is wrong with an option: `found` in words; an unknown option has no default. */
export function problemWords(
  name: string,
  { expected, isUnknown = false }: { readonly expected: string; readonly isUnknown?: boolean },
  found: string,
): string {
  return isUnknown
    ? `Option ${name} is not known: ${expected}. It has no effect.`
    : `Option ${name}: ${expected}; found ${found}. Its default is used.`
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
}

function thing(origin: string): string {
  return TYPES[origin] ?? "a value"
}

/** `a, b or c`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ""
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`
}
