import { spawn } from "node:child_process"
import { createHash } from "node:crypto"

const TIME_LIMIT_MS = 2_000
const OUTSIDE_STATE = ["--", ".", ":(exclude).boulder"]

/**
 * A text that changes when the content of the work tree changes, outside `.boulder/` and ignored files:
 * by content, not by time. Null in a folder without git, or when git takes longer than 2 s.
 */
export async function gitState(root: string): Promise<string | null> {
  const deadline = AbortSignal.timeout(TIME_LIMIT_MS)
  const [tree, untracked] = await Promise.all([
    git(root, deadline, ["rev-parse", "-q", "--verify", "HEAD^{tree}"]),
    git(root, deadline, ["ls-files", "-z", "--others", "--exclude-standard", ...OUTSIDE_STATE]),
  ])
  if (untracked === null) return null
  const against = tree === null ? [] : ["HEAD"]
  const names = untracked
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.includes("\n"))
  const [diff, hashes] = await Promise.all([
    git(root, deadline, [
      "diff",
      ...against,
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--binary",
      ...OUTSIDE_STATE,
    ]),
    names.length === 0
      ? Buffer.alloc(0)
      : git(
          root,
          deadline,
          ["hash-object", "--no-filters", "--stdin-paths"],
          `${names.join("\n")}\n`,
        ),
  ])
  if (diff === null || hashes === null) return null
  const hash = createHash("sha1")
    .update(tree ?? "unborn")
    .update(diff)
    .update(names.join("\0"))
    .update(hashes)
  return hash.digest("hex").slice(0, 16)
}

/** The output of a git command, or null when it fails, is missing, or runs out of time. */
function git(
  root: string,
  signal: AbortSignal,
  args: readonly string[],
  input = "",
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const child = spawn("git", ["-C", root, "-c", "core.fsmonitor=false", ...args], {
      signal,
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" },
    })
    const chunks: Buffer[] = []
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
    child.on("error", () => resolve(null))
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(chunks) : null))
    child.stdin.on("error", () => resolve(null))
    child.stdin.end(input)
  })
}
