import { isAbsolute, join } from "node:path"
import { guardWrite, pathsInPatch, type WriteVerdict } from "../decide/guard-write.ts"
import { refusalText } from "../prompts/refusal-text.ts"
import { placeOf } from "./place-of.ts"
import type { Shell } from "./shell.ts"
import { ToolRefusal } from "./tool-refusal.ts"

const WRITING_TOOLS: ReadonlySet<string> = new Set(["write", "edit", "apply_patch"])

/** A tool that writes files by path; all others are none of the guard's business. */
export function isWritingTool(tool: string): boolean {
  return WRITING_TOOLS.has(tool)
}

/** Looks at a write before it happens; throws a `ToolRefusal` for one that may not be. */
export async function checkWrite(
  shell: Shell,
  sessionId: string,
  args: unknown,
): Promise<WriteVerdict> {
  const { role, work } = await placeOf(shell, sessionId, "far")
  if (work === null || work.status === "completed" || role === "former-lead")
    return { kind: "allow" }
  const paths = await writtenPaths(shell, args)
  const verdict = guardWrite({
    writer: role === "lead" ? "lead" : "subagent",
    paths,
    planPath: work.active_plan,
    // While a work is paused its session is its user's, who may write what they like.
    orchestratorWrites: work.status === "active" ? shell.options.orchestrator_writes : "allow",
  })
  if (verdict.kind === "refuse")
    throw new ToolRefusal(refusalText(verdict.reason, verdict.path, work.active_plan))
  return verdict
}

/** The paths that a call of a writing tool names, relative to the root where they are inside it. */
export async function writtenPaths(shell: Shell, args: unknown): Promise<readonly string[]> {
  return Promise.all(pathsOf(args).map((path) => relativePath(shell, path)))
}

async function relativePath(shell: Shell, path: string): Promise<string> {
  const full = isAbsolute(path) ? path : join(shell.directory, path)
  return (await shell.plans.inRoot(full)) ?? full
}

function pathsOf(args: unknown): readonly string[] {
  if (typeof args !== "object" || args === null) return []
  const path: unknown = Reflect.get(args, "filePath")
  if (typeof path === "string") return [path]
  const patch: unknown = Reflect.get(args, "patchText")
  return typeof patch === "string" ? pathsInPatch(patch) : []
}
