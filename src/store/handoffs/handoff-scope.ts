// Names a project on this machine.
import { createHash } from "node:crypto"
import type { Handoff } from "../../boulder/handoff.ts"
import { StoreError } from "../disk/store-error.ts"

/** The scope of a project on this machine, as used in its records. */
export function projectScope(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 16)
}

/** Throws a `StoreError` for a record of another project. */
export function checkScope({ id, scope }: Handoff, project: string): void {
  if (scope.project === project) return
  throw new StoreError({
    code: "invalid-change",
    expected: `a handoff of project ${project}`,
    found: `${id} of ${scope.project}`,
    todo: "Nothing was written.",
  })
}
