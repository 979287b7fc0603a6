// Keeps the work tree that checks have passed in, to see what moves it without saying so.
import { type ProofEntry, WHOLE_TREE } from "../../boulder/proof-entry.ts"
import { workLed } from "../../decide/place.ts"
import { isClaim } from "../../decide/proof/proof-names.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { storeSoon } from "../work/comes-once.ts"
import type { PlaceAsked } from "../work/place-of.ts"

type Seeing = Pick<Shell, "sessions" | "tree" | "moved" | "log">

/** What was written if the tree has moved and no words say what: the files that git names, or else all. */
export function unsaid(
  { moved }: Pick<Shell, "moved">,
  before: string | null,
  after: string | null,
): readonly { readonly kind: "write"; readonly path: string }[] {
  const names = before === null || after === null ? null : moved(before, after)
  return (names ?? [WHOLE_TREE]).map((path) => ({ kind: "write", path: path.slice(-512) }))
}

/** What a look at the tree has found. */
export interface TreeSeen {
  readonly tree: string | null
  /** The tree as it was last seen; null if unknown. */
  readonly before: string | null
  /** Whether the tree has moved since then; null if unknown. */
  readonly hasMoved: boolean | null
}

/**
 * Whether a check has passed for a task of a lead's work that is not settled yet, so that the tree is watched. What an earlier process has
 * written down is read once. `isOld`: nothing else is known so far.
 */
export async function isTested(
  shell: Pick<Shell, "sessions" | "proofs" | "log">,
  { leadId, place }: { readonly leadId: string; readonly place: PlaceAsked },
): Promise<{ readonly isTested: boolean; readonly isOld: boolean }> {
  const { tested } = shell.sessions.of(leadId)
  if (tested !== null) return { isTested: tested.tree !== null, isOld: false }
  const work = workLed(await storeSoon(place))
  const written =
    work === null ? [] : await unlessFailed(shell, () => shell.proofs.read(work.work_id), [])
  const tree = lastTree(written)
  shell.sessions.note({ kind: "tree-seen", sessionId: leadId, tree, isFresh: false })
  return { isTested: tree !== null, isOld: tree !== null }
}

/** Looks at the tree, without the plan, and keeps it in the memory of the lead if wanted. */
export async function seeTree(
  shell: Seeing,
  { leadId, plan }: { readonly leadId: string; readonly plan: string },
  { isKept, isFresh }: { readonly isKept: boolean; readonly isFresh: boolean },
): Promise<TreeSeen> {
  const tree = await unlessFailed(shell, () => shell.tree(plan), null)
  const before = shell.sessions.of(leadId).tested?.tree ?? null
  if (tree === null) return { tree, before, hasMoved: null }
  if (isKept) shell.sessions.note({ kind: "tree-seen", sessionId: leadId, tree, isFresh })
  return { tree, before, hasMoved: before === null ? null : tree !== before }
}

/** The tree after the last run or write, if no tick has come since. */
function lastTree(entries: readonly ProofEntry[]): string | null {
  const last = entries.findLast(
    (one) => one.kind === "run" || (one.kind === "write" && one.path !== "") || isClaim(one),
  )
  return last?.kind === "run" || last?.kind === "write" ? (last.tree ?? null) : null
}
