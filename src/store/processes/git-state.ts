// A text that changes when the work tree does.
import { createHash } from "node:crypto"
import { lstatSync } from "node:fs"
import { readlink } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { forgetOldest } from "../disk/forget-oldest.ts"
import { blobHash, hashOfFile } from "./git-blob.ts"
import { git, isInRepository } from "./git-command.ts"
import { linkedTrees } from "./linked-trees.ts"

const TIME_LIMIT_MS = 2_000
const AT_ONCE = 16
const OUTSIDE_STATE = ["--", ".", ":(exclude).boulder"]
/** Files whose content is not read again. */
const MAX_KNOWN = 50_000
/** States whose files are remembered, and the files of one. */
const MAX_STATES = 6
const MAX_FILES = 20_000
/** Repositories inside that are looked into. */
const MAX_INSIDE = 4
/** Files that two states may differ in to be named. */
const MAX_MOVED = 100
/** A file that was written so shortly before it was read may be written again within the same tick of its clock. */
const RACY_MS = 2_000

/** What is kept from one look at a work tree to the next. */
interface Seen {
  /** What the last commit has in this folder, and where the folder lies in its repository. */
  head: {
    readonly commit: string
    readonly tree: readonly string[]
    readonly prefix: string
  } | null
  /** By its name: what a file was known by as its content was hashed, and the hash. */
  readonly hashes: Map<string, { readonly stat: string; readonly hash: string }>
  /** The files of the states that were given last, each with its mode and id. */
  readonly states: Map<string, readonly string[]>
  /** By its name: what is kept of a repository inside. Null for such a one: it is not searched for others. */
  readonly inside: Map<string, Seen> | null
}

/** What git says of a work tree. */
export interface GitState {
  /** A text that changes with the tree's content; null where git does not tell. `without`: a file that does not count. */
  readonly tree: (without?: string) => Promise<string | null>
  /** The files, relative to the root, in which two such texts differ, both of them `without` one; null where that is not remembered, or too many. */
  readonly moved: (before: string, after: string) => readonly string[] | null
}

/**
 * `tree` gives a text that changes when the content of the work tree changes, outside `.boulder/` and ignored files: by content,
 * not by time. With `without`, a file relative to the root that does not count, a commit changes nothing either. Null in a
 * folder without git, or when git takes longer than 2 s. One process each time, two more behind a new commit, none where no folder
 * above is a repository; a file is not read again while its size and times stand.
 */
export function openGitState(root: string): GitState {
  const seen = nothingSeen(new Map())
  return {
    async tree(without) {
      const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
      if (!(await isInRepository(root, deadline))) return null
      return without === undefined
        ? stateBesideHead(root, deadline, seen)
        : contentState(root, deadline, without, seen)
    },
    moved(before, after) {
      const [from, to] = [before, after].map((state) => seen.states.get(state))
      if (from === undefined || to === undefined) return null
      const known = new Set(from)
      const now = new Set(to)
      const others = [
        ...from.filter((one) => !now.has(one)),
        ...to.filter((one) => !known.has(one)),
      ]
      const names = [...new Set(others.map((one) => one.replace(ID, "")))]
      return names.length > MAX_MOVED ? null : names
    },
  }
}

function nothingSeen(inside: Seen["inside"]): Seen {
  return { head: null, hashes: new Map(), states: new Map(), inside }
}

/** What stands behind a file's name in a state. */
const ID = / (?:\d{6} [0-9a-f]{40,64}|\w*)$/

async function stateBesideHead(
  root: string,
  deadline: AbortSignal,
  seen: Seen,
): Promise<string | null> {
  const status = await git(root, deadline, [
    ...["status", "--porcelain=v2", "--branch", "-z", "--no-renames"],
    ...["--untracked-files=all", "--ignore-submodules=none", ...OUTSIDE_STATE],
  ])
  if (status === null) return null
  const lines = entriesOf(status)
  const commit = lines.find((line) => line.startsWith(COMMIT))?.slice(COMMIT.length) ?? NO_COMMIT
  if (seen.head?.commit !== commit) seen.head = await headOf(root, deadline, commit)
  if (seen.head === null) return null
  const { tree, prefix } = seen.head
  const told = lines.flatMap((line) => {
    const fields = FIELDS[line[0] ?? ""]
    return fields === undefined ? [] : [afterFields(line, fields).slice(prefix.length)]
  })
  const names = [...new Set([...told, ...(await linkedTrees(root))])]
  const contents = await hashesOf(root, deadline, names.toSorted(), seen)
  return contents === null ? null : shortHash([tree, contents])
}

