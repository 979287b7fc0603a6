// Finds the root of the project that a folder lies in.
import { lstat, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import { realPathOrSelf } from "./real-path.ts"
import { errnoOf, isMissing } from "./store-error.ts"

/**
 * The root of the project that `cwd` lies in, for programs without a host: the nearest folder upwards with a `.git` (a file in a linked
 * worktree), else the nearest with a `.boulder`, else `otherwise`, by default `cwd` itself. Links are resolved, so that a project has one
 * root however it was entered. A `.git` or `.boulder` that another user has put above us does not count: in `/tmp` anybody can do that.
 * Throws if `cwd` cannot be looked at.
 */
export async function findProjectRoot(cwd: string, otherwise = cwd): Promise<string> {
  const start = await realPathOrSelf(resolve(cwd))
  const found = (await nearestWith(start, ".git")) ?? (await nearestWith(start, ".boulder"))
  return found ?? (await realPathOrSelf(resolve(otherwise)))
}

/** The root as the host gives it: its worktree, or its directory if there is no git (`worktree` is `/`). */
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
  const here = await ownerOf(start)
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, name)
    const owner = await ownerOf(path)
    if (owner !== null && isTrusted(owner, here) && (await unlessMissing(stat(path))) !== null)
      return folder
    if (dirname(folder) === folder) return null
  }
}

/** Ours, the system's, or that of the owner of the folder we are in, as in a container. */
function isTrusted(owner: number, here: number | null): boolean {
  return owner === process.getuid?.() || owner === 0 || owner === here
}

/** Of the name itself: a link may point at something of another user. Null if nothing is there; 0 on Windows. */
async function ownerOf(path: string): Promise<number | null> {
  return (await unlessMissing(lstat(path)))?.uid ?? null
}

async function unlessMissing<Value>(looking: Promise<Value>): Promise<Value | null> {
  try {
    return await looking
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === "EACCES") return null
    throw error
  }
}
