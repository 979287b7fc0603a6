// Reads a text that others keep, such as a configuration.
import { onRegular, readBounded } from "./open-regular.ts"
import { realPathOrSelf } from "./real-path.ts"

const MAX_BYTES = 4 * 1_024 * 1_024

/**
 * The text of somebody else's file, without its byte order mark, through links, and without waiting for a pipe in its place; null if no
 * file can be read there, or if it has more than 4 MB.
 */
export async function readForeignText(path: string): Promise<string | null> {
  try {
    return await onRegular(await realPathOrSelf(path), "read", async (file) =>
      new TextDecoder().decode(await readBounded(file, path, MAX_BYTES)),
    )
  } catch {
    return null
  }
}
