// What was written down of a work's checks, gathered by the tasks of its plan as it is now.
import { type CheckRun, type ProofEntry, WHOLE_TREE } from "../boulder/proof-entry.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { idOf, isClaim, namesIn } from "./proof-names.ts"

/** A fact, and its place in the order of all. */
export interface Placed<Fact> {
  readonly fact: Fact
  readonly at: number
}

/** The checks that a task was seen with. */
export interface KnownChecks {
  /** As the plan had them last. */
  readonly now: readonly string[]
  /** Such as an agent has taken out, and nobody has put back: they are asked for all the same. */
  readonly takenOut: readonly string[]
  /** What the plan had before, in this work, and has no more. */
  readonly before: readonly string[]
}

/** All that is known, by task; "" stands for none. */
export interface ProofFacts {
  /** The last run of each check for each task. */
  readonly runs: Map<string, Map<string, Placed<CheckRun>>>
  readonly lastWrite: Map<string, number>
  /** The files written for it, each with the first time. */
  readonly written: Map<string, Map<string, number>>
  /** Of these, what its subagents have written. */
  readonly bySubagent: Map<string, Set<string>>
  /** Something was written for it that is no file of the work tree. */
  readonly elsewhere: Set<string>
  /** Where the first fact of it stands. */
  readonly begun: Map<string, number>
  /**
   * Whether its delegations are known to have left the tree as it was; the tree that the one under way began with, and
   * the one before.
   */
  readonly delegated: Map<string, Delegated>
  /** Where the last run of any check stands. */
  readonly checked: Map<string, number>
  /** How it stood when its tick was looked at last. */
  readonly ticked: Map<string, string>
  readonly checks: Map<string, KnownChecks>
  /** Behind which tick of another task its own was seen. */
  readonly behind: Map<string, number>
  /** Tasks that were told of with a tick. */
  readonly told: Set<string>
  /** Written by nobody's subagent since the last tick. */
  loose: Map<string, number>
  /** The last tick before the one that comes next; before all where there is none. */
  since: number
}

interface Delegated {
  readonly isSame: boolean
  readonly from: string | null
  readonly tree: string | null
}

/** Gathers what was written down, in its order, by the tasks of a plan. */
export function gatherProof(plan: Pick<Plan, "tasks">, entries: readonly ProofEntry[]): ProofFacts {
  const idFor = namesIn(plan, entries)
  const facts: ProofFacts = {
    runs: new Map(),
    lastWrite: new Map(),
    written: new Map(),
    bySubagent: new Map(),
    elsewhere: new Set(),
    begun: new Map(),
    delegated: new Map(),
    checked: new Map(),
    ticked: new Map(),
    checks: new Map(),
    behind: new Map(),
    told: new Set(),
    loose: new Map(),
    since: -1,
  }
  let isSealed = false
  let lastTick = -1
  const open = (): void => {
    if (!isSealed) return
    facts.loose = new Map()
    facts.since = lastTick
    isSealed = false
  }
  for (const [at, entry] of entries.entries()) {
    const isTick = entry.kind === "approved" || isClaim(entry)
    // Ticks that were seen together share what was written before them.
    if (isTick) {
      isSealed = true
      lastTick = at
    } else if (entry.kind !== "checks" && entry.kind !== "tick") open()
    note(facts, entry, idFor(entry), at)
  }
  open()
  return facts
}

