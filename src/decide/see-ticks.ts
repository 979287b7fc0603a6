// Finds new ticks, what each is based on, and checks that were changed in the plan.
import { withoutHold } from "../boulder/held-plan.ts"
import type { ProofEntry } from "../boulder/proof-entry.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import type { ChangedChecks, Standing, TickNews, UnprovenTick } from "./decision.ts"
import { type Proof, proofOf } from "./proof/proof.ts"
import type { Untold } from "./untold.ts"

/** What a look at a plan's ticks adds to the records, and which new ticks are not proven. */
export interface SeenTicks extends TickNews {
  readonly added: readonly ProofEntry[]
}

/** What a look at the ticks needs. */
export interface TickLook {
  /** An ISO 8601 time. */
  readonly at: string
  /** Who has edited the plan since the last look. */
  readonly by: "agent" | "person"
  /** A cancelled task must be proven like a done one. */
  readonly isRequired: boolean
  /** Ticks and changed checks that were seen before and that nobody was told of yet, matched to this plan's tasks. */
  readonly untold: readonly Untold[]
}

/**
 * Looks for new ticks of tasks that have checks or for which nothing was done, for ticks that were taken back, and for checks that have
 * changed.
 */
export function seeTicks(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
  { at, by, isRequired, untold }: TickLook,
): SeenTicks {
  const tasks = plan.tasks.map(withoutHold)
  const before = proofOf(plan, entries)
  const checks = changesIn(tasks, before, { at, by })
  if (isRequired) addDeleted(checks, tasks, before, { at, by })
  const known = proofOf(plan, [...entries, ...checks.added])
  // What a person cancels is cancelled.
  const cancelled = tasks
    .filter((task) => by === "person" && isRequired && task.state === "cancelled")
    .filter((task) => known.asked(task).length > 0 && !known.isTickKnown(task))
    .map((task) => tickOf(task, at, "before"))
  const first = [...checks.added, ...cancelled]
  const proof = cancelled.length === 0 ? known : proofOf(plan, [...entries, ...first])
  const isClaimed = ({ state }: Task): boolean =>
    state === "done" || (isRequired && state === "cancelled")
  const ticked = tasks.flatMap((task): readonly UnprovenTick[] => {
    if (!isClaimed(task) || proof.isTickProven(task)) return []
    const tree = proof.nothingDoneIn(task)
    const isDone = task.state === "done"
    const standing = proof.of(task) ?? (tree !== null && isDone ? NO_CHECK : null)
    return standing === null
      ? []
      : [{ task, standing, ...(tree !== null && isDone && { nothingDoneIn: tree }) }]
  })
  const fresh = ticked.filter(({ task }) => !proof.isTickKnown(task))
  // Once a task; if it is held, with each hold.
  const isNews = (task: Task): boolean =>
    !proof.isTickKnown(task) && (isRequired || !proof.isTold(task))
  const isUntold = (of: Untold["of"], { key }: Task): boolean =>
    untold.some((one) => one.of === of && one.key === key)
  const toTell = ticked.filter(({ task }) => isNews(task) || isUntold("tick", task))
  // A tick that was not proven at first may be proven by now.
  const since = ticked.filter(
    ({ task, standing }) => proof.isTickKnown(task) && standing.tier === "proven",
  )
  return {
    added: [
      ...first,
      ...takenBack(tasks, proof, at),
      ...[...fresh, ...since].map(({ task, standing }) => tickOf(task, at, standing.tier)),
    ],
    edited: toTell.flatMap(({ task }) => {
      const files = proof.judgesEdited(task)
      return files.length === 0 ? [] : [{ taskKey: task.key, files }]
    }),
    unproven: toTell.filter(({ standing }) => standing.tier !== "proven"),
    changed: tasks
      .filter((task) => checks.changed.has(task.key) || isUntold("checks", task))
      .map((task) => changedChecks(task, proof)),
  }
}

/** The standing of a task without a check. */
const NO_CHECK: Standing = {
  tier: "claimed",
  check: "",
  run: null,
  changed: null,
  isTakenOut: false,
}

/**
 * Changes of checks in the plan that are not recorded yet. If a person gives a settled task its first checks, its tick is accepted; if an
 * agent does, its tick is only a claim.
 */
