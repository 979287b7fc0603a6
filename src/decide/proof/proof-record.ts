// All that is known of a work's checks, by the tasks of its plan, before it is judged.
import type { CheckRun } from "../../boulder/proof-entry.ts"
import type { Delegated } from "./delegated-trees.ts"
import type { CheckOwners, KnownChecks } from "./known-checks.ts"
import { type LooseWrites, noLooseWrites } from "./loose-writes.ts"

/** A fact, and its index in the order of all. */
export interface Ordered<Fact> {
  readonly fact: Fact
  readonly at: number
}

/** A run of a check, and whether several tasks had that check then. */
export interface OrderedRun extends Ordered<CheckRun> {
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
  /** What the lead has written last, and where that stands. */
  lastOfLead: LeadWrite | null
  /** What the lead had written, and no check was run behind, when a task was ticked unproven: it may be any other's. */
  readonly untested: Map<string, LeadWrite>
  /** Written by the lead, and no ticked task's. */
  readonly loose: LooseWrites
  readonly owners: CheckOwners["owners"]
  /** The last tick before the one that comes next; before all where there is none. */
  since: number
}

/** A file that the lead has written, and where that stands. */
interface LeadWrite {
  readonly path: string
  readonly at: number
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

/** Nothing is known yet. */
export function noFacts(owners: CheckOwners["owners"]): ProofFacts {
  return {
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
    lastOfLead: null,
    untested: new Map(),
    loose: noLooseWrites(),
    owners,
    since: -1,
  }
}
