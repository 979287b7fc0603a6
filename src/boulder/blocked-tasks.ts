// The plan's blocked tasks, each with its reason, its record and what would unblock it.
import { isAdapted } from "../plan/formats.ts"
import { tasksWhere } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { Work } from "./boulder.ts"
import type { Handoff } from "./handoff.ts"
import { taskIn } from "./handoff-target.ts"
import { reasonAlone, unblockIn } from "./handoff-unblock.ts"

/** A task that is held up, by a block or by a marker that nobody knows, with all that is known of its block. */
export interface BlockedTask {
  readonly key: string
  readonly title: string
  /** Null where neither a handoff nor the plan says why. */
  readonly reason: string | null
  /** What must be true before it can go on, where the reason says so. */
  readonly unblock: string | null
  /** It is ticked and not proven: that a person approves it unblocks it too. */
  readonly isHeld: boolean
  /** The record of who blocked it, when and after how many attempts; null for a mark by hand. */
  readonly handoff: Handoff | null
}

/** Tasks that nothing but an edit of theirs sets free: blocked ones, and those with a marker that nobody knows. */
export function heldUp({ tasks }: Plan): readonly Task[] {
  return heldUpIn(tasks)
}

const heldUpIn = tasksWhere(
  ({ state, unknown }) => state === "blocked" || (state === "open" && unknown === true),
)

/** The plan's held up tasks in its order; `handoffs` are the open ones. */
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
    const held = isHeld ? "its check exits with 0 in the session, or you approve it" : null
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
  // The whole status of a heading stands in its warning.
  const hasNone = marker === "" || steps !== undefined
  const word = hasNone ? "" : ` "${marker}"`
  const [reason, unblock] =
    hasNone || isAdapted(dialect ?? "")
      ? [`unknown status${word}`, "its status is pending or done"]
      : [`unknown marker [${marker}]`, "its box is [ ] or [x]"]
  return { key, title, reason, unblock, isHeld: false, handoff: null }
}

/** The record of a block; a note that does not name it was written for another block, which the record knows nothing of. */
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
