// The path without links.
import { join, parse, resolve, sep } from "node:path"
import { readlink, realpath } from "./quick-files.ts"
import { errnoOf } from "./store-error.ts"

/** The path without links; the path itself when nothing is there. */
export async function realPathOrSelf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return path
    throw error
  }
}

const MAX_LINKS = 40

/**
 * The path without links, as far as it exists: a new file may stand behind a link, or be what a link points at. `path` is
 * absolute. What stands behind the first name that is missing is not looked for, and of all links together at most 40 are
 * followed that lead to nothing: the time grows with the path, however long it is.
 */
export async function deepRealPath(path: string, links = { left: MAX_LINKS }): Promise<string> {
  const whole = await realpath(path).catch(() => null)
  if (whole !== null) return whole
  const { root } = parse(path)
  const names = path.slice(root.length).split(sep).filter(Boolean)
  let real = root
  for (const [at, name] of names.entries()) {
    const here = join(real, name)
    const next = await realpath(here).catch(() => null)
    if (next === null) {
      const target = links.left > 0 ? await readlink(here).catch(() => null) : null
      if (target === null) return behindMissing(here, names.slice(at + 1), links)
      links.left -= 1
      real = await deepRealPath(resolve(real, target), links)
    } else real = next
  }
  return real
}

/** What leads back out of a missing folder is taken as text, as the hosts take it, and looked at from there. */
function behindMissing(
  missing: string,
  names: readonly string[],
  links: { left: number },
): string | Promise<string> {
  const rest = join(missing, names.join(sep))
  return names.includes("..") ? deepRealPath(rest, links) : rest
}
