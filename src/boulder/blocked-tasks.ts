// Lists the plan's blocked tasks, each with its reason, its record and what would unblock it.
import { isAdapted } from "../plan/formats.ts"
import { tasksWhere } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { Work } from "./boulder.ts"
import type { Handoff } from "./handoff.ts"
import { taskIn } from "./handoff-target.ts"
import { reasonAlone, unblockIn } from "./handoff-unblock.ts"

/** A task held up by a block or by a marker that nobody knows, with everything known about its block. */
export interface BlockedTask {
  readonly key: string
  readonly title: string
  /** Null if neither a handoff nor the plan says why. */
  readonly reason: string | null
  /** What must be true before it can go on, if the reason says so. */
  readonly unblock: string | null
  /** It is ticked but not proven, so a person's approval unblocks it, too. */
  readonly isHeld: boolean
  /** The record of who blocked it, when and after how many attempts; null for a mark set by hand. */
  readonly handoff: Handoff | null
}

/** Tasks that only an edit of their own frees: blocked ones, and those with a marker that nobody knows. */
export function heldUp({ tasks }: Plan): readonly Task[] {
  return heldUpIn(tasks)
}

const heldUpIn = tasksWhere(
  ({ state, unknown }) => state === "blocked" || (state === "open" && unknown === true),
)

/** The tasks of the plan that are held up, in its order; `handoffs` are the open ones. */
export function blockedTasks(given: {
  readonly plan: Plan
  readonly work: Work
  readonly handoffs: readonly Handoff[]
}): readonly BlockedTask[] {
  const { plan, work, handoffs } = given
  return heldUp(plan).map((task) => {
    if (task.state !== "blocked") return ofUnknown(task)
    const note = task.note?.words ?? null
    const handoff = recordOf(plan, task, work, handoffs, note)
    const reason = handoff?.blocked_reason ?? note
    const isHeld = task.held !== undefined
    const held = isHeld
      ? "the agent runs its check in the session and it exits with 0, or you approve it"
      : null
    const unblock = handoff?.unblock ?? held ?? (reason === null ? null : unblockIn(reason))
    return {
      key: task.key,
      title: task.title,
      reason: reason === null ? null : reasonAlone(reason),
      unblock,
      isHeld,
      handoff,
    }
  })
}

function ofUnknown({ key, title, marker, dialect, steps }: Task): BlockedTask {
  // The warning holds the heading's whole status.
  const hasNone = marker === "" || steps !== undefined
  const word = hasNone ? "" : ` "${marker}"`
  const [reason, unblock] =
    hasNone || isAdapted(dialect ?? "")
      ? [`unknown status${word}`, "its status is pending or done"]
      : [`unknown marker${word}`, "its box is empty or has an x"]
  return { key, title, reason, unblock, isHeld: false, handoff: null }
}

/** The record of a block. A note that does not name it was written for another block, about which the record says nothing. */
function recordOf(
  plan: Plan,
  task: Task,
  work: Work,
  handoffs: readonly Handoff[],
  note: string | null,
): Handoff | null {
  const known = Object.hasOwn(work.blocked, task.key) ? work.blocked[task.key] : undefined
  const isOf = (handoff: Handoff): boolean =>
    handoff.id === known ||
    (handoff.work_id === work.work_id && taskIn(plan, handoff)?.key === task.key)
  const isMeant = ({ id, status, from_outside }: Handoff): boolean =>
    status === "blocked" && from_outside !== true && (note === null || note.includes(id))
  return handoffs.find((handoff) => isMeant(handoff) && isOf(handoff)) ?? null
}
