// Moves a corrupt file aside and restores the last good revision, or takes over an older format.
import { type Boulder, emptyBoulder } from "../../boulder/boulder.ts"
import { readInside } from "../disk/boulder-folder.ts"
import { linkOrExplain } from "../disk/link-or-explain.ts"
import { MAX_STATE_BYTES } from "../disk/size-limits.ts"
import { StoreError } from "../disk/store-error.ts"
import { fingerprintOf, parseBoulderFile, type WriteStamp } from "./boulder-file.ts"
import type { StoreNotice } from "./boulder-store.ts"
import { commitRevision } from "./commit-revision.ts"
import { finishPublished } from "./finish-published.ts"
import { readOlderInPlace } from "./older-boulder.ts"
import { currentText, pathOf, type RevisionFolder, textAt } from "./revision-folder.ts"
import { readRevisionName, tempName } from "./revision-names.ts"

/**
 * `restored`: a copy is in place again. `nothing`: no boulder was ever stored. `again`: another process has changed something meanwhile, so
 * read again.
 */
export type Restoration =
  | { readonly kind: "restored"; readonly notice: StoreNotice }
  | { readonly kind: "nothing" }
  | { readonly kind: "again" }

interface Copy {
  readonly path: string
  readonly revision: number
  readonly slot: number
  readonly boulder: Boulder
  readonly write: WriteStamp | null
  readonly text: string
}

/** A copy that we cannot use: damaged, or of a newer schema. */
interface Unreadable {
  readonly name: string
  readonly revision: number
  readonly isNewer: boolean
  readonly problem: string
}

/**
 * Restores the last good revision in place of a text that is no boulder (`found`), or of a missing file (null). If an older plugin wrote
 * the text, it is upgraded on top of that revision, if there is one. The file is kept under another name. Throws a `StoreError` (`corrupt`,
 * `newer-schema`) and touches nothing if there is no copy to restore, or if a newer version wrote the newest one.
 */
export async function restoreBoulder(
  at: RevisionFolder,
  found: string | null,
  problem: string,
): Promise<Restoration> {
  const names = await at.files.list(at.folder)
  const top = topRevision(names)
  // A first write that is running or was taken back: only a second revision proves that the first was in place.
  if (found === null && top < 2) return { kind: "nothing" }
  const { copies, unreadable } = await readCopies(at, names)
  const inForce = await findInForce(at, copies, found)
  if (inForce !== undefined) {
    await finishPublished(at, { path: inForce.path, base: found, revision: inForce.revision })
    return { kind: "again" }
  }
  const [best] = copies
  const newer = unreadable.filter(({ isNewer, revision }) => isNewer && revision > lastOf(best))
  const upgraded = await upgradeInPlace(at, { found, best, top, unreadable, newer })
  if (upgraded !== null) return upgraded
  if (best !== undefined && newer.length === 0)
    return restoreCopy(at, { found, problem, best, top })
  // All copies are gone since they were listed, or the file has changed: others are at work.
  if (found === null && best === undefined && unreadable.length === 0) return { kind: "again" }
  if ((await currentText(at)) !== found) return { kind: "again" }
  throw newer.length > 0 ? newerCopies(at, problem, newer) : noGoodCopy(at, problem, unreadable)
}

function lastOf(best: Copy | undefined): number {
  return best?.revision ?? 0
}

function newerCopies(at: RevisionFolder, problem: string, newer: readonly Unreadable[]) {
  return new StoreError({
    code: "newer-schema",
    expected: `${at.file} to hold the state of this project`,
    found: `${problem}; its newest copies are of a newer schema: ${listOf(newer)}`,
    todo: `Nothing was touched. A newer opencode-boulder has written them: update this one. ${OR_ANEW}`,
  })
}

function noGoodCopy(at: RevisionFolder, problem: string, unreadable: readonly Unreadable[]) {
  const hasCopies = unreadable.length > 0
  return new StoreError({
    code: "corrupt",
    expected: `${at.file} to hold the state of this project`,
    found: hasCopies ? `${problem}; no copy can be read either: ${listOf(unreadable)}` : problem,
    todo: hasCopies
      ? `Nothing was touched. Repair one of them by hand. ${OR_ANEW}`
      : "It was left as it is, and there is no earlier copy. Repair it by hand, or move it away to start over.",
  })
}

const OR_ANEW = "Or move .boulder/boulder.json* away to start over."

function listOf(unreadable: readonly Unreadable[]): string {
  return unreadable
    .slice(0, 4)
    .map(({ name, problem }) => `${name} (${problem})`)
    .join(", ")
}

/** Null if what was found is no older format, or if copies that cannot be read may hold more. */
async function upgradeInPlace(
  at: RevisionFolder,
  given: {
    found: string | null
    best: Copy | undefined
    top: number
    unreadable: readonly Unreadable[]
    newer: readonly Unreadable[]
  },
): Promise<Restoration | null> {
  const { found, best, top, unreadable, newer } = given
  if (found === null || (best === undefined ? unreadable : newer).length > 0) return null
  const ours = best?.boulder ?? emptyBoulder()
  const now = new Date(at.now()).toISOString()
  const older = readOlderInPlace(found, { root: at.root, now, ours })
  if (older === null) return null
  const placed = await replaceKeeping(at, { found, next: older.next, top, as: "older" })
  if (placed.kind === "again") return placed
  const message = [
    `The state was upgraded from an older format, and what was active in it is paused: ${at.file}. The old file is kept as ${placed.aside}.`,
    ...older.dropped.map((why) => `Not taken over: ${why}.`),
  ]
  return { kind: "restored", notice: { kind: "upgraded", message: message.join(" ") } }
}

