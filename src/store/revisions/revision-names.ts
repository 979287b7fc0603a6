// Names the files of revisions.
const BASE = "boulder.json"

export type RevisionName =
  | { readonly kind: "published"; readonly revision: number; readonly slot: number }
  | { readonly kind: "temp" | "copy"; readonly revision: number; readonly writeId: string }

/**
 * The name under which a revision is published: whoever links it first has made that revision. A further slot is used only if what is
 * published in the slot before can never be put in place.
 */
export function publishedName(revision: number, slot: number): string {
  return slot === 0 ? `${BASE}.r${revision}` : `${BASE}.r${revision}.${slot}`
}

/** The name of a revision before it is put in place; made once, by one write, and never again. */
export function tempName(revision: number, writeId: string): string {
  return `${BASE}.${revision}.${writeId}.tmp`
}

/** The name of a write's copy until it is published. */
export function copyName(revision: number, writeId: string): string {
  return `${BASE}.${revision}.${writeId}.copy`
}

/** What a name in the folder stands for; null if it is none of ours. */
export function readRevisionName(name: string): RevisionName | null {
  const published = /^boulder\.json\.r(\d{1,16})(?:\.(\d{1,4}))?$/.exec(name)
  if (published !== null) {
    return { kind: "published", revision: Number(published[1]), slot: Number(published[2] ?? 0) }
  }
  const temp = /^boulder\.json\.(\d{1,16})\.([0-9a-z-]{1,120})\.(tmp|copy)$/.exec(name)
  if (temp === null) return null
  const kind = temp[3] === "copy" ? "copy" : "temp"
  return { kind, revision: Number(temp[1]), writeId: temp[2] ?? "" }
}
