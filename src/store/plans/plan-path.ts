// Finds the one real path of a plan inside the project.
import { isAbsolute, join, relative, resolve, sep } from "node:path"
import { realpath, stat } from "../disk/quick-files.ts"
import { deepRealPath } from "../disk/real-path.ts"
import { isMissing } from "../disk/store-error.ts"

/** Where a plan is, without links. */
export interface RealPlan {
  /** From the root, with `/`: the one name of the plan, whatever path was used. */
  readonly path: string
  /** The full path, for the system. */
  readonly file: string
}

/** What is said of a plan that is not where it should be: what was found, and what to do. */
export const NOT_THERE = ["no file is there", "check the path, or put the plan back"] as const

/**
 * Where a plan is, or would be: links are followed, in the root and on the way. Null if that leads out of the root. Done again each time a
 * plan is read or marked, since any part of the path may have become a link.
 */
export async function planInRoot(root: string, path: string): Promise<RealPlan | null> {
  const base = await realpath(root)
  const file = await deepRealPath(resolve(base, path))
  const below = pathBelow(base, file)
  return below === null ? null : { path: below.split(sep).join("/"), file }
}

/**
 * Where paths that a person gives may lead, the likeliest first: from the root, else from the folder `from`; after `./` only from there.
 */
export function placesOf(paths: readonly string[], from: string): readonly string[] {
  const below = paths.map((path) => resolve(from, path))
  return [...paths.filter((path) => !path.startsWith("./")), ...below]
}

/** The first of these paths that is a file inside the project, resolved like `placesOf`; from the root. */
export async function firstThere(
  root: string,
  paths: readonly string[],
  from: string,
): Promise<string | null> {
  for (const path of placesOf(paths, from)) {
    const there = await planFileAt(root, path)
    if (there !== null) return there.path
  }
  return null
}

/** The file at a path, under its one name, and when it was changed; null if there is none, or it is outside the project. */
export async function planFileAt(root: string, path: string) {
  const real = await planInRoot(root, path).catch(() => null)
  const found = real && (await stat(real.file).catch(() => null))
  return real && found?.isFile() ? { path: real.path, changed: found.mtimeMs } : null
}

/** The first place inside the project where a path may lead, existing or not, resolved like `placesOf`; null if none is inside. */
export async function firstInside(
  root: string,
  path: string,
  from: string,
): Promise<string | null> {
  for (const place of placesOf([path], from)) {
    const real = await planInRoot(root, place)
    if (real !== null) return real.path
  }
  return null
}

/** Whether the plan at a path from the root is certainly not there: one that cannot be looked at now may be. */
export async function isGone(root: string, path: string): Promise<boolean> {
  const real = await planInRoot(root, path)
  if (real === null) return false
  try {
    return !(await stat(real.file)).isFile()
  } catch (error) {
    return isMissing(error)
  }
}

/** Where plans found by name are kept, as seen from a folder: the full path if that folder is below the root. */
export function placeOfPlans({
  root,
  directory,
}: {
  readonly root: string
  readonly directory: string
}): string {
  const place = ".boulder/plans/<name>.md"
  return resolve(root) === resolve(directory) ? place : join(root, place)
}

/** What was found for a path that points outside the project, by its name or through a link, and what to do. */
export function whyOutside(root: string, path: string): readonly [found: string, action: string] {
  return pathBelow(root, join(root, path)) === null
    ? ["it is outside the project", "name a file below its root"]
    : ["it is behind a link that points outside the project", "put the file itself there"]
}

/** The path from `base` to a file below it; null for any other file, and for `base` itself. */
export function pathBelow(base: string, file: string): string | null {
  const path = relative(base, file)
  return path === "" || isAbsolute(path) || path.split(sep)[0] === ".." ? null : path
}
