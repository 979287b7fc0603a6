import { execFileSync } from "node:child_process"
import { chmod, copyFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { temporaryFolder } from "./temporary-folder.ts"

/**
 * Runs something while nobody can write into a folder. For root, whom no mode stops, it is mounted read-only. The file `except` in it can
 * still be written in place.
 */
export async function withUnwritable(
  folder: string,
  run: () => Promise<void>,
  except?: string,
): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    runProgram("mount", "--bind", folder, folder)
    runProgram("mount", "-o", "remount,ro,bind", folder)
    if (except !== undefined) {
      const own = join(temporaryFolder("except"), "file")
      await copyFile(except, own)
      runProgram("mount", "--bind", own, except)
    }
  } else await chmod(folder, 0o555)
  try {
    await run()
  } finally {
    if (isRoot) runProgram("umount", "-l", folder)
    else await chmod(folder, 0o755)
  }
}

function runProgram(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: "pipe" })
}
