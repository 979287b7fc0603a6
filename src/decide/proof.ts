// What the ticks of a plan stand on: the one place that says whether a task is proven.
import type { CheckRun, ProofEntry, Tier } from "../boulder/proof-entry.ts"
import { type KnownTask, matchTasks } from "../plan/match-tasks.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import type { ProofSummary, Standing } from "./decision.ts"
import { judgesAmong } from "./judge-files.ts"

/** What is known of the checks of a plan. */
export interface Proof {
  /** Null for a task without checks, and for an open one for which none was run. */
  of(task: Task): Standing | null
  /** The files that judge it and that were written for it: by name in its checks, or as their configuration. */
  judgesEdited(task: Task): readonly string[]
  /** It was delegated and came back; nothing was written for it, the tree is as it was, and no check was run. */
  isNothingDone(task: Task): boolean
  /** Its tick was seen, and not taken back since. */
  isTickKnown(task: Task): boolean
  /** It was proven when its tick was seen or later, or needs no proof: it is older than the work, or was approved. */
  isTickProven(task: Task): boolean
}

const SETTLES: ReadonlySet<string> = new Set(["proven", "before", "approved"])
/** What speaks against a task most comes first. */
const GRAVEST: readonly Tier[] = ["failed", "unavailable", "claimed", "changed", "proven"]

/**
 * How the tasks of a plan stand, by what was written down, in its order. A task is proven when the last run of each of its
 * checks ended with 0 and none of the files that were written for it was written since. A check that other tasks have
 * too counts for a task only where it was run for it, or behind its first result or write. What a lead writes by
 * itself belongs to the tasks that are ticked next.
 */
export function proofOf(plan: Pick<Plan, "tasks">, entries: readonly ProofEntry[]): Proof {
  const facts = collect(entries, namesIn(plan, entries))
  const owners = new Map<string, number>()
  for (const { checks = [] } of plan.tasks)
    for (const { command } of checks) owners.set(command, (owners.get(command) ?? 0) + 1)
  const isShared = (check: string): boolean => (owners.get(check) ?? 0) > 1
  return {
    judgesEdited: (task) => judgesAmong(ownFacts(facts, task).written.keys(), task.checks ?? []),
    isNothingDone: (task) => isNothingDone(facts, task),
    isTickKnown: (task) => facts.ticked.has(idOf(task)),
    isTickProven: (task) => SETTLES.has(facts.ticked.get(idOf(task)) ?? ""),
    of(task) {
      const { checks = [] } = task
      if (checks.length === 0) return null
      const own = ownFacts(facts, task)
      const all = checks.map(({ command }) => standingOf(command, own, isShared(command), facts))
      const worst = GRAVEST.flatMap((tier) => all.filter((one) => one.tier === tier))[0]
      if (worst === undefined) return null
      if (!isSettled(task) && all.every(({ run }) => run === null)) return null
      const earlier = own.ran.findLast((check) => !checks.some(({ command }) => command === check))
      return { ...worst, replaced: worst.run === null ? (earlier ?? null) : null }
    },
  }
}

/** The ticked tasks of a plan by what they stand on; null where no task has a check. */
export function proofSummary({ tasks }: Pick<Plan, "tasks">, proof: Proof): ProofSummary | null {
  if (!tasks.some(({ checks }) => checks !== undefined)) return null
  const ticked = tasks.flatMap((task) => {
    const tier = task.state === "done" ? proof.of(task)?.tier : undefined
    return tier === undefined ? [] : [{ key: task.key, tier }]
  })
  const unproven = ticked.filter(({ tier }) => tier !== "proven")
  return { ticked: ticked.length, proven: ticked.length - unproven.length, unproven }
}

interface Placed<Fact> {
  readonly fact: Fact
  /** Its place in the order of all. */
  readonly at: number
}

interface Facts {
  /** The last run of each check for each task, "" for none. */
  readonly runs: Map<string, Map<string, Placed<CheckRun>>>
  readonly lastWrite: Map<string, number>
  /** By task: the files written for it, each with the first time. */
  readonly written: Map<string, Map<string, number>>
  /** By task: where the first fact of it stands. */
  readonly begun: Map<string, number>
  /** By task: the checks run for it, oldest first. */
  readonly ran: Map<string, string[]>
  /** By task: whether its delegations are known to have left the tree as it was; the tree that the one under way began with. */
  readonly delegated: Map<string, { readonly isSame: boolean; readonly from: string | null }>
  /** By task, "" for none: where the last run of any check stands. */
  readonly checked: Map<string, number>
  /** By task: how it stood when its tick was looked at last. */
  readonly ticked: Map<string, string>
  /** Written by nobody's subagent since the last tick. */
  loose: Map<string, number>
}

function collect(entries: readonly ProofEntry[], idFor: (entry: ProofEntry) => string): Facts {
  const facts: Facts = {
    runs: new Map(),
    lastWrite: new Map(),
    written: new Map(),
    begun: new Map(),
    ran: new Map(),
    delegated: new Map(),
    checked: new Map(),
    ticked: new Map(),
    loose: new Map(),
  }
  let isSealed = false
  for (const [at, entry] of entries.entries()) {
    const isTick = entry.kind === "tick" || entry.kind === "approved"
    // Ticks that were seen together share what was written before them.
    if (isSealed && !isTick) facts.loose = new Map()
    isSealed = isTick
    note(facts, entry, idFor(entry), at)
  }
  if (isSealed) facts.loose = new Map()
  return facts
}

