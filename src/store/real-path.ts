import { realpath } from "node:fs/promises"
import { errnoOf } from "./store-error.ts"

/** The path without links; the path itself when nothing is there. */
export async function realPathOrSelf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return path
    throw error
  }
}