async function restoreCopy(
  at: RevisionFolder,
  { found, problem, best, top }: { found: string | null; problem: string; best: Copy; top: number },
): Promise<Restoration> {
  const placed = await replaceKeeping(at, { found, next: best.boulder, top, as: "corrupt" })
  if (placed.kind === "again") return placed
  const { aside, next } = placed
  const kept =
    aside === null ? "It was missing" : `It was damaged (${problem}) and is kept as ${aside}`
  return {
    kind: "restored",
    notice: {
      kind: "restored",
      message:
        `${at.file} was restored from its copy of revision ${best.revision} as revision ${next.revision}. ` +
        `${kept}. What was recorded after revision ${best.revision} may be missing: sessions of running tasks, counts. ` +
        "The plan itself is not affected. To start over instead, remove the whole .boulder folder.",
    },
  }
}

/** Writes the next revision in place of what was found, which is kept beside it; `again` if others were faster. */
async function replaceKeeping(
  at: RevisionFolder,
  given: { found: string | null; next: Boulder; top: number; as: "corrupt" | "older" },
): Promise<{ kind: "placed"; aside: string | null; next: Boulder } | { kind: "again" }> {
  const { found, top, as } = given
  const aside = found === null ? null : await setAside(at, found, as)
  if (found !== null && aside === null) return { kind: "again" }
  const next = { ...given.next, revision: top + 1 }
  const commit = await commitRevision(at, { base: found, next })
  if (commit.kind === "placed") {
    await commit.named
    return { kind: "placed", aside, next }
  }
  if (aside !== null) await at.files.remove(aside)
  return { kind: "again" }
}

/** A second name for the file that is replaced; null if it is no longer the one that was read. */
async function setAside(at: RevisionFolder, found: string, as: string): Promise<string | null> {
  const time = new Date(at.now()).toISOString().replaceAll(/[:.]/g, "-")
  const aside = await freeName(at, `boulder.json.${as}-${time}`)
  if ((await readInside(at.files, at.root, aside, MAX_STATE_BYTES)) === found) return aside
  await at.files.remove(aside)
  return null
}

async function freeName(at: RevisionFolder, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const path = pathOf(at, count === 1 ? name : `${name}-${count}`)
    if (await linkOrExplain(at.files, at.file, path)) return path
  }
}

/** The copies, newest first, and those among them that cannot be used. */
async function readCopies(
  at: RevisionFolder,
  names: readonly string[],
): Promise<{ copies: Copy[]; unreadable: Unreadable[] }> {
  const copies: Copy[] = []
  const unreadable: Unreadable[] = []
  for (const name of names) {
    const copy = await readCopy(at, name)
    if (copy !== null && "problem" in copy) unreadable.push(copy)
    else if (copy !== null) copies.push(copy)
  }
  copies.sort((a, b) => b.revision - a.revision || b.slot - a.slot)
  return { copies, unreadable: unreadable.sort((a, b) => b.revision - a.revision) }
}

/** Null for a name that is no copy's, and for a file that is gone. */
async function readCopy(at: RevisionFolder, name: string): Promise<Copy | Unreadable | null> {
  const parsed = readRevisionName(name)
  if (parsed?.kind !== "published") return null
  const { revision, slot } = parsed
  const path = pathOf(at, name)
  const text = await textAt(at, path).catch(problemOf)
  if (text === null) return null
  if (typeof text !== "string") return { name, revision, isNewer: false, ...text }
  const file = parseBoulderFile(text)
  if (file.kind === "valid") {
    const { boulder, write } = file
    return { path, revision, slot, boulder, write, text }
  }
  const isNewer = file.kind === "newer"
  const problem = isNewer ? `schema_version ${file.version}` : file.problem
  return { name, revision, isNewer, problem }
}

/** One copy that is too large, or no file, does not hide the others. */
function problemOf(error: unknown): { readonly problem: string } {
  if (error instanceof StoreError) return { problem: `found ${error.found}` }
  throw error
}

/** Asks for the temp file after the publication was read: a listing may show the newer name and miss the older. */
async function findInForce(
  at: RevisionFolder,
  copies: readonly Copy[],
  found: string | null,
): Promise<Copy | undefined> {
  for (const copy of copies) {
    if (copy.write === null || copy.write.after !== fingerprintOf(found)) continue
    const temp = pathOf(at, tempName(copy.revision, copy.write.id))
    if ((await textAt(at, temp)) === copy.text) return copy
  }
  return undefined
}

/** Only of publications: a temp file must not change the number that everyone who restores has to agree on. */
function topRevision(names: readonly string[]): number {
  const published = names
    .map(readRevisionName)
    .filter((name) => name?.kind === "published")
    .map((name) => name?.revision ?? 0)
  return Math.max(0, ...published)
}
