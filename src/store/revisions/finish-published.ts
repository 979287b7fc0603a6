// Completes what another writer has published.

import { lifeOf } from "../disk/writer-identity.ts"
import { fingerprintOf, parseBoulderFile, type WriteStamp } from "./boulder-file.ts"
import { currentText, pathOf, type RevisionFolder, textAt } from "./revision-folder.ts"
import { tempName } from "./revision-names.ts"

/**
 * `moved-on`: `boulder.json` has changed, so what was published is in place. `dead`: this publication can never be put in place; the
 * revision's next slot decides.
 */
export type Finished =
  | { readonly kind: "moved-on"; readonly by: string | null }
  | { readonly kind: "dead" }

/** How long its own writer has to put a revision in place before we do it. */
const GRACE_MS = 100

/**
 * Looks at a publication of the revision after `base` and makes sure that the revision comes about: lets its writer do it, or does it
 * itself. The order matters: the publication is read before `boulder.json`.
 */
export async function finishPublished(
  at: RevisionFolder,
  { path, base, revision }: { path: string; base: string | null; revision: number },
): Promise<Finished> {
  const text = await textAt(at, path)
  if (text === null) return { kind: "moved-on", by: null }
  const stamp = stampOf(text)
  if (stamp === null || stamp.after !== fingerprintOf(base)) {
    return (await currentText(at)) === base ? { kind: "dead" } : { kind: "moved-on", by: null }
  }
  if (await waitForWriter(at, stamp, base)) return { kind: "moved-on", by: stamp.by }
  if (await complete(at, pathOf(at, tempName(revision, stamp.id)), text)) {
    return { kind: "moved-on", by: stamp.by }
  }
  return (await currentText(at)) === base ? { kind: "dead" } : { kind: "moved-on", by: stamp.by }
}

/**
 * Puts a publication in place that has taken effect: it was read, and `boulder.json` still was `base` afterwards. False if its temp file is
 * gone, or was torn by a power cut.
 */
async function complete(at: RevisionFolder, temp: string, text: string): Promise<boolean> {
  if ((await textAt(at, temp)) !== text) return false
  await at.files.syncFile(temp)
  if (!(await at.files.rename(temp, at.file))) return false
  await at.files.syncFolder(at.folder)
  return true
}

/** True when `boulder.json` has changed; false when its writer is dead, or has had its time. */
async function waitForWriter(
  at: RevisionFolder,
  stamp: WriteStamp,
  base: string | null,
): Promise<boolean> {
  let left = GRACE_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, 8)) {
    if ((await currentText(at)) !== base) return true
    if (left <= 0) return false
    if ((await lifeOf(stamp.id, at.own)) === "dead") return false
    const ms = pause * (0.5 + Math.random())
    await at.pause(ms)
    left -= ms
  }
}

function stampOf(text: string): WriteStamp | null {
  const file = parseBoulderFile(text)
  return file.kind === "valid" ? file.write : null
}