function note(facts: Facts, entry: ProofEntry, id: string, at: number): void {
  switch (entry.kind) {
    case "tick":
    case "approved":
      facts.ticked.set(id, entry.kind === "tick" ? entry.tier : "approved")
      for (const [path, first] of facts.loose) keepWrite(facts, id, path, first)
      return
    case "reopened":
      facts.ticked.delete(id)
      return
    case "run":
      facts.checked.set(id, at)
      keepRun(facts, id, { fact: entry, at })
      break
    case "begun":
      keepBegun(facts, id, entry.tree)
      return
    case "write":
      facts.lastWrite.set(entry.path, at)
      if (id !== "") keepWrite(facts, id, entry.path, at)
      else if (!facts.loose.has(entry.path)) facts.loose.set(entry.path, at)
      break
    case "back":
      keepBack(facts, id, entry.tree ?? null)
      break
  }
  if (id !== "" && !facts.begun.has(id)) facts.begun.set(id, at)
}

/** One that begins while another is under way, or behind one that was lost, says nothing of the tree. */
function keepBegun({ delegated }: Facts, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known === undefined || (known.isSame && known.from === null)
  delegated.set(id, { isSame, from: tree })
}

function keepBack({ delegated }: Facts, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known?.isSame === true && known.from !== null && known.from === tree
  delegated.set(id, { isSame, from: null })
}

function keepRun({ runs, ran }: Facts, id: string, run: Placed<CheckRun>): void {
  const { check } = run.fact
  const of = runs.get(check) ?? new Map<string, Placed<CheckRun>>()
  runs.set(check, of.set(id, run))
  if (id !== "") ran.set(id, [...(ran.get(id) ?? []).filter((one) => one !== check), check])
}

function keepWrite({ written }: Facts, id: string, path: string, at: number): void {
  const of = written.get(id) ?? new Map<string, number>()
  written.set(id, of)
  if (!of.has(path)) of.set(path, at)
}

function isNothingDone(facts: Facts, task: Task): boolean {
  const { id, written, begun } = ownFacts(facts, task)
  const delegated = facts.delegated.get(id)
  const isBack = delegated?.isSame === true && delegated.from === null
  const isChecked = facts.checked.has(id) || (facts.checked.get("") ?? -1) > begun
  return isBack && written.size === 0 && !isChecked
}

interface OwnFacts {
  readonly id: string
  readonly written: ReadonlyMap<string, number>
  readonly begun: number
  readonly ran: readonly string[]
}

function ownFacts(facts: Facts, task: Task): OwnFacts {
  const id = idOf(task)
  const kept = facts.written.get(id) ?? new Map<string, number>()
  const written = facts.ticked.has(id) ? kept : new Map([...facts.loose, ...kept])
  const begun = Math.min(facts.begun.get(id) ?? Number.POSITIVE_INFINITY, ...written.values())
  return { id, written, begun, ran: facts.ran.get(id) ?? [] }
}

function standingOf(
  check: string,
  own: OwnFacts,
  isShared: boolean,
  { runs, lastWrite }: Facts,
): Standing {
  const counting = [...(runs.get(check) ?? [])].flatMap(([id, run]) => {
    const isBehind = id === "" && own.begun < run.at
    return id === own.id || !isShared || isBehind ? [run] : []
  })
  const last = counting.reduce<Placed<CheckRun> | null>(
    (latest, run) => (latest === null || run.at > latest.at ? run : latest),
    null,
  )
  const standing = { check, run: last?.fact ?? null, changed: null, replaced: null }
  if (last === null || last.fact.outcome === "unknown") return { ...standing, tier: "claimed" }
  if (last.fact.outcome !== "passed") return { ...standing, tier: last.fact.outcome }
  const since = [...own.written.keys()].filter((path) => (lastWrite.get(path) ?? 0) > last.at)
  const changed = since.toSorted((a, b) => (lastWrite.get(a) ?? 0) - (lastWrite.get(b) ?? 0)).at(-1)
  return changed === undefined
    ? { ...standing, tier: "proven" }
    : { ...standing, tier: "changed", changed }
}

function idOf({ key, titleHash }: KnownTask): string {
  return `${key} ${titleHash}`
}

/**
 * What was written down of a task that was renumbered since is told of it under its new key. Of one that was reworded all but
 * its ticks is: its writes still make a run stale, and nobody has looked at what it says now.
 */
function namesIn(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
): (entry: ProofEntry) => string {
  const known = new Map<string, KnownTask>()
  for (const { task } of entries) {
    if (task === null) continue
    const one = { key: task.key, titleHash: task.title_hash }
    known.set(idOf(one), one)
  }
  const matches = new Map(
    matchTasks([...known.values()], plan).flatMap((match) =>
      match.kind === "gone" ? [] : [[idOf(match.known), match] as const],
    ),
  )
  return ({ kind, task }) => {
    if (task === null) return ""
    const id = idOf({ key: task.key, titleHash: task.title_hash })
    const match = matches.get(id)
    const isTick = kind === "tick" || kind === "approved" || kind === "reopened"
    return match === undefined || (match.kind === "retitled" && isTick) ? id : idOf(match.task)
  }
}
