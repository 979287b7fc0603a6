// The checks that tasks were seen with, and which tasks a check is required for.
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { withChecks } from "../../plan/model/once-a-reading.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { idOf } from "./proof-names.ts"

/** The checks that a task was seen with. */
export interface KnownChecks {
  /** As last seen in the plan. */
  readonly now: readonly string[]
  /** Removed by an agent and not restored: they are still required. */
  readonly takenOut: readonly string[]
  /** What the plan had earlier in this work and no longer has. */
  readonly before: readonly string[]
}

/** Which tasks a check is required for. */
export interface CheckOwners {
  /** The tasks of the plan that have a check, by check. */
  readonly owners: ReadonlyMap<string, ReadonlySet<string>>
  /** The checks that each task was seen with. */
  readonly checks: ReadonlyMap<string, KnownChecks>
}

/** The tasks of a plan that have a check, by check. */
export function ownersIn({ tasks }: Pick<Plan, "tasks">): CheckOwners["owners"] {
  const owners = new Map<string, Set<string>>()
  for (const task of withChecks(tasks))
    for (const { command } of task.checks ?? [])
      owners.set(command, (owners.get(command) ?? new Set()).add(idOf(task)))
  return owners
}

/** The tasks that a check is required for: by the plan, or by its earlier state if the plan no longer names it. */
export function ownersOf({ owners, checks }: CheckOwners, check: string): ReadonlySet<string> {
  return owners.get(check) ?? ownersThen({ checks }, check)
}

/** The tasks that a check was required for at the last look, whatever the plan says now. */
export function ownersThen(
  { checks }: Pick<CheckOwners, "checks">,
  check: string,
): ReadonlySet<string> {
  const asked = [...checks].filter(
    ([, { now, takenOut }]) => now.includes(check) || takenOut.includes(check),
  )
  return new Set(asked.map(([id]) => id))
}

/**
 * If another check takes its place, the new one counts. A check that an agent only removes is still required; a person may remove what they
 * like.
 */
export function checksAfter(
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