function changesIn(tasks: readonly Task[], proof: Proof, { at, by }: Pick<TickLook, "at" | "by">) {
  const changed = new Set<string>()
  const added = tasks.flatMap((task): readonly ProofEntry[] => {
    const known = proof.known(task)
    const now = commandsOf(task)
    if (known === null) return now.length === 0 ? [] : firstChecks(task, proof, { at, by })
    if (isSame(known.now, now)) return []
    if (known.now.some((check) => !now.includes(check))) changed.add(task.key)
    return [{ ...checksOf(task, at), by }]
  })
  return { added, changed }
}

type Changes = ReturnType<typeof changesIn>

/**
 * A row that an agent deleted before it was proven is treated like a cancelled one: its checks go to the first task that is not proven yet,
 * or else to the last one, where they count as removed. What a person deletes is gone.
 */
function addDeleted(
  { added, changed }: Changes,
  tasks: readonly Task[],
  proof: Proof,
  { at, by }: Pick<TickLook, "at" | "by">,
): void {
  const asked = new Set(tasks.flatMap((task) => [...proof.asked(task)]))
  const gone = proof.gone.filter(({ checks }) => checks.some((check) => !asked.has(check)))
  const heir = tasks.find((task) => !proof.isTickProven(task)) ?? tasks.at(-1)
  if (gone.length === 0 || heir === undefined) return
  if (by === "person") {
    const none = gone.map(({ key, titleHash }) => ({ task: { key, title_hash: titleHash } }))
    added.push(...none.map((of) => ({ kind: "checks" as const, at, ...of, checks: [], by })))
    return
  }
  const own = checksOf(heir, at)
  const missing = gone.flatMap(({ checks }) => checks.filter((check) => !asked.has(check)))
  const all = [...new Set([...own.checks, ...proof.asked(heir), ...missing])].slice(0, MAX_CHECKS)
  // Its tick was not taken back, but from now on other checks have to prove it.
  if (proof.isTickKnown(heir)) added.push(tickOf(heir, at, "claimed"))
  added.push({ ...own, checks: all }, { ...own, by })
  changed.add(heir.key)
}

function firstChecks(
  task: Task,
  proof: Proof,
  { at, by }: Pick<TickLook, "at" | "by">,
): readonly ProofEntry[] {
  const isOlder = by === "person" && isSettled(task) && !proof.isTickKnown(task)
  return [checksOf(task, at), ...(isOlder ? [tickOf(task, at, "before")] : [])]
}

function changedChecks(task: Task, proof: Proof): ChangedChecks {
  const { before = [], takenOut = [] } = proof.known(task) ?? {}
  return { taskKey: task.key, before, now: commandsOf(task), isAsked: takenOut.length > 0 }
}

function isSame(known: readonly string[], now: readonly string[]): boolean {
  return known.length === now.length && known.every((check) => now.includes(check))
}

/** The ticks that were seen, and that the plan no longer has. */
export function takenBack(
  tasks: readonly Task[],
  proof: Pick<Proof, "isTickKnown">,
  at: string,
): readonly ProofEntry[] {
  const back = tasks.filter((task) => !isSettled(withoutHold(task)) && proof.isTickKnown(task))
  return back.map((task) => ({ kind: "reopened", at, task: named(task) }))
}

/** What a work starts with: its plan's checks, and the ticks that were already there. Nobody has claimed those in this work. */
export function proofAtBegin({ tasks }: Pick<Plan, "tasks">, at: string): readonly ProofEntry[] {
  return tasks.flatMap((task) => [
    ...(task.checks === undefined ? [] : [checksOf(task, at)]),
    ...(isSettled(task) ? [tickOf(task, at, "before")] : []),
  ])
}

const MAX_CHECKS = 64

function commandsOf({ checks = [] }: Task): readonly string[] {
  return checks.map(({ command }) => command).slice(0, MAX_CHECKS)
}

function checksOf(task: Task, at: string): ProofEntry & { kind: "checks" } {
  return { kind: "checks", at, task: named(task), checks: [...commandsOf(task)] }
}

function tickOf(task: Task, at: string, tier: (ProofEntry & { kind: "tick" })["tier"]): ProofEntry {
  return { kind: "tick", at, task: named(task), tier }
}

function named({ key, titleHash }: Task) {
  return { key, title_hash: titleHash }
}
