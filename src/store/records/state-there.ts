// Reads the state on disk for whoever only looks: nothing is restored, set aside or imported.
import { join } from "node:path"
import type { Boulder } from "../../boulder/boulder.ts"
import { hasBoulderFolder, readInside } from "../disk/boulder-folder.ts"
import { type FilePort, nodeFilePort } from "../disk/file-port.ts"
import { MAX_STATE_BYTES } from "../disk/size-limits.ts"
import { parseBoulderFile } from "../revisions/boulder-file.ts"

/** The text of `boulder.json`; null if there is none. Throws what the file system throws. */
export async function stateText(root: string, files: FilePort): Promise<string | null> {
  if (!(await hasBoulderFolder(files, root))) return null
  return readInside(files, root, join(root, ".boulder", "boulder.json"), MAX_STATE_BYTES)
}

/** The state; null if there is none, or none that can be read: whoever needs it reports that. */
export async function stateThere(root: string): Promise<Boulder | null> {
  const text = await stateText(root, nodeFilePort()).catch(() => null)
  const found = text === null ? null : parseBoulderFile(text)
  return found?.kind === "valid" ? found.boulder : null
}
