// Finds the plans of a project, newest first.
import { opendir, realpath, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import ignore, { type Ignore } from "ignore"
import type { Work } from "../../boulder/boulder.ts"
import { FORMATS } from "../../plan/formats.ts"
import { nodeFilePort } from "../disk/file-port.ts"
import { stat as statAtOnce } from "../disk/quick-files.ts"
import { MAX_IGNORE_BYTES } from "../disk/size-limits.ts"
import { planFileAt } from "./plan-path.ts"

/** How far to look: entries of folders, milliseconds, plans. */
export interface SearchLimits {
  readonly entries: number
  readonly ms: number
  readonly plans: number
}

const LIMITS: SearchLimits = { entries: 2_000, ms: 1_000, plans: 500 }
const MAX_IGNORE_FILE = 65_536
const NEVER = ["node_modules", ".git"]

type Begun = Pick<Work, "active_plan">
/** The works of a state or of a list. */
interface BegunWorks {
  readonly works: Readonly<Record<string, Begun>> | readonly Begun[]
}

/** The plans that were found. */
export interface FoundPlans {
  /** Relative to the root, without links, newest first. */
  readonly paths: readonly string[]
  /** Whether a limit ended the search, so that there may be more. */
  readonly isCut: boolean
}

interface FolderEntry {
  readonly name: string
  readonly isFile: boolean
  readonly isFolder: boolean
  readonly isLink: boolean
}

interface Search {
  readonly root: string
  /** Folders that a `*` or `**` does not enter. */
  readonly ignored: Ignore
  readonly listed: Map<string, readonly FolderEntry[]>
  /** By `performance.now()`. Our own folder is read however long that takes, so that a busy machine hides none of its plans. */
  deadline: number
  left: number
  /** Whether something was left out. */
  isCut: boolean
}

/**
 * The plans of a project. Looks where the formats say that their plans lie, and never beyond the limits: what is not found by then must be
 * named by its path. A `*` does not enter folders that `.gitignore` names; a path that the table names in full is looked at all the same,
 * since people keep their plans out of git. Plans of the works in `begun` are included wherever they lie: a plan that was started by its
 * path is known by its name from then on.
 */
export async function findPlans(
  root: string,
  begun: BegunWorks | null,
  given: Partial<SearchLimits> = {},
): Promise<FoundPlans> {
  const limits = { ...LIMITS, ...given }
  const base = await realpath(root).catch(() => null)
  if (base === null) return { paths: [], isCut: false }
  const search: Search = {
    root: base,
    ignored: await ignoredFolders(base),
    listed: new Map(),
    deadline: Number.POSITIVE_INFINITY,
    left: limits.entries,
    isCut: false,
  }
  const found = new Map((await begunPlans(search, begun)).map((plan) => [plan.path, plan]))
  for (const pattern of patternsInOrder()) {
    if (!isOwn(pattern)) search.deadline = Math.min(search.deadline, performance.now() + limits.ms)
    for (const path of await matchesOf(search, pattern.split("/"), "")) {
      if (isOver(search, found.size >= limits.plans)) break
      const plan = await planAt(search, path)
      if (plan !== null) found.set(plan.path, plan)
    }
  }
  const newest = [...found.values()].sort((one, other) => other.changed - one.changed)
  return { paths: newest.map(({ path }) => path), isCut: search.isCut }
}

/** The plans of the existing works. */
async function begunPlans(search: Search, begun: BegunWorks | null) {
  const works = Object.values(begun?.works ?? {})
  const plans = await Promise.all(works.map(({ active_plan }) => planAt(search, active_plan)))
  return plans.filter((plan) => plan !== null)
}

/** Our own folder first, then files that are named in full; last what leads through a tree, since it may use up all that is left. */
function patternsInOrder(): readonly string[] {
  const rank = (pattern: string) => (isOwn(pattern) ? 0 : pattern.split("*").length)
  return FORMATS.flatMap((format) => format.patterns).sort((one, other) => rank(one) - rank(other))
}

function isOwn(pattern: string): boolean {
  return pattern.startsWith(".boulder/")
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
    if (!isFolder || isIgnored(search, below + name) || !isMatch(name, head)) continue
    paths.push(...(await matchesOf(search, rest, `${below}${name}/`)))
  }
  return paths
}

/** Links are not followed here: they may lead in a circle. */
async function matchesInTree(
  search: Search,
  pattern: string,
  below: string,
): Promise<readonly string[]> {
  const entries = await entriesOf(search, below)
  const paths = [...filesLike(entries, pattern, below)]
  for (const { name, isFolder, isLink } of entries) {
    if (!isFolder || isLink || isIgnored(search, below + name)) continue
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

/** The entries of a folder, as far as the limits allow, and at most half of what is left: one full folder must not hide the rest. */
async function entriesOf(search: Search, below: string): Promise<readonly FolderEntry[]> {
  const known = search.listed.get(below)
  if (known !== undefined) return known
  const entries = await readEntries(search, join(search.root, below)).catch(() => [])
  search.listed.set(below, entries)
  return entries
}

async function readEntries(search: Search, folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  if (isOver(search, search.left <= 0) || !(await isThere(folder))) return entries
  const kept = Math.floor(search.left / 2)
  for await (const entry of await opendir(folder)) {
    if (isOver(search, search.left <= kept)) break
    search.left -= 1
    const isLink = entry.isSymbolicLink()
    const target = isLink ? await stat(join(folder, entry.name)).catch(() => null) : entry
    entries.push({
      name: entry.name,
      isFile: target?.isFile() ?? false,
      isFolder: target?.isDirectory() ?? false,
      isLink,
    })
  }
  return entries
}

/** Whether the search ends here; asked only if there is more to look at. */
function isOver(search: Search, isSpent = false): boolean {
  const isCut = isSpent || performance.now() > search.deadline
  search.isCut ||= isCut
  return isCut
}

/** Done synchronously instead of in a thread. */
function isThere(path: string): Promise<boolean> {
  return statAtOnce(path).then(
    () => true,
    () => false,
  )
}

async function planAt({ root }: Search, path: string) {
  return (await isThere(resolve(root, path))) ? planFileAt(root, path) : null
}

/** Folders that are never entered, and those in the project's own `.gitignore`. */
async function ignoredFolders(root: string): Promise<Ignore> {
  const file = join(root, ".gitignore")
  const text = await nodeFilePort()
    .readText(file, MAX_IGNORE_BYTES)
    .catch(() => null)
  return ignore({ ignoreCase: false })
    .add((text ?? "").slice(0, MAX_IGNORE_FILE))
    .add(NEVER)
}

function isIgnored({ ignored }: Search, folder: string): boolean {
  return ignored.ignores(`${folder}/`)
}

function isMatch(name: string, pattern: string): boolean {
  const [start = "", end] = pattern.split("*")
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end)
}
