// Removes what dead writers have left.
import { elapsedMs } from "../../boulder/iso-time.ts"
import { lifeOf } from "../disk/writer-identity.ts"
import { pathOf, type RevisionFolder } from "./revision-folder.ts"
import { publishedName, type RevisionName, readRevisionName } from "./revision-names.ts"
import { isVoidTicket } from "./write-queue.ts"

/** Temp files of processes that we cannot ask about (on another machine or in a container) are left alone for this long. */
const STRANGER_TEMP_MS = 24 * 60 * 60 * 1_000

/** Removes the copy that the last write made superfluous: the newest two revisions are kept. */
export async function dropOldCopy(at: RevisionFolder, revision: number): Promise<void> {
  if (revision > 2) await at.files.remove(pathOf(at, publishedName(revision - 2, 0)))
}

/**
 * Removes leftovers of dead writers and old copies. Only names of a revision at or below the one in place are touched, since none of them
 * can ever be put in place again. Temp files are removed only once their writer is gone, because a writer takes their absence to mean that
 * its revision was placed.
 */
export async function sweepFolder(at: RevisionFolder, revision: number): Promise<void> {
  for (const name of await at.files.list(at.folder)) {
    const found = readRevisionName(name)
    const isLeft =
      found === null
        ? isVoidTicket(name, at.now())
        : found.revision <= revision && (await isWaste(at, name, found, revision))
    if (isLeft) await at.files.remove(pathOf(at, name))
  }
}

async function isWaste(
  at: RevisionFolder,
  name: string,
  found: RevisionName,
  revision: number,
): Promise<boolean> {
  if (found.kind === "published") return found.revision < revision - 1
  const life = await lifeOf(found.writeId, at.own)
  if (life !== "unknown") return life === "dead"
  const facts = await at.files.inspect(pathOf(at, name))
  return facts !== null && elapsedMs(facts.modifiedMs, at.now()) > STRANGER_TEMP_MS
}