const COMMIT = "# branch.oid "
const NO_COMMIT = "(initial)"
/** How many fields stand before the name in a line of `git status --porcelain=v2`, by what the line begins with. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 }

function afterFields(line: string, fields: number): string {
  let at = 0
  for (let field = 0; field < fields; field++) at = line.indexOf(" ", at) + 1
  return line.slice(at)
}

async function headOf(root: string, deadline: AbortSignal, commit: string): Promise<Seen["head"]> {
  const [tree, prefix] = await Promise.all([
    commit === NO_COMMIT ? Buffer.alloc(0) : git(root, deadline, ["ls-tree", "-z", commit]),
    git(root, deadline, ["rev-parse", "--show-prefix"]),
  ])
  if (tree === null || prefix === null) return null
  const entries = entriesOf(tree).filter((entry) => !entry.endsWith("\t.boulder"))
  return { commit, tree: entries, prefix: prefix.toString("utf8").replace(/\n$/, "") }
}

/** Each file with its mode and the id that git has for its content: the same before and behind `git add` and `git commit`. */
async function contentState(
  root: string,
  deadline: AbortSignal,
  without: string | null,
  seen: Seen,
): Promise<string | null> {
  const outside = [...OUTSIDE_STATE, ...(without === null ? [] : [`:(exclude,literal)${without}`])]
  const listed = await git(root, deadline, [
    ...["ls-files", "-z", "-t", "--stage", "--modified", "--others", "--exclude-standard"],
    ...outside,
  ])
  if (listed === null) return null
  const [index, changed]: [string[], Set<string>] = [[], new Set()]
  for (const line of entriesOf(listed)) {
    if (line.startsWith("? ")) changed.add(line.slice(2))
    else if (line.startsWith("C ")) changed.add(line.slice(line.indexOf("\t") + 1))
    else index.push(line.slice(2))
  }
  const contents = await hashesOf(root, deadline, [...changed], seen)
  if (contents === null) return null
  const kept = index.flatMap((entry) => {
    const at = entry.indexOf("\t")
    const name = entry.slice(at + 1)
    const [mode = "", id = ""] = entry.slice(0, at).split(" ")
    return changed.has(name) ? [] : [`${name} ${mode} ${id}`]
  })
  const entries = [...kept, ...contents.filter((one) => !one.endsWith(" ENOENT"))].toSorted()
  const state = shortHash(entries)
  seen.states.delete(state)
  if (entries.length <= MAX_FILES) seen.states.set(state, entries)
  forgetOldest(seen.states, MAX_STATES)
  return state
}

function shortHash(entries: readonly unknown[]): string {
  return createHash("sha1").update(JSON.stringify(entries)).digest("hex").slice(0, 16)
}

function entriesOf(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
}

/** Each name with the hash of what stands there; null when the time is over. */
async function hashesOf(
  root: string,
  deadline: AbortSignal,
  names: readonly string[],
  seen: Seen,
): Promise<readonly string[] | null> {
  const hashes: string[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    if (deadline.aborted) return null
    // The host has its turn in between.
    if (start % (64 * AT_ONCE) === 0) await setImmediate()
    const some = names.slice(start, start + AT_ONCE)
    const made = await Promise.all(some.map((name) => hashOf(root, name, deadline, seen)))
    hashes.push(...some.map((name, index) => `${name} ${made[index]}`))
  }
  forgetOldest(seen.hashes, MAX_KNOWN)
  return deadline.aborted ? null : hashes
}

/** Mode and id as git has them; a link counts by where it points, a repository inside by its own content. */
async function hashOf(
  root: string,
  name: string,
  deadline: AbortSignal,
  { hashes, inside }: Seen,
): Promise<string> {
  const path = join(root, name)
  try {
    // git has just asked for the same in a process of its own: a tree that hangs is not come to.
    const found = lstatSync(path)
    const stat = `${found.ino} ${found.size} ${found.mode} ${found.mtimeMs} ${found.ctimeMs}`
    const known = hashes.get(name)
    if (known?.stat === stat) return known.hash
    if (found.isSymbolicLink()) {
      const target = await readlink(path)
      return `120000 ${blobHash(Buffer.byteLength(target)).update(target).digest("hex")}`
    }
    if (found.isDirectory() && inside !== null) return stateInside(path, name, deadline, inside)
    if (!found.isFile()) return ""
    const mode = (found.mode & 0o111) === 0 ? "100644" : "100755"
    const hash = `${mode} ${await hashOfFile(path, blobHash(found.size), deadline)}`
    const isRacy = elapsedMs(Math.max(found.mtimeMs, found.ctimeMs), Date.now()) < RACY_MS
    if (!isRacy && !deadline.aborted) hashes.set(name, { stat, hash })
    return hash
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code)
    throw error
  }
}

/** Each is a process of its own: of more, the name alone counts. */
async function stateInside(
  path: string,
  name: string,
  deadline: AbortSignal,
  inside: Map<string, Seen>,
): Promise<string> {
  const seen = inside.get(name) ?? nothingSeen(null)
  if (!inside.has(name) && inside.size >= MAX_INSIDE) return ""
  inside.set(name, seen)
  return (await contentState(path, deadline, null, seen)) ?? ""
}
