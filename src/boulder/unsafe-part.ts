// Finds what a JSON value must not contain.
import { entriesOf } from "./fields-of.ts"

/** Keys that reach a prototype when somebody copies the object. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

/** Far deeper than any state of ours. Anything deeper is no state, and a danger to whoever walks it. */
const MAX_DEPTH = 24

/** What in a JSON value must not be stored, at any level, including fields that we do not know; null if there is nothing. */
export function unsafePartOf(value: unknown): string | null {
  let level = entriesOf(value)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`
    const reserved = level.find(([key]) => RESERVED_KEYS.has(key))
    if (reserved !== undefined) return `it has a reserved key ${reserved[0]}`
    level = level.flatMap(([, part]) => entriesOf(part))
  }
  return null
}
