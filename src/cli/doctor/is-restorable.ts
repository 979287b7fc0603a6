// Tells whether a damaged state can be restored, without touching anything.
import { join } from "node:path"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { FilePort } from "../../store/disk/file-port.ts"
import { MAX_STATE_BYTES } from "../../store/disk/size-limits.ts"
import { parseBoulderFile } from "../../store/revisions/boulder-file.ts"
import { readOlderInPlace } from "../../store/revisions/older-boulder.ts"
import { readRevisionName } from "../../store/revisions/revision-names.ts"

/**
 * Whether the next reading will restore a state in place of `found`, a text that is no boulder: from a good copy that no newer version has
 * followed, or from an older format. `now` in ms.
 */
export async function isRestorable(
  files: Pick<FilePort, "list" | "readText">,
  { root, found, now }: { readonly root: string; readonly found: string; readonly now: number },
): Promise<boolean> {
  const folder = join(root, ".boulder")
  const copies: { readonly revision: number; readonly kind: "valid" | "newer" | "invalid" }[] = []
  for (const name of await files.list(folder)) {
    const parsed = readRevisionName(name)
    if (parsed?.kind !== "published") continue
    const text = await files.readText(join(folder, name), MAX_STATE_BYTES).catch(() => null)
    const kind = text === null ? "invalid" : parseBoulderFile(text).kind
    copies.push({ revision: parsed.revision, kind })
  }
  const last = (kind: string): number =>
    Math.max(0, ...copies.filter((copy) => copy.kind === kind).map(({ revision }) => revision))
  if (last("newer") > last("valid")) return false
  if (last("valid") > 0) return true
  const older = { root, now: isoOf(now), ours: emptyBoulder() }
  return copies.length === 0 && readOlderInPlace(found, older) !== null
}
