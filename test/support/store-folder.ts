import { rm } from "node:fs/promises"
import { temporaryFolder } from "./temporary-folder.ts"

/** Runs with a fresh folder, which is removed afterwards. */
export async function withFolder<Result>(
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder("store")
  try {
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
