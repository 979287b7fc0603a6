// Keeps fields that we do not know.
import { entriesOf } from "./fields-of.ts"
import { unsafePartOf } from "./unsafe-part.ts"

const MAX_FIELDS = 32
const MAX_FIELD_LENGTH = 4_096

/**
 * The fields of an older format's object that are not in `known`, to be kept as they are. A field that could do harm (a reserved key, too
 * deep, too long, one too many) is dropped and named in `dropped`.
 */
export function foreignFields(
  value: unknown,
  known: ReadonlySet<string>,
  dropped: string[],
): Readonly<Record<string, unknown>> {
  const kept: [string, unknown][] = []
  for (const [key, field] of entriesOf(value)) {
    if (known.has(key)) continue
    const harm = kept.length >= MAX_FIELDS ? "it is one field too many" : harmOf(key, field)
    if (harm === null) kept.push([key, field])
    else dropped.push(`${key.slice(0, 80)}: ${harm}`)
  }
  return Object.fromEntries(kept)
}

function harmOf(key: string, field: unknown): string | null {
  const unsafe = unsafePartOf(Object.fromEntries([[key, field]]))
  if (unsafe !== null) return unsafe
  const length = key.length + (JSON.stringify(field) ?? "").length
  return length > MAX_FIELD_LENGTH ? `it is longer than ${MAX_FIELD_LENGTH} characters` : null
}