/** Where a file was written last: by its name, with a folder above it, or `withAll` with the whole tree. */
export function lastWriteOf(
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

function note(facts: ProofFacts, entry: ProofEntry, id: string, at: number): void {
  switch (entry.kind) {
    case "tick":
    case "approved":
      noteTick(facts, entry, id)
      return
    case "reopened":
      facts.ticked.delete(id)
      return
    case "checks":
      facts.checks.set(id, checksAfter(facts.checks.get(id), entry))
      return
    case "run":
      facts.checked.set(id, at)
      keepRun(facts, id, { fact: entry, at })
      break
    case "begun":
      keepBegun(facts, id, entry.tree)
      return
    case "write":
      noteWrite(facts, id, entry.path, at)
      break
    case "back":
      keepBySubagent(facts, id)
      keepBack(facts, id, entry.tree ?? null)
      break
  }
  if (id !== "" && !facts.begun.has(id)) facts.begun.set(id, at)
}

function noteTick(facts: ProofFacts, entry: ProofEntry, id: string): void {
  const tier = entry.kind === "tick" ? entry.tier : "approved"
  facts.ticked.set(id, tier)
  if (tier === "before") return
  if (tier !== "approved" && tier !== "proven") facts.told.add(id)
  for (const [path, first] of facts.loose) keepWrite(facts, id, path, first)
  if (!facts.behind.has(id)) facts.behind.set(id, facts.since)
}

function noteWrite(facts: ProofFacts, id: string, path: string, at: number): void {
  if (path === "") {
    if (id !== "") facts.elsewhere.add(id)
    return
  }
  facts.lastWrite.set(path, at)
  if (id !== "") {
    keepWrite(facts, id, path, at)
    keepBySubagent(facts, id, path)
  } else if (!facts.loose.has(path)) facts.loose.set(path, at)
}

/**
 * With another check in its place the new one counts. What an agent only takes out is still asked for; a person may take out
 * what they like.
 */
function checksAfter(
  known: KnownChecks | undefined,
  { checks, by }: ProofEntry & { kind: "checks" },
): KnownChecks {
  if (known === undefined) return { now: checks, takenOut: [], before: [] }
  const asked = [...known.now, ...known.takenOut]
  const isReplaced = checks.some((check) => !asked.includes(check))
  const gone = asked.filter((check) => !checks.includes(check))
  const before = [...new Set([...known.before, ...asked])].filter((one) => !checks.includes(one))
  return { now: checks, takenOut: by === "agent" && !isReplaced ? gone : [], before }
}

/** One that begins while another is under way, or behind one that was lost, says nothing of the tree. */
function keepBegun({ delegated }: ProofFacts, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known === undefined || (known.isSame && known.from === null)
  delegated.set(id, { isSame, from: tree, tree: known?.tree ?? tree })
}

function keepBack({ delegated }: ProofFacts, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known?.isSame === true && known.from !== null && known.from === tree
  delegated.set(id, { isSame, from: null, tree: known?.tree ?? null })
}

function keepRun({ runs }: ProofFacts, id: string, run: Placed<CheckRun>): void {
  const { check } = run.fact
  const of = runs.get(check) ?? new Map<string, Placed<CheckRun>>()
  runs.set(check, of.set(id, run))
}

function keepWrite({ written }: ProofFacts, id: string, path: string, at: number): void {
  const of = written.get(id) ?? new Map<string, number>()
  written.set(id, of)
  if (!of.has(path)) of.set(path, at)
}

/** A task of which a subagent has brought or written something is one that was delegated. */
function keepBySubagent({ bySubagent }: ProofFacts, id: string, path?: string): void {
  const of = bySubagent.get(id) ?? new Set<string>()
  if (path !== undefined) of.add(path)
  bySubagent.set(id, of)
}

/** What one task can be told by, of all that is known of it. */
export interface OwnFacts {
  readonly id: string
  readonly written: ReadonlyMap<string, number>
  /** Where it began: with its subagent's first result or write, else behind the tick before, for the lead's own. */
  readonly begun: number
}

/** The facts of one task: its own, and what the lead has written since the ticks before its own. */
export function ownFacts(facts: ProofFacts, task: Task): OwnFacts {
  const id = idOf(task)
  const kept = facts.written.get(id) ?? new Map<string, number>()
  const isTicked = facts.ticked.has(id)
  const written = isTicked ? kept : new Map([...facts.loose, ...kept])
  const since = (isTicked ? facts.behind.get(id) : undefined) ?? facts.since
  return { id, written, begun: facts.begun.get(id) ?? since }
}
