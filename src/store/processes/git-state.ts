// A text that changes when the work tree does.
import { createHash, type Hash } from "node:crypto"
import { lstat, open, readlink } from "node:fs/promises"
import { join } from "node:path"
import { openRegularBy } from "../disk/open-regular.ts"
import { git } from "./git-command.ts"

const TIME_LIMIT_MS = 2_000
const AT_ONCE = 16
const CHUNK_BYTES = 256 * 1_024
const OUTSIDE_STATE = ["--", ".", ":(exclude).boulder"]

/**
 * A text that changes when the content of the work tree changes, outside `.boulder/` and ignored files:
 * by content, not by time. With `without`, a file relative to the root that does not count, a commit changes nothing either.
 * Null in a folder without git, or when git takes longer than 2 s.
 */
export async function gitState(root: string, without?: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  return without === undefined
    ? stateBesideHead(root, deadline)
    : contentState(root, deadline, without)
}

async function stateBesideHead(root: string, deadline: AbortSignal): Promise<string | null> {
  const [tree, untracked] = await Promise.all([
    git(root, deadline, ["ls-tree", "-z", "HEAD"]),
    git(root, deadline, ["ls-files", "-z", "--others", "--exclude-standard", ...OUTSIDE_STATE]),
  ])
  if (untracked === null) return null
  const against = tree === null ? await emptyTree(root, deadline) : "HEAD"
  const [diff, contents] = await Promise.all([
    against === null ? null : diffAgainst(root, deadline, against),
    hashesOf(root, deadline, entriesOf(untracked)),
  ])
  if (diff === null || contents === null) return null
  const entries = entriesOf(tree ?? Buffer.alloc(0)).filter(
    (entry) => !entry.endsWith("\t.boulder"),
  )
  return shortHash([entries, contents], diff)
}

/** Each file with its mode and the id that git has for its content: the same before and behind `git add` and `git commit`. */
async function contentState(
  root: string,
  deadline: AbortSignal,
  without: string,
): Promise<string | null> {
  const outside = [...OUTSIDE_STATE, `:(exclude,literal)${without}`]
  const list = (...options: readonly string[]) =>
    git(root, deadline, ["ls-files", "-z", ...options, ...outside])
  const [index, changed] = await Promise.all([
    list("--stage"),
    list("--modified", "--others", "--exclude-standard"),
  ])
  if (index === null || changed === null) return null
  const names = new Set(entriesOf(changed))
  const contents = await hashesOf(root, deadline, [...names])
  if (contents === null) return null
  const kept = entriesOf(index).flatMap((entry) => {
    const at = entry.indexOf("\t")
    const name = entry.slice(at + 1)
    const [mode = "", id = ""] = entry.slice(0, at).split(" ")
    return names.has(name) ? [] : [`${name} ${mode} ${id}`]
  })
  return shortHash([...kept, ...contents.filter((one) => !one.endsWith(" ENOENT"))].toSorted())
}

function shortHash(entries: readonly unknown[], more: Uint8Array = new Uint8Array()): string {
  const hash = createHash("sha1").update(JSON.stringify(entries)).update(more)
  return hash.digest("hex").slice(0, 16)
}

function entriesOf(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "")
}

/** The id of the tree without files, in whichever hash the repository uses: what a first commit is compared with. */
async function emptyTree(root: string, deadline: AbortSignal): Promise<string | null> {
  const id = await git(root, deadline, ["hash-object", "-t", "tree", "--stdin"])
  return id?.toString("utf8").trim() ?? null
}

/** What differs from a tree, staged or not. The index is not refreshed, which would lock it for others. */
function diffAgainst(root: string, deadline: AbortSignal, tree: string): Promise<Buffer | null> {
  return git(root, deadline, [
    ...["-c", "diff.autoRefreshIndex=false", "diff", tree],
    ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary"],
    ...OUTSIDE_STATE,
  ])
}

/** Each name with the hash of what stands there; null when the time is over. */
async function hashesOf(
  root: string,
  deadline: AbortSignal,
  names: readonly string[],
): Promise<readonly string[] | null> {
  const hashes: string[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    if (deadline.aborted) return null
    const some = names.slice(start, start + AT_ONCE)
    const made = await Promise.all(some.map((name) => hashOf(join(root, name), deadline)))
    hashes.push(...some.map((name, index) => `${name} ${made[index]}`))
  }
  return deadline.aborted ? null : hashes
}

/** Mode and id as git has them; a link counts by where it points, a repository inside by its name alone. */
async function hashOf(path: string, deadline: AbortSignal): Promise<string> {
  try {
    const found = await lstat(path)
    if (found.isSymbolicLink()) {
      const target = await readlink(path)
      return `120000 ${blobHash(Buffer.byteLength(target)).update(target).digest("hex")}`
    }
    if (!found.isFile()) return ""
    const mode = (found.mode & 0o111) === 0 ? "100644" : "100755"
    return `${mode} ${await hashOfFile(path, blobHash(found.size), deadline)}`
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code)
    throw error
  }
}

function blobHash(bytes: number): Hash {
  return createHash("sha1").update(`blob ${bytes}\0`)
}

async function hashOfFile(path: string, hash: Hash, signal: AbortSignal): Promise<string> {
  const { handle } = await openRegularBy(open, path, "read")
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    while (!signal.aborted) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
      hash.update(chunk.subarray(0, bytesRead))
      if (bytesRead === 0) break
    }
    return hash.digest("hex")
  } finally {
    await handle.close()
  }
}
