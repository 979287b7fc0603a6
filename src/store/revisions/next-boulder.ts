// Applies a change, and checks what it has changed: the rest was checked when it was read or written.
import { type Boulder, boulderPartSchema, type Change, type Work } from "../../boulder/boulder.ts"
import { StoreError } from "../disk/store-error.ts"
import { type CheckedBoulder, checkBoulder, invalidBoulder, validBoulder } from "./boulder-file.ts"

/**
 * Applies a change: the next revision, validated and frozen, or null when there is nothing to write.
 * Throws what the change throws, and a `StoreError` (`invalid-change`) when its result breaks the schema.
 */
export function nextBoulder(before: Boulder, change: Change): Boulder | null {
  const changed = change(before)
  if (changed === before) return null
  const checked = checkChanged(before, { ...changed, revision: before.revision + 1 })
  if (checked.kind === "valid") return checked.boulder
  throw new StoreError({
    code: "invalid-change",
    expected: "a change that keeps the form of boulder.json",
    found: checked.problem,
    todo: "Nothing was written. This is a bug in opencode-boulder: please report it with this message.",
  })
}

/**
 * `checkBoulder` for what a change has made of a boulder that is checked: a field of a work that is the very same as before is
 * not looked at again. Of a change most are, and a hook waits for each.
 */
function checkChanged(before: Boulder, changed: Boulder): CheckedBoulder {
  const parts: Record<string, Part> = {}
  for (const [id, work] of Object.entries(changed.works)) {
    const part = partChanged(Object.hasOwn(before.works, id) ? before.works[id] : undefined, work)
    if (part === null) return checkBoulder(changed)
    parts[id] = part
  }
  const checked = boulderPartSchema.safeParse({ ...changed, works: parts })
  if (!checked.success) return invalidBoulder(checked.error)
  const works: Record<string, Work> = {}
  for (const [id, work] of Object.entries(changed.works)) {
    const fields = Object.keys(parts[id] ?? {})
    works[id] = fields.length === 0 ? work : withChecked(work, fields, checked.data.works[id] ?? {})
  }
  return validBoulder({ ...checked.data, works })
}

/** Some fields of a work. */
type Part = Readonly<Record<string, unknown>>

/** The fields that are not the very same as before; null for a work that is new or has others: it is checked as a whole. */
function partChanged(before: Work | undefined, work: Work): Part | null {
  if (before === undefined) return null
  const was = new Map<string, unknown>(Object.entries(before))
  const fields = Object.entries(work)
  const areKnown = fields.every(([field, value]) => value !== undefined && was.has(field))
  if (!areKnown || fields.length !== was.size) return null
  return Object.fromEntries(fields.filter(([field, value]) => value !== was.get(field)))
}

/** A work with these fields as the schema has made them; it gives more than it was asked, such as fields by default. */
function withChecked(work: Work, fields: readonly string[], checked: Part): Work {
  const made = { ...work }
  for (const field of fields) Reflect.set(made, field, checked[field])
  return made
}
