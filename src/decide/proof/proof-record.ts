// Everything known about a work's checks, by task, before it is judged.
import type { CheckRun } from "../../boulder/proof-entry.ts"
import type { Delegated } from "./delegated-trees.ts"
import type { CheckOwners, KnownChecks } from "./known-checks.ts"
import type { LooseWrites } from "./loose-writes.ts"

/** A fact and its position in the order of everything. */
export interface Ordered<Fact> {
  readonly fact: Fact
  readonly at: number
}

/** A run of a check, and whether several tasks had that check at the time. */
export interface OrderedRun extends Ordered<CheckRun> {
  readonly wasShared: boolean
}

/** Everything that is known, by task; "" stands for no task. */
export interface ProofFacts {
  /** The last run of each check for each task. */
  readonly runs: Map<string, Map<string, OrderedRun>>
  readonly lastWrite: Map<string, number>
  /** The files written for it, each with the first time. */
  readonly written: Map<string, Map<string, number>>
  /** Those that its subagents have written. */
  readonly bySubagent: Map<string, Set<string>>
  /** Something was written for it outside the work tree. */
  readonly elsewhere: Set<string>
  /** The position of its first fact. */
  readonly begun: Map<string, number>
  /** Whether its delegations are known to have left the tree unchanged; the tree that the current one started with, and the one before. */
  readonly delegated: Map<string, Delegated>
  /** The position of the last run of any check. */
  readonly checked: Map<string, number>
  /** How it stood when its tick was last looked at. */
  readonly ticked: Map<string, string>
  /** Where its tick was last taken back: earlier runs do not count for it. */
  readonly reopened: Map<string, number>
  readonly checks: Map<string, KnownChecks>
  /** The tick of another task after which its own was seen. */
  readonly behind: Map<string, number>
  /** Tasks that were told of with a tick. */
  readonly told: Set<string>
  /** What the lead wrote last, and its position. */
  lastOfLead: LeadWrite | null
  /** What the lead had written without running a check when a task was ticked unproven: it may belong to any other task. */
  readonly untested: Map<string, LeadWrite>
  /** Written by the lead, and not taken by a ticked task. */
  readonly loose: LooseWrites
  readonly owners: CheckOwners["owners"]
  /** The last tick before the next one; before everything if there is none. */
  since: number
}

/** A file that the lead wrote, and its position. */
interface LeadWrite {
  readonly path: string
  readonly at: number
}

/** What concerns one task, of everything that is known. */
export interface OwnFacts {
  readonly id: string
  readonly written: ReadonlyMap<string, number>
  /**
   * Where the task began: with its subagent's first result or write, or with what the lead had written when the task's own check passed;
   * else after the previous tick.
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
    reopened: new Map(),
    checks: new Map(),
    behind: new Map(),
    told: new Set(),
    lastOfLead: null,
    untested: new Map(),
    loose: { files: new Map(), fresh: new Set(), tried: new Set() },
    owners,
    since: -1,
  }
}
