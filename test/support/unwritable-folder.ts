import { execFileSync } from "node:child_process"
import { chmod } from "node:fs/promises"
import process from "node:process"

/** Runs something while nobody can write into a folder. For root, whom no mode stops, it is mounted read-only. */
export async function withUnwritable(folder: string, run: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    runProgram("mount", "--bind", folder, folder)
    runProgram("mount", "-o", "remount,ro,bind", folder)
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
