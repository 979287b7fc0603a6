// Finds the name by which a write is judged, whatever links lead to the file.
import { isAbsolute, join, relative, resolve, sep } from "node:path"
import { deepRealPath } from "../disk/real-path.ts"

const OURS = ".boulder"
const PLANS = ".boulder/plans"

/** A path in a call of a writing tool, as the host takes it: relative to `directory`, or absolute. */
interface Written {
  readonly root: string
  readonly directory: string
  readonly path: string
  /** The plan of the writer's work, relative to the root. */
  readonly planPath: string
}

/** A folder by its path and its path without links, and the name of its files. */
interface NamedFolder {
  readonly paths: readonly string[]
  readonly name: string
}

/**
 * The name by which a write is judged, whatever links lead to the file and however its path is written: the plan's own path for the plan,
 * `.boulder/…` for everything else in our folder, else the path relative to the root, with `/`, or the absolute path outside it. If several
 * apply, the most serious: our state, then the plan, then another plan.
 */
export async function writtenName({ root, directory, path, planPath }: Written): Promise<string> {
  const full = isAbsolute(path) ? path : join(directory, path)
  // The host resolves some paths as text and leaves others, with their `..`, to the file system.
  const taken = [...new Set([full, resolve(full)])]
  const files = [...(await Promise.all(taken.map((one) => deepRealPath(one)))), resolve(full)]
  const folderAt = async (at: string, name: string): Promise<NamedFolder> => {
    const folder = join(root, at)
    return { paths: [folder, await deepRealPath(folder)], name }
  }
  const folders = [await folderAt(PLANS, PLANS), await folderAt(OURS, OURS), await folderAt("", "")]
  const names = files.map((file) => nameIn(folders, file))
  const state = names.find((name) => isOurs(name) && !isPlan(name))
  if (state !== undefined) return state
  const plan = await folderAt(planPath, planPath)
  if (files.some((file) => plan.paths.includes(file))) return planPath
  return names.find(isPlan) ?? names[0] ?? full
}

/** The name that the first matching folder gives; the file's own path outside all of them. */
function nameIn(folders: readonly NamedFolder[], file: string): string {
  for (const { paths, name } of folders)
    for (const folder of paths) {
      const rest = relative(folder, file)
      if (isAbsolute(rest) || rest.split(sep)[0] === ".." || (rest === "" && name !== OURS))
        continue
      return unfolded([name, ...rest.split(sep)].filter((part) => part !== "").join("/"))
    }
  return file
}

/** File systems of macOS and Windows take `.BOULDER` and `.boulder.` for our folder, so we do on every system. */
function unfolded(name: string): string {
  const [first = "", second = "", ...rest] = name.split("/")
  if (folded(first) !== OURS) return name
  const next = `${OURS}/${folded(second)}` === PLANS ? folded(second) : second
  return [OURS, next, ...rest].filter((part) => part !== "").join("/")
}

function folded(part: string): string {
  return part.toLowerCase().replace(/[. ]+$/, "")
}

function isOurs(name: string): boolean {
  return name === OURS || name.startsWith(`${OURS}/`)
}

function isPlan(name: string): boolean {
  return name.startsWith(`${PLANS}/`)
}
