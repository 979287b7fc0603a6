// The revisions published in `.boulder/`.
import { join } from "node:path"
import { readInside } from "../disk/boulder-folder.ts"
import type { FilePort } from "../disk/file-port.ts"
import { MAX_STATE_BYTES } from "../disk/size-limits.ts"
import type { WriterIdentity } from "../disk/writer-identity.ts"

/** What every step of the protocol needs: the place, the operations, and who we are. */
export interface RevisionFolder {
  readonly files: FilePort
  readonly root: string
  readonly folder: string
  /** The path of `boulder.json`. */
  readonly file: string
  readonly own: WriterIdentity
  /** Milliseconds since 1970; only for stamps and ages, never for correctness. */
  readonly now: () => number
  /** Waits for this many milliseconds. */
  readonly pause: (ms: number) => Promise<void>
}

/** The text of `boulder.json` as it is now; null if missing. */
export function currentText({ files, root, file }: RevisionFolder): Promise<string | null> {
  return readInside(files, root, file, MAX_STATE_BYTES)
}

/** The text of a publication or a temp file; null if missing. */
export function textAt({ files }: RevisionFolder, path: string): Promise<string | null> {
  return files.readText(path, MAX_STATE_BYTES)
}

export function pathOf({ folder }: RevisionFolder, name: string): string {
  return join(folder, name)
}
