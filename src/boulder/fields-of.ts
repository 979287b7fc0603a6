// The fields of a value that came from outside, of which nothing is known yet.

/** The fields of an object, by their names. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object or a list; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

/** The same one by one. Not by a zod record: a single key such as `constructor` would make it refuse them all. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : []
}

/** One field of an object or a list; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
