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
 * by content, not by time; and outside the file `without`, relative to the root, as long as that is not committed. Null in a
 * folder without git, or when git takes longer than 2 s.
 */
export async function gitState(root: string, without?: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  const outside = [
    ...OUTSIDE_STATE,
    ...(without === undefined ? [] : [`:(exclude,literal)${without}`]),
  ]
  const [tree, untracked] = await Promise.all([
    git(root, deadline, ["ls-tree", "-z", "HEAD"]),
    git(root, deadline, ["ls-files", "-z", "--others", "--exclude-standard", ...outside]),
  ])
  if (untracked === null) return null
  const against = tree === null ? await emptyTree(root, deadline) : "HEAD"
  const [diff, contents] = await Promise.all([
    against === null ? null : diffAgainst(root, deadline, [against, outside]),
    hashesOf(root, deadline, entriesOf(untracked)),
  ])
  if (diff === null || contents === null) return null
  const entries = entriesOf(tree ?? Buffer.alloc(0)).filter(
    (entry) => !entry.endsWith("\t.boulder"),
  )
  const hash = createHash("sha1")
    .update(JSON.stringify([entries, contents]))
    .update(diff)
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
function diffAgainst(
  root: string,
  deadline: AbortSignal,
  [tree, outside]: readonly [string, readonly string[]],
): Promise<Buffer | null> {
  return git(root, deadline, [
    ...["-c", "diff.autoRefreshIndex=false", "diff", tree],
    ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary"],
    ...outside,
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

/** A link counts by where it points, a repository inside by its name alone. */
async function hashOf(path: string, deadline: AbortSignal): Promise<string> {
  try {
    const found = await lstat(path)
    if (found.isSymbolicLink()) return `-> ${await readlink(path)}`
    return found.isFile() ? await hashOfFile(path, deadline) : ""
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code)
    throw error
  }
}

async function hashOfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash: Hash = createHash("sha1")
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
