import { Buffer } from "node:buffer"
import { type FileHandle, open, readFile, stat } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { type MarkState, markTask } from "../plan/mark-task.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import { nodeFilePort } from "./file-port.ts"
import { MAX_PLAN_BYTES } from "./plan-files.ts"
import { storeErrorFrom } from "./store-error.ts"
import { newWriteId, ownIdentity } from "./writer-identity.ts"

/** What came of marking a task; `message` says what was expected and what was found, for the model. */
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
const files = nodeFilePort()

/**
 * Writes a task's state into its plan: read, mark, write beside it, look again, replace. An edit that somebody made
 * meanwhile is never lost: then it begins anew, and refuses where the task has changed. `path` is relative to `root`.
 * Throws a `StoreError` when the disk does not play along; the plan is then as it was.
 */
export async function markTaskInPlan(
  root: string,
  path: string,
  mark: TaskMark,
): Promise<PlanMark> {
  try {
    const file = await insideRoot(root, path)
    if (file === null) return refused(`Expected a plan inside the project; found ${path}.`)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await readFile(file)
      const marked = markedText(before, path, mark)
      if (typeof marked !== "string") return marked
      if (await replaceIfSame(file, before, marked)) return { kind: "marked" }
    }
    return refused(`Expected ${path} to stay still; found it changing. Mark ${mark.key} yourself.`)
  } catch (error) {
    throw storeErrorFrom(error, {
      doing: `mark ${mark.key} in ${path}`,
      outcome: "It is as it was.",
    })
  }
}

function markedText(before: Buffer, path: string, mark: TaskMark): string | PlanMark {
  const text = before.toString("utf8")
  if (before.length > MAX_PLAN_BYTES || !Buffer.from(text, "utf8").equals(before))
    return refused(`Expected ${path} to be a plan in UTF-8; found other bytes. Mark it yourself.`)
  const task = parsePlan(text, { path }).tasks.find(
    ({ key, titleHash }) => key === mark.key && titleHash === mark.titleHash,
  )
  if (task === undefined) return refused(`Expected ${mark.key} in ${path}; found no such task now.`)
  const marked = markTask(text, task, mark.state, mark.note ?? undefined)
  if (!marked.ok) return refused(marked.message)
  return marked.text === text ? { kind: "as-it-is" } : marked.text
}

/** False, and nothing written, when the file is no longer what was read. Its mode stays. */
async function replaceIfSame(file: string, before: Buffer, text: string): Promise<boolean> {
  const temp = join(dirname(file), `.boulder-${newWriteId(await ownIdentity())}.tmp`)
  const { mode } = await stat(file)
  try {
    await writeDurably(temp, text, mode & 0o7777)
    if (!(await readFile(file)).equals(before)) return false
    await files.rename(temp, file)
    await files.syncFolder(dirname(file))
    return true
  } finally {
    await files.remove(temp)
  }
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, "wx", mode)
    await handle.writeFile(text, "utf8")
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle?.close()
  }
}

/** The file itself, behind links; null outside the project. */
async function insideRoot(root: string, path: string): Promise<string | null> {
  const base = await files.realPath(root)
  const file = await files.realPath(join(root, path))
  if (base === null || file === null) return null
  const inside = relative(base, file)
  return inside === "" || inside.split(sep)[0] === ".." ? null : file
}

function refused(message: string): PlanMark {
  return { kind: "refused", message }
}
