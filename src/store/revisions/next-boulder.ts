// Applies a change and checks what came of it.
import type { Boulder, Change } from "../../boulder/boulder.ts"
import { StoreError } from "../disk/store-error.ts"
import { checkChanged } from "./check-changed.ts"

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
