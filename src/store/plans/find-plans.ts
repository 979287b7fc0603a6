// The plans of a project, newest first.
import { opendir, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { FORMATS } from "../../plan/formats.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { MAX_IGNORE_BYTES } from "../disk/size-limits.ts"
import { errnoOf } from "../disk/store-error.ts"
import { planInRoot } from "./plan-path.ts"

/** How far is looked: entries of folders, milliseconds, plans. */
export interface SearchLimits {
  readonly entries: number
  readonly ms: number
  readonly plans: number
}

const LIMITS: SearchLimits = { entries: 2_000, ms: 200, plans: 500 }
const MAX_IGNORE_FILE = 65_536
const NEVER = ["node_modules", ".git"]

interface FolderEntry {
  readonly name: string
  readonly isFile: boolean
  readonly isFolder: boolean
  readonly isLink: boolean
}

interface Search {
  readonly root: string
  /** Folders that a `*` or `**` does not lead into. */
  readonly ignored: ReadonlySet<string>
  readonly listed: Map<string, readonly FolderEntry[]>
  readonly deadline: number
  left: number
}

interface Found {
  readonly path: string
  readonly changed: number
}

/**
 * Paths of the plans of a project, relative to its root, without links, the newest first. Looks where the formats say
 * that their plans lie, and never further than the limits: what is not found by then is named by its path. A `*` does
 * not lead into folders that `.gitignore` names; a path that the table names whole is looked at all the same, since
 * people keep their plans out of git.
 */
export async function findPlans(
  root: string,
  limits: SearchLimits = LIMITS,
): Promise<readonly string[]> {
  const base = await realpath(root).catch(() => null)
  if (base === null) return []
  const search: Search = {
    root: base,
    ignored: await ignoredFolders(base),
    listed: new Map(),
    deadline: performance.now() + limits.ms,
    left: limits.entries,
  }
  const found = new Map<string, Found>()
  for (const pattern of patternsInOrder()) {
    for (const path of await matchesOf(search, pattern.split("/"), "")) {
      const plan = found.size < limits.plans ? await planAt(search, path) : null
      if (plan !== null) found.set(plan.path, plan)
    }
  }
  const newest = [...found.values()].sort((one, other) => other.changed - one.changed)
  return newest.map(({ path }) => path)
}

/** Those that lead through a whole tree last: they may take all that is left. */
function patternsInOrder(): readonly string[] {
  const patterns = FORMATS.flatMap((format) => format.patterns)
  const isTree = (pattern: string) => pattern.includes("**")
  return [...patterns.filter((pattern) => !isTree(pattern)), ...patterns.filter(isTree)]
}

async function matchesOf(
  search: Search,
  [head = "", ...rest]: readonly string[],
  below: string,
): Promise<readonly string[]> {
  if (head === "**") return matchesInTree(search, rest[0] ?? "*", below)
  if (!head.includes("*"))
    return rest.length === 0 ? [below + head] : matchesOf(search, rest, `${below}${head}/`)
  const entries = await entriesOf(search, below)
  if (rest.length === 0) return filesLike(entries, head, below)
  const paths: string[] = []
  for (const { name, isFolder } of entries) {
    if (!isFolder || search.ignored.has(name) || !isMatch(name, head)) continue
    paths.push(...(await matchesOf(search, rest, `${below}${name}/`)))
  }
  return paths
}

/** Links are not followed here: one may lead in a circle. */
async function matchesInTree(
  search: Search,
  pattern: string,
  below: string,
): Promise<readonly string[]> {
  const entries = await entriesOf(search, below)
  const paths = [...filesLike(entries, pattern, below)]
  for (const { name, isFolder, isLink } of entries) {
    if (!isFolder || isLink || search.ignored.has(name)) continue
    paths.push(...(await matchesInTree(search, pattern, `${below}${name}/`)))
  }
  return paths
}

function filesLike(
  entries: readonly FolderEntry[],
  pattern: string,
  below: string,
): readonly string[] {
  const files = entries.filter(({ name, isFile }) => isFile && isMatch(name, pattern))
  return files.map(({ name }) => below + name)
}

/** The entries of a folder, as far as the limits allow, and half of them at most: one full folder must not hide the rest. */
async function entriesOf(search: Search, below: string): Promise<readonly FolderEntry[]> {
  const known = search.listed.get(below)
  if (known !== undefined) return known
  const entries = await readEntries(search, join(search.root, below)).catch((error: unknown) => {
    if (errnoOf(error) === undefined) throw error
    return []
  })
  search.listed.set(below, entries)
  return entries
}

async function readEntries(search: Search, folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  if (isOver(search)) return entries
  const kept = Math.floor(search.left / 2)
  for await (const entry of await opendir(folder)) {
    search.left -= 1
    const isLink = entry.isSymbolicLink()
    const target = isLink ? await stat(join(folder, entry.name)).catch(() => null) : entry
    entries.push({
      name: entry.name,
      isFile: target?.isFile() ?? false,
      isFolder: target?.isDirectory() ?? false,
      isLink,
    })
    if (isOver(search) || search.left < kept) break
  }
  return entries
}

function isOver({ left, deadline }: Search): boolean {
  return left <= 0 || performance.now() > deadline
}

/** The plan by its one name; null for what is no file, and for one outside the project. */
async function planAt({ root }: Search, path: string): Promise<Found | null> {
  const real = await planInRoot(root, path).catch(() => null)
  const found = real === null ? null : await stat(real.file).catch(() => null)
  if (real === null || found === null || !found.isFile()) return null
  return { path: real.path, changed: found.mtimeMs }
}

/** Folders that are never looked into, with those that the project's `.gitignore` names by a name alone. */
async function ignoredFolders(root: string): Promise<ReadonlySet<string>> {
  const file = join(root, ".gitignore")
  const text =
    (await nodeFilePort()
      .readText(file, MAX_IGNORE_BYTES)
      .catch(() => null)) ?? ""
  const lines = text.slice(0, MAX_IGNORE_FILE).split(/\r?\n/)
  const names = lines.flatMap((line) => /^([\w.@-]+)\/?[ \t]*$/.exec(line)?.[1] ?? [])
  const kept = new Set(lines.flatMap((line) => /^!([\w.@-]+)\/?[ \t]*$/.exec(line)?.[1] ?? []))
  return new Set([...NEVER, ...names.filter((name) => !kept.has(name))])
}

function isMatch(name: string, pattern: string): boolean {
  const [start = "", end] = pattern.split("*")
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end)
}
