// Applies a change, and checks what it has changed: the rest was checked when it was read or written.

import { type Boulder, type Change, WORK_FIELDS, type Work } from "../../boulder/boulder.ts"
import type { Fields } from "../../boulder/fields-of.ts"
import { unsafePartOf } from "../../boulder/unsafe-part.ts"
import { z } from "../../boulder/z.ts"
import { StoreError } from "../disk/store-error.ts"
import { type CheckedBoulder, checkBoulder, validBoulder } from "./boulder-file.ts"

/** Applies a change: the next revision, not checked yet, or null when there is nothing to write. Throws what the change throws. */
export function nextBoulder(before: Boulder, change: Change): Boulder | null {
  const changed = change(before)
  return changed === before ? null : { ...changed, revision: before.revision + 1 }
}

/** The next revision as it will be read. Throws a `StoreError` (`invalid-change`) when it breaks the schema. */
export function checkedNext(before: Boulder, next: Boulder): Boulder {
  const checked = checkChanged(before, next)
  if (checked.kind === "valid") return checked.boulder
  throw new StoreError({
    code: "invalid-change",
    expected: "a change that keeps the form of boulder.json",
    found: checked.problem,
    todo: "Nothing was written. This is a bug in opencode-boulder: please report it with this message.",
  })
}

/**
 * `checkBoulder` for what a change has made of a boulder that is checked: only the fields of works that are not the very
 * same as before are looked at. Of a change these are few, and a hook waits for each.
 */
function checkChanged(before: Boulder, changed: Boulder): CheckedBoulder {
  const works = worksChanged(before, changed)
  return works === null ? checkBoulder(changed) : validBoulder({ ...changed, works })
}

/** The works, each changed field as its schema has made it; null where more has changed, or is wrong: then all is checked. */
function worksChanged(before: Boulder, changed: Boulder): Boulder["works"] | null {
  if (!isSameBesideWorks(before, changed)) return null
  const parts: Record<string, Fields> = {}
  const works: Record<string, Work> = {}
  for (const [id, work] of Object.entries(changed.works)) {
    const was = Object.hasOwn(before.works, id) ? before.works[id] : undefined
    const fields = fieldsChanged(was, work)
    const made = was === undefined || fields === null ? null : withChecked(was, fields)
    if (fields === null || made === null) return null
    parts[id] = fields
    works[id] = made
  }
  return unsafePartOf({ works: parts }) === null ? works : null
}

function isSameBesideWorks(before: Boulder, changed: Boulder): boolean {
  const fields = fieldsChanged(before, changed)
  return (
    fields !== null &&
    Object.keys(fields).every((field) => field === "revision" || field === "works")
  )
}

/** The fields that say anything else than before; null where there are others, or one without a value, or nothing was before. */
function fieldsChanged(before: object | null | undefined, after: object): Fields | null {
  if (before == null) return null
  const was = new Map<string, unknown>(Object.entries(before))
  const fields = Object.entries(after)
  const areKnown = fields.every(([field, value]) => value !== undefined && was.has(field))
  if (!areKnown || fields.length !== was.size) return null
  return Object.fromEntries(fields.filter(([field, value]) => !isSame(value, was.get(field))))
}

/** Whether a value says the very same as one that is checked: a change makes many anew and leaves what they say. */
function isSame(value: unknown, was: unknown): boolean {
  if (value === was) return true
  if (!(isObject(value) && isObject(was)) || Array.isArray(value) !== Array.isArray(was))
    return false
  const parts = Object.entries(value)
  return (
    parts.length === Object.keys(was).length &&
    parts.every(([key, part]) => Object.hasOwn(was, key) && isSame(part, Reflect.get(was, key)))
  )
}

/** A work with these fields as their schemas have made them, the others as they were; null where one says no. */
function withChecked(was: Work, fields: Fields): Work | null {
  if (Object.keys(fields).length === 0) return was
  const made = { ...was }
  for (const [field, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(WORK_FIELDS, field) ? WORK_FIELDS[field] : undefined
    const checked =
      schema === undefined ? { value } : checkedSince(schema, Reflect.get(was, field), value)
    if (checked === null) return null
    Reflect.set(made, field, checked.value)
  }
  return made
}

/** A field as its schema has made it; of one by keys, the values that are not the very same as before. Null where that says no. */
function checkedSince(schema: z.ZodType, was: unknown, value: unknown): { value: unknown } | null {
  const known = schema instanceof z.ZodRecord && isMap(was) && isMap(value) ? was : null
  const entries = known === null ? [] : Object.entries(Object(value))
  const fresh = entries.filter(
    ([key, one]) => !Object.hasOwn(known ?? {}, key) || known?.[key] !== one,
  )
  const checked = schema.safeParse(known === null ? value : Object.fromEntries(fresh))
  if (!checked.success) return null
  return { value: known === null ? checked.data : { ...Object(value), ...Object(checked.data) } }
}

function isMap(value: unknown): value is Fields {
  return isObject(value) && !Array.isArray(value)
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
