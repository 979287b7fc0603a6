// What a JSON value must not hold.
/** Keys that reach a prototype somewhere, whoever copies the object. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

/** Far deeper than any state of ours: what is deeper is no state, and endangers whoever walks it. */
const MAX_DEPTH = 24

/** What in a JSON value must not be stored, at any level, fields included that we do not know; null for none. */
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

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : []
}
