// What was written down of a work's checks, gathered by the tasks of its plan as it is now.
import { type CheckRun, type ProofEntry, WHOLE_TREE } from "../boulder/proof-entry.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import {
  type CheckOwners,
  checksAfter,
  type KnownChecks,
  ownersIn,
  ownersOf,
  ownersThen,
} from "./known-checks.ts"
import { endTurn, keepLoose, type LooseWrites, looseOf, noLooseWrites } from "./loose-writes.ts"
import { idOf, isClaim, namesIn } from "./proof-names.ts"
import { isOpen, keepStale, type StaleBy } from "./stale-runs.ts"

/** A fact, and its index in the order of all. */
export interface Ordered<Fact> {
  readonly fact: Fact
  readonly at: number
}

/** A run of a check, and whether several tasks had that check then. */
interface OrderedRun extends Ordered<CheckRun> {
  readonly wasShared: boolean
}

/** All that is known, by task; "" stands for none. */
export interface ProofFacts {
  /** The last run of each check for each task. */
  readonly runs: Map<string, Map<string, OrderedRun>>
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
  readonly loose: LooseWrites
  /** The checks that were run since the last tick. */
  readonly tried: Set<string>
  /** What has made the runs of a task stale before the tick of another one. */
  readonly stale: Map<string, StaleBy>
  readonly owners: CheckOwners["owners"]
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
  const bySubagent: ProofFacts["bySubagent"] = new Map()
  const facts: ProofFacts = {
    runs: new Map(),
    lastWrite: new Map(),
    written: new Map(),
    bySubagent,
    elsewhere: new Set(),
    begun: new Map(),
    delegated: new Map(),
    checked: new Map(),
    ticked: new Map(),
    checks: new Map(),
    behind: new Map(),
    told: new Set(),
    loose: noLooseWrites(bySubagent),
    tried: new Set(),
    stale: new Map(),
    owners: ownersIn(plan),
    since: -1,
  }
  /** When the look was that has seen the last ticks; null where something has come behind them. */
  let sealedAt: string | null = null
  let lastTick = -1
  const open = (): void => {
    if (sealedAt === null) return
    keepStale(facts)
    keepTurns(facts)
    facts.tried.clear()
    facts.loose.files.clear()
    facts.since = lastTick
    sealedAt = null
  }
  for (const [at, entry] of entries.entries()) {
    const isTick = entry.kind === "approved" || isClaim(entry)
    // Ticks of one look share what was written before them; such as only stand next to each other do not.
    if (isTick) {
      if (entry.at !== sealedAt) open()
      sealedAt = entry.at
      lastTick = at
    } else if (entry.kind !== "checks" && entry.kind !== "tick") open()
    note(facts, entry, idFor(entry), at)
  }
  open()
  return facts
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
      keepRun(facts, id, { fact: entry, at, wasShared: ownersThen(facts, entry.check).size > 1 })
      noteTurn(facts, entry, id, at)
      break
    case "begun":
      keepBegun(facts.delegated, id, entry.tree)
      return
    case "write":
      noteWrite(facts, id, entry.path, at)
      break
    case "back":
      keepBySubagent(facts, id)
      keepBack(facts.delegated, id, entry.tree ?? null)
      break
  }
  if (id !== "" && !facts.begun.has(id)) facts.begun.set(id, at)
}

function noteTick(facts: ProofFacts, entry: ProofEntry, id: string): void {
  const tier = entry.kind === "tick" ? entry.tier : "approved"
  facts.ticked.set(id, tier)
  if (tier === "before") return
  if (tier !== "approved" && tier !== "proven") facts.told.add(id)
  for (const [path, first] of looseOf(facts.loose, id)) keepWrite(facts, id, path, first)
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
  } else keepLoose(facts.loose, path, { at, isMended: isOfOpen(facts, path) })
}

/** The subagent of a task that is open has written a file. */
function isOfOpen(facts: ProofFacts, path: string): boolean {
  const by = [...facts.bySubagent].some(([id, paths]) => paths.has(path) && isOpen(facts, id))
  return path !== WHOLE_TREE && by
}

/** Whose turn a run of the lead's ends. */
function noteTurn(facts: ProofFacts, { check, outcome }: CheckRun, id: string, at: number): void {
  facts.tried.add(check)
  const then = ownersThen(facts, check)
  const owners = then.size > 0 ? then : ownersOf(facts, check)
  const [only] = owners.size === 1 ? owners : []
  if (only === undefined || !isOpen(facts, only) || id !== "" || outcome !== "passed") return
  endTurn(facts.loose, only, at)
  const [begun] = [...facts.loose.files.values()].map(({ first }) => first)
  if (begun !== undefined && !facts.begun.has(only)) facts.begun.set(only, begun)
}

/** One that begins while another is under way, or behind one that was lost, says nothing of the tree. */
function keepBegun(delegated: Map<string, Delegated>, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known === undefined || (known.isSame && known.from === null)
  delegated.set(id, { isSame, from: tree, tree: known?.tree ?? tree })
}

function keepBack(delegated: Map<string, Delegated>, id: string, tree: string | null): void {
  const known = delegated.get(id)
  const isSame = known?.isSame === true && known.from !== null && known.from === tree
  delegated.set(id, { isSame, from: null, tree: known?.tree ?? null })
}

function keepRun({ runs }: ProofFacts, id: string, run: OrderedRun): void {
  const { check } = run.fact
  const of = runs.get(check) ?? new Map<string, OrderedRun>()
  runs.set(check, of.set(id, run))
}

/** What was written in the turn of a task that is open stays its own behind the tick of another one. */
function keepTurns(facts: ProofFacts): void {
  for (const [path, { first, turn }] of facts.loose.files)
    if (turn !== null && isOpen(facts, turn)) keepWrite(facts, turn, path, first)
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
  /**
   * Where it began: with its subagent's first result or write, or with what the lead had written when its own check passed; else
   * behind the tick before.
   */
  readonly begun: number
}

/** The facts of one task: its own, and what the lead has written since the ticks before its own. */
export function ownFacts(facts: ProofFacts, task: Task): OwnFacts {
  const id = idOf(task)
  const kept = facts.written.get(id) ?? new Map<string, number>()
  const isTicked = facts.ticked.has(id)
  const written = isTicked ? kept : new Map([...looseOf(facts.loose, id), ...kept])
  const since = (isTicked ? facts.behind.get(id) : undefined) ?? facts.since
  return { id, written, begun: facts.begun.get(id) ?? since }
}
