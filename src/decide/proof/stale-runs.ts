// Decides which runs of a check count for a task, and what was written after them.
import { type CheckRun, WHOLE_TREE } from "../../boulder/proof-entry.ts"
import type { Ordered, OwnFacts, ProofFacts } from "./proof-record.ts"

/** The tiers of a tick that settle its task, whatever is written later. */
const SETTLES: ReadonlySet<string | undefined> = new Set(["proven", "before", "approved"])

/** A write after a run; "." stands for the whole work tree. */
interface StaleBy {
  readonly path: string
  readonly at: number
}

/**
 * The file of a task that was written last after a run; null if none was. For a task that the lead works on itself and that has no file
 * yet, every file of the lead counts: a check that ran before the work has tested none of it.
 */
export function staleBy(
  facts: ProofFacts,
  { id, written }: Pick<OwnFacts, "id" | "written">,
  run: number,
): StaleBy | null {
  // Whatever changes all files after its tick is the work of others.
  const withAll = isOpen(facts, id)
  const since = [...written.keys()].flatMap((path) => {
    const at = lastWriteOf(facts, path, withAll)
    const isOfAll = facts.lastWrite.get(WHOLE_TREE) === at
    return at > run ? [{ path: isOfAll ? WHOLE_TREE : path, at }] : []
  })
  const isLone = withAll && !facts.bySubagent.has(id)
  const hasNone = written.size === 0 && !facts.ticked.has(id)
  const others = [...facts.untested.values(), ...(hasNone ? [facts.lastOfLead] : [])]
  if (isLone) since.push(...others.filter((one) => one !== null).filter(({ at }) => at > run))
  return since.toSorted((a, b) => a.at - b.at).at(-1) ?? null
}

/** No tick has settled it yet. */
export function isOpen({ ticked }: ProofFacts, id: string): boolean {
  return !SETTLES.has(ticked.get(id))
}

/** The last write of a file: by its name, a folder above it, or, with `withAll`, the whole tree. */
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

/** Whether something was before the task's tick was taken back. */
export function isBeforeReopened(
  { reopened }: Pick<ProofFacts, "reopened">,
  id: string,
  { at }: Pick<Ordered<unknown>, "at">,
): boolean {
  return at < (reopened.get(id) ?? -1)
}

/**
 * The last run of a check that counts for a task. If other tasks have the check too, or had it then, the run must be the task's own, or the
 * lead's after the task began. A run from before the task's tick was taken back does not count: the task is to be done again.
 */
export function lastRunOf(
  { runs, owners, reopened }: Pick<ProofFacts, "runs" | "owners" | "reopened">,
  check: string,
  own: Pick<OwnFacts, "id" | "begun">,
): Ordered<CheckRun> | null {
  const isShared = (owners.get(check)?.size ?? 0) > 1
  const counting = [...(runs.get(check) ?? [])].flatMap(([id, run]) =>
    isBeforeReopened({ reopened }, own.id, run)
      ? []
      : id === own.id || !(isShared || run.wasShared) || (id === "" && own.begun < run.at)
        ? [run]
        : [],
  )
  return counting.toSorted((a, b) => a.at - b.at).at(-1) ?? null
}
