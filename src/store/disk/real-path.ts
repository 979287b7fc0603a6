// The path without links.
import { readlink, realpath } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
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

/** The path without links, as far as it exists: a new file may stand behind a link, or be what a link points at. */
export async function deepRealPath(path: string, links = 0): Promise<string> {
  const above = dirname(path)
  const real = await realpath(path).catch(() => null)
  if (real !== null || above === path) return real ?? path
  const here = join(await deepRealPath(above, links), basename(path))
  const target = links < MAX_LINKS ? await readlink(here).catch(() => null) : null
  return target === null ? here : deepRealPath(resolve(dirname(here), target), links + 1)
}
