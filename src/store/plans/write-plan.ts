// Writes a task's state into its plan.
import type { Buffer } from "node:buffer"
import { constants } from "node:fs"
import { dirname, join } from "node:path"
import type { MarkState } from "../../plan/check-marked.ts"
import { markTask } from "../../plan/mark-task.ts"
import { findAgain } from "../../plan/match-tasks.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import { hasBoulderFolder } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { access } from "../disk/quick-files.ts"
import { type Replacement, replaceIfSame, syncNames } from "../disk/replace-if-same.ts"
import { MAX_PLAN_BYTES } from "../disk/size-limits.ts"
import { errnoOf, storeErrorFrom } from "../disk/store-error.ts"
import { newWriteId, ownIdentity } from "../disk/writer-identity.ts"
import { tempName } from "../revisions/revision-names.ts"
import { planText } from "./plan-limits.ts"
import { NOT_THERE, planInRoot, type RealPlan, whyOutside } from "./plan-path.ts"

/** The outcome of marking a task; `message` tells the model what was expected and what was found. */
export type PlanMark =
  | { readonly kind: "marked" }
  | { readonly kind: "as-it-is" }
  | { readonly kind: "refused"; readonly message: string }

/** A task, and the state to write into the plan. */
export interface TaskMark {
  readonly key: string
  readonly titleHash: string
  readonly state: MarkState
  /** Why it is blocked; null for any other state. */
  readonly note: string | null
}

const MAX_TRIES = 5

/**
 * Writes a task's state into its plan: read, mark, write a new file, look again, replace. An edit made by somebody meanwhile is never lost:
 * then it starts again, finds the task if that has moved, and refuses if it has changed. `path` is relative to `root`. Throws a
 * `StoreError` if the disk fails; the plan is then as it was, or marked in a way that only a power cut may undo (`isInPlace`).
 */
export async function markTaskInPlan(
  root: string,
  path: string,
  mark: TaskMark,
  files: FilePort = nodeFilePort(),
): Promise<PlanMark> {
  const change = (text: string, at: string) => markedText(text, at, mark)
  return changePlan({ root, path, doing: `mark ${mark.key}`, change }, files)
}

/** Why the system would not let us mark a plan, as far as it tells without a try: expected, found, what to do. */
export async function whyNotMarkable({ path, file }: RealPlan): Promise<string | null> {
  try {
    await access(file, constants.W_OK).catch((error: unknown) => {
      // The file is replaced, so its permissions do not matter if its folder can be written. A file that nobody may change, or on a
      // read-only mount, cannot be replaced. One in a folder that takes no file can still be ticked in place, by an agent's own edit.
      if (errnoOf(error) !== "EACCES") throw error
      return access(dirname(file), constants.W_OK | constants.X_OK)
    })
    return null
  } catch (error) {
    const doing = `mark tasks in ${path}`
    return storeErrorFrom(error, { doing, outcome: "No task was begun." }).message
  }
}

/** A change of a plan's text. */
export interface PlanChange {
  readonly root: string
  readonly path: string
  /** In words, for an error message. */
  readonly doing: string
  /** The new text, or the outcome if nothing is to be written. May be called several times. */
  readonly change: (text: string, path: string) => string | PlanMark
}

/** Rewrites a plan in the same way as `markTaskInPlan`. */
export async function changePlan(
  { root, path, doing, change }: PlanChange,
  files: FilePort = nodeFilePort(),
): Promise<PlanMark> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const at = await planInRoot(root, path)
      if (at === null) return expectedPlan(path, ...whyOutside(root, path))
      const before = await files.readBytes(at.file, MAX_PLAN_BYTES)
      if (before === null) return expectedPlan(path, ...NOT_THERE)
      const changed = changedText(before, at.path, change)
      if (typeof changed !== "string") return changed
      if (!(await replaced(files, root, { file: at.file, before, text: changed }))) continue
      await syncNames(files, dirname(at.file), at.file)
      return { kind: "marked" }
    }
    return refused(`Expected ${path} to stay still; found it changing. Do it yourself: ${doing}.`)
  } catch (error) {
    throw storeErrorFrom(error, { doing: `${doing} in ${path}`, outcome: "It was not changed." })
  }
}

/**
 * Writes the temporary file in our own folder, where a sweep finds what a kill has left and git never does; or next to the plan, if that
 * folder is missing, is not ours (a link out of the project), or cannot be used for any other reason.
 */
async function replaced(
  files: FilePort,
  root: string,
  change: Omit<Replacement, "temps">,
): Promise<boolean> {
  const id = newWriteId(await ownIdentity())
  const ours = join(root, ".boulder", tempName(0, id))
  const beside = join(dirname(change.file), `.boulder-${id}.tmp`)
  const isThere = await hasBoulderFolder(files, root).catch(() => false)
  return replaceIfSame(files, { ...change, temps: isThere ? [ours, beside] : [beside] })
}

function changedText(
  before: Buffer,
  path: string,
  change: PlanChange["change"],
): string | PlanMark {
  const text = planText(path, before)
  return typeof text === "string" ? change(text, path) : expectedPlan(path, text.found, text.action)
}

function markedText(text: string, path: string, mark: TaskMark): string | PlanMark {
  const task = findAgain(parsePlan(text, { path }), mark)
  if (task === null) return refused(`Expected ${mark.key} in ${path}; found no such task now.`)
  const marked = markTask(text, task, mark.state, mark.note ?? undefined)
  if (!marked.ok) return refused(marked.message)
  return marked.text === text ? { kind: "as-it-is" } : marked.text
}

function expectedPlan(path: string, found: string, action: string): PlanMark {
  return refused(`Expected a plan at ${path}; ${found}: ${action}.`)
}

function refused(message: string): PlanMark {
  return { kind: "refused", message }
}
