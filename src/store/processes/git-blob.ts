// The id that git gives to a content, as SHA-1.
import { createHash, type Hash } from "node:crypto"
import { open } from "node:fs/promises"
import { openRegularBy } from "../disk/open-regular.ts"

const CHUNK_BYTES = 256 * 1_024

/** The hash of a blob of so many bytes, before its content. */
export function blobHash(bytes: number): Hash {
  return createHash("sha1").update(`blob ${bytes}\0`)
}

/** Completes the hash with the content of a file; cut off where the time is over. Throws what the file system throws. */
export async function hashOfFile(path: string, hash: Hash, signal: AbortSignal): Promise<string> {
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
