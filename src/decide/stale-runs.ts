// Which runs of a check count for a task, and what was written behind them.
import { type CheckRun, WHOLE_TREE } from "../boulder/proof-entry.ts"
import { ownersOf } from "./known-checks.ts"
import { looseOf } from "./loose-writes.ts"
import type { Ordered, OwnFacts, ProofFacts } from "./proof-facts.ts"

/** The tiers of a tick that settle its task, whatever is written later. */
export const SETTLES: ReadonlySet<string> = new Set(["proven", "before", "approved"])

/** What has made the run of a task stale does so behind the tick of another one too. */
export function keepStale(facts: ProofFacts): void {
  if (facts.loose.files.size === 0) return
  for (const check of facts.tried) {
    const owners = ownersOf(facts, check)
    const open = [...owners].filter((id) => isOpen(facts, id))
    // Of a check that several have, what was run before the tick counts for one that has begun by then.
    const tried = owners.size === 1 ? open : open.filter((id) => facts.begun.has(id))
    for (const id of tried) keepStaleOf(facts, id, check)
  }
}

function keepStaleOf(facts: ProofFacts, id: string, check: string): void {
  const run = lastRunOf(facts, check, { id, begun: facts.begun.get(id) ?? facts.since })
  if (run === null) return
  const by = staleBy(facts, { id, written: looseOf(facts.loose, id) }, run.at)
  if (by !== null) facts.stale.set(id, by)
}

/** A write behind a run; "." stands for the whole work tree. */
export interface StaleBy {
  readonly path: string
  readonly at: number
}

/**
 * The file of a task that was written last behind a run; null for none. What a lead writes for the first time behind the
 * run of a task that a subagent has worked on is the next task's.
 */
export function staleBy(
  facts: ProofFacts,
  { id, written }: Pick<OwnFacts, "id" | "written">,
  run: number,
): StaleBy | null {
  const bySubagent = facts.bySubagent.get(id)
  const isIts = (path: string, first: number): boolean =>
    bySubagent === undefined || bySubagent.has(path) || first < run
  // What moves all files behind its tick is the work of others.
  const withAll = isOpen(facts, id)
  const known = facts.stale.get(id)
  const since = [...written].flatMap(([path, first]) => {
    const at = lastWriteOf(facts, path, withAll)
    const isOfAll = facts.lastWrite.get(WHOLE_TREE) === at
    return at > run && isIts(path, first) ? [{ path: isOfAll ? WHOLE_TREE : path, at }] : []
  })
  if (known !== undefined && known.at > run) since.push(known)
  return since.toSorted((a, b) => a.at - b.at).at(-1) ?? null
}

/** No tick has settled it yet. */
export function isOpen({ ticked }: ProofFacts, id: string): boolean {
  return !SETTLES.has(ticked.get(id) ?? "")
}

/** Where a file was written last: by its name, with a folder above it, or `withAll` with the whole tree. */
function lastWriteOf(
  { lastWrite }: Pick<ProofFacts, "lastWrite">,
  path: string,
  withAll: boolean,
): number {
  const parts = path.split("/")
  const names = [
    ...(withAll ? [WHOLE_TREE] : []),
    ...parts.map((_, at) => parts.slice(0, at + 1).join("/")),
  ]
  return Math.max(...names.map((name) => lastWrite.get(name) ?? -1))
}

/**
 * The last run of a check that counts for a task: one that other tasks have too, or had then, has to be its own, or the lead's behind where the
 * task began.
 */
export function lastRunOf(
  { runs, owners }: Pick<ProofFacts, "runs" | "owners">,
  check: string,
  own: Pick<OwnFacts, "id" | "begun">,
): Ordered<CheckRun> | null {
  const isShared = (owners.get(check)?.size ?? 0) > 1
  const counting = [...(runs.get(check) ?? [])].flatMap(([id, run]) =>
    id === own.id || !(isShared || run.wasShared) || (id === "" && own.begun < run.at) ? [run] : [],
  )
  return counting.toSorted((a, b) => a.at - b.at).at(-1) ?? null
}
