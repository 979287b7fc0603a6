// The checks that tasks were seen with, and of which tasks each is asked.
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { withChecks } from "../../plan/model/once-a-reading.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { idOf } from "./proof-names.ts"

/** The checks that a task was seen with. */
export interface KnownChecks {
  /** As the plan had them last. */
  readonly now: readonly string[]
  /** Such as an agent has taken out, and nobody has put back: they are asked for all the same. */
  readonly takenOut: readonly string[]
  /** What the plan had before, in this work, and has no more. */
  readonly before: readonly string[]
}

/** Of which tasks a check is asked. */
export interface CheckOwners {
  /** The tasks of the plan that have a check, by that. */
  readonly owners: ReadonlyMap<string, ReadonlySet<string>>
  /** What each task was seen with. */
  readonly checks: ReadonlyMap<string, KnownChecks>
}

/** The tasks of a plan that have a check, by that. */
export function ownersIn({ tasks }: Pick<Plan, "tasks">): CheckOwners["owners"] {
  const owners = new Map<string, Set<string>>()
  for (const task of withChecks(tasks))
    for (const { command } of task.checks ?? [])
      owners.set(command, (owners.get(command) ?? new Set()).add(idOf(task)))
  return owners
}

/** The tasks that a check is asked for: by the plan, or where that names it no more. */
export function ownersOf({ owners, checks }: CheckOwners, check: string): ReadonlySet<string> {
  return owners.get(check) ?? ownersThen({ checks }, check)
}

/** The tasks that a check was asked for when it was last looked at, whatever the plan says now. */
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
 * With another check in its place the new one counts. What an agent only takes out is still asked for; a person may take out
 * what they like.
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
