// Loaded before every test file, and by all that makes folders elsewhere: what a process puts into its folder for temporary files goes with it, however it ends.
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, openSync, realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"

/** A pipe that a process holds open for as long as it runs. */
const ALIVE = "alive"
/**
 * Waits for the end of that process, in a session of its own: bun ends the children of a test that takes too long, and a
 * runner whole process groups. What the process has started may write for a moment longer.
 */
const REMOVE = `trap "" INT
exec 3<"$1/${ALIVE}"
$(command -v setsid) sh -c 'read -r _ <&3; rm -rf -- "$1"; sleep 2; rm -rf -- "$1"' sh "$1" &`

const given = realpathSync(tmpdir())
/** A program that a test starts shares the test's. */
const own = existsSync(join(given, ALIVE)) ? given : makeOwn()
process.env["TMPDIR"] = own

/** Makes a folder that is removed with this process: before that only by whoever fills many. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(own, `${name}-`))
}

/** Makes a folder that stays, for a person to look at. */
export function keptFolder(name: string): string {
  return mkdtempSync(join(given, `boulder-${name}-`))
}

function makeOwn(): string {
  const folder = mkdtempSync(join(given, "boulder-"))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  execFileSync("mkfifo", [join(folder, ALIVE)])
  openSync(join(folder, ALIVE), "r+")
  execFileSync("sh", ["-c", REMOVE, "sh", folder], { stdio: "ignore" })
  return folder
}
