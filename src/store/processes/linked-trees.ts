// Finds the linked work trees of a repository that stand below its root.
import { readdir, realpath } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve } from "node:path"
import { readForeignText } from "../disk/read-foreign-text.ts"

/** The work trees of this repository that stand below `root`, as git names a folder. It says nothing of one that it ignores. None if `root` is no repository's top. */
export async function linkedTrees(root: string): Promise<readonly string[]> {
  const folder = join(root, ".git/worktrees")
  const known = await readdir(folder).catch(() => [])
  if (known.length === 0) return []
  const top = await realpath(root)
  const paths = known.map(async (name) => {
    const text = await readForeignText(join(folder, name, "gitdir"))
    return text === null ? "" : relative(top, dirname(resolve(folder, name, text.trim())))
  })
  const isBelow = (path: string) => path !== "" && !path.startsWith("..") && !isAbsolute(path)
  return (await Promise.all(paths)).filter(isBelow).map((path) => `${path}/`)
}
