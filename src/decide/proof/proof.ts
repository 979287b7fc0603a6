// What the ticks of a plan are based on: the one place that says whether a task is proven.
import { withoutHold } from "../../boulder/held-plan.ts"
import { type ProofEntry, type Tier, WHOLE_TREE } from "../../boulder/proof-entry.ts"
import type { KnownTask } from "../../plan/match-tasks.ts"
import { isSettled, type Plan, type Task } from "../../plan/model/plan.ts"
import type { ProofSummary, Standing } from "../decision.ts"
import { judgesAmong } from "./judge-files.ts"
import type { KnownChecks } from "./known-checks.ts"
import { untoldIn } from "./loose-writes.ts"
import { gatherProof, ownFacts } from "./proof-facts.ts"
import { idOf, taskNamed } from "./proof-names.ts"
import type { OwnFacts, ProofFacts } from "./proof-record.ts"
import { isProse, isReadBy } from "./prose.ts"
import { isBeforeReopened, isOpen, lastRunOf, staleBy } from "./stale-runs.ts"

/** What is known about the checks of a plan. */
export interface Proof {
  /** Null for a task without checks, and for an open one whose checks have not run. */
  of(task: Task): Standing | null
  /** The checks that it was seen with; null if none are recorded. */
  known(task: Task): KnownChecks | null
  /** The checks it must pass: the plan's, and those that an agent removed from it. */
  asked(task: Task): readonly string[]
  /** The files written for it that also judge it: its checks name them, or they configure its checks. */
  judgesEdited(task: Task): readonly string[]
  /**
   * For a task that was delegated and came back although nothing was written for it, the tree is unchanged and no check ran: the tree it
   * began with. Null for any other task.
   */
  nothingDoneIn(task: Task): string | null
  /** The checks of rows that are no longer in the plan and whose tasks were neither proven, approved nor older than the work. */
  readonly gone: readonly (KnownTask & { readonly checks: readonly string[] })[]
  /** Its tick was seen, and was not taken back. */
  isTickKnown(task: Task): boolean
  /** An earlier tick of it was seen that was not proven. */
  isTold(task: Task): boolean
  /** It was proven when its tick was seen, or later, or needs no proof because it was approved or is older than the work. */
  isTickProven(task: Task): boolean
}

/** From worst to best. */
const GRAVEST: readonly Tier[] = ["failed", "unavailable", "claimed", "changed", "proven"]

/**
 * How the tasks of a plan stand by what was recorded, in its order. A task is proven if the last run of each of its checks ended with 0 and
 * no file that was written for it has been written since. A check that several tasks have counts for a task only if it ran for that task,
 * or if the lead ran it after the task's first result or write; for a task that the lead works on itself, after the previous tick. What a
 * lead writes itself belongs to the tasks that are ticked next.
 */
export function proofOf(plan: Pick<Plan, "tasks">, entries: readonly ProofEntry[]): Proof {
  const facts = gatherProof(plan, entries)
  const known = (task: Task): KnownChecks | null => facts.checks.get(idOf(task)) ?? null
  const asked = (task: Task): readonly string[] => {
    const named = (task.checks ?? []).map(({ command }) => command)
    const takenOut = known(task)?.takenOut ?? []
    return [...named, ...takenOut.filter((check) => !named.includes(check))]
  }
  const ids = new Set(plan.tasks.map(idOf))
  const gone = [...facts.checks].flatMap(([id, { now, takenOut }]) => {
    const isMeant = !ids.has(id) && isOpen(facts, id)
    const checks = [...now, ...takenOut]
    return isMeant && checks.length > 0 ? [{ ...taskNamed(id), checks }] : []
  })
  return {
    known,
    asked,
    gone,
    judgesEdited(task) {
      const { written } = ownFacts(facts, task)
      // If any file may have been written, nobody knows which.
      return judgesAmong(
        [...written.keys()].filter((path) => path !== WHOLE_TREE),
        asked(task),
      )
    },
    nothingDoneIn: (task) => nothingDoneIn(facts, task),
    isTickKnown: (task) => facts.ticked.has(idOf(task)),
    isTold: (task) => facts.told.has(idOf(task)),
    isTickProven: (task) => !isOpen(facts, idOf(task)),
    of(task) {
      const checks = asked(task)
      const own = testedOf(ownFacts(facts, task), checks)
      const named = new Set((task.checks ?? []).map(({ command }) => command))
      const all = checks.map((check) => ({
        ...standingOf(check, own, facts),
        isTakenOut: !named.has(check),
      }))
      const worst = GRAVEST.flatMap((tier) => all.filter((one) => one.tier === tier))[0]
      if (worst === undefined) return null
      const isTicked = isSettled(withoutHold(task))
      return isTicked || all.some(({ run }) => run !== null) ? worst : null
    },
  }
}

/** The ticked tasks of a plan, including held ones, by what they are based on; null if no task has a check. */
export function proofSummary({ tasks }: Pick<Plan, "tasks">, proof: Proof): ProofSummary | null {
  if (!tasks.some((task) => proof.asked(task).length > 0)) return null
  const ticked = tasks.flatMap((task) => {
    const isTicked = withoutHold(task).state === "done"
    const tier = isTicked ? proof.of(withoutHold(task))?.tier : undefined
    return tier === undefined ? [] : [{ key: task.key, tier }]
  })
  const unproven = ticked.filter(({ tier }) => tier !== "proven")
  return { ticked: ticked.length, proven: ticked.length - unproven.length, unproven }
}

/** A review of the final wave looks and changes nothing. */
function nothingDoneIn(facts: ProofFacts, task: Task): string | null {
  if (task.section === "final-wave") return null
  const { id, written, begun } = ownFacts(facts, task)
  const delegated = facts.delegated.get(id)
  const isBack = delegated?.isSame === true && delegated.from === null
  const isChecked = facts.checked.has(id) || (facts.checked.get("") ?? -1) > begun
  const hasWritten = written.size > 0 || untoldIn(facts.loose).length > 0
  const isNone = isBack && !hasWritten && !facts.elsewhere.has(id) && !isChecked
  return isNone ? delegated.tree : null
}

/** Texts that its checks do not read are no work of a task that has other files. */
function testedOf(own: OwnFacts, checks: readonly string[]): OwnFacts {
  const isRead = isReadBy(checks)
  const tested = [...own.written].filter(([path]) => !isProse(path) || isRead(path))
  return tested.length === 0 ? own : { ...own, written: new Map(tested) }
}

function standingOf(check: string, own: OwnFacts, facts: ProofFacts): Omit<Standing, "isTakenOut"> {
  const last = lastRunOf(facts, check, own)
  const standing = { check, run: last?.fact ?? null, changed: null }
  const runs = facts.runs.get(check)
  if (last === null && runs !== undefined) {
    const isOlder = [...runs.values()].every((run) => isBeforeReopened(facts, own.id, run))
    const uncounted = isOlder ? "taken-back" : "another's"
    return { ...standing, tier: "claimed", uncounted }
  }
  if (last === null || last.fact.outcome === "unknown") return { ...standing, tier: "claimed" }
  if (last.fact.outcome !== "passed") return { ...standing, tier: last.fact.outcome }
  const changed = staleBy(facts, own, last.at)?.path ?? null
  return changed === null
    ? { ...standing, tier: "proven" }
    : { ...standing, tier: "changed", changed }
}
