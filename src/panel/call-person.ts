// Decides when the host should call its user: a work needs them, or has ended.
import type { WorkView } from "../boulder/live-view.ts"
import { notifyEventOf } from "../decide/notification.ts"
import { reasonSays } from "../prompts/reasons.ts"

type Shown = Pick<WorkView, "work_id" | "plan_name" | "state">

/**
 * What has come up between two looks that somebody who is away wants to know, one line for each work. Questions and permission requests are
 * not included: the host itself calls for these. A work that was not there before has no news.
 */
export function callsBetween(before: readonly Shown[], after: readonly Shown[]): readonly string[] {
  const known = new Map(before.map((work) => [work.work_id, callOf(work)]))
  return after.flatMap((work) => {
    const call = callOf(work)
    const isNew = known.has(work.work_id) && known.get(work.work_id) !== call
    return call !== null && isNew ? [call] : []
  })
}

function callOf({ plan_name: name, state }: Shown): string | null {
  switch (state.kind) {
    case "complete":
      return `${name} is complete`
    case "waiting-for-you":
      return state.for === "approval" ? `${name} waits for your approval` : null
    case "paused":
      return notifyEventOf("pause", state.reason) === null
        ? null
        : `${name} is paused: ${reasonSays(state.reason)}`
    default:
      return null
  }
}
