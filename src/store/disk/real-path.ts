// Resolves the links in a path.
import { join, parse, resolve, sep } from "node:path"
import { readlink, realpath } from "./quick-files.ts"
import { errnoOf } from "./store-error.ts"

/** The path without links; the path itself if nothing is there. */
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
 * The path without links, as far as it exists: a new file may be behind a link, or be what a link points at. `path` is absolute. Nothing
 * after the first missing name is looked up, and at most 40 links that lead nowhere are followed in all, so the time grows only with the
 * length of the path.
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

/** What leads back out of a missing folder is resolved as text, as the hosts do, and looked up from there. */
function behindMissing(
  missing: string,
  names: readonly string[],
  links: { left: number },
): string | Promise<string> {
  const rest = join(missing, names.join(sep))
  return names.includes("..") ? deepRealPath(rest, links) : rest
}
