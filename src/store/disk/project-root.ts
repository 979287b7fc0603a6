// The root of the project that a folder lies in.
import { stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { realPathOrSelf } from "./real-path.ts"
import { errnoOf } from "./store-error.ts"

/**
 * The root of the project that `cwd` lies in, for programs without a host: the nearest folder upwards with a `.git`
 * (a file in a linked worktree), else the nearest with a `.boulder`, else `otherwise`, which is `cwd` itself unless told.
 * Links are resolved, so that one project has one root however it was entered. Throws for a `cwd` that cannot be
 * looked at.
 */
export async function findProjectRoot(cwd: string, otherwise = cwd): Promise<string> {
  const start = await realPathOrSelf(resolve(cwd))
  const found = (await nearestWith(start, ".git")) ?? (await nearestWith(start, ".boulder"))
  return found ?? (await realPathOrSelf(resolve(otherwise)))
}

/** The root as the host tells it: its worktree, or its directory where there is no git (`worktree` is `/`). */
export async function hostRoot({
  worktree,
  directory,
}: {
  worktree: string
  directory: string
}): Promise<string> {
  const isWithoutGit = worktree === "" || dirname(worktree) === worktree
  return realPathOrSelf(resolve(isWithoutGit ? directory : worktree))
}

async function nearestWith(start: string, name: string): Promise<string | null> {
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, name))) return folder
    if (dirname(folder) === folder) return null
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "")) return false
    throw error
  }
}
