// Shows the open handoffs to a person.
import { type Handoff, holderOf } from "../../boulder/handoff.ts"
import { reasonAlone } from "../../boulder/handoff-unblock.ts"
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { ageText, attemptsText } from "../../prompts/handoff-words.ts"
import type { KeptSaves, Pile } from "../../store/fleet/kept-saves.ts"
import { wrapLine } from "./columns.ts"

/** How to show them: the time, the width, and whether with what their sessions said last (`all`). */
interface Showing {
  /** ms since 1970, by the store's clock */
  readonly now: number
  readonly columns: number
  readonly all: boolean
  /** The machine where each was written last, if the store knows. */
  readonly machines: ReadonlyMap<string, string> | undefined
}

/** The open handoffs for a person; no line is longer than `columns`. */
export function handoffsText(
  handoffs: readonly Handoff[],
  { now, columns, all, machines }: Showing,
): string {
  if (handoffs.length === 0) return "No task is waiting, and no session holds one.\n"
  const lines = handoffs.flatMap((handoff) => [
    headOf(handoff, now, machines?.get(handoff.id)),
    ...detailsOf(handoff).map((line) => `  ${line}`),
    ...(all ? [`  Said ${ageText(handoff.updated_at, now)}: ${cleanLine(handoff.summary)}`] : []),
  ])
  return `${lines.flatMap((line) => wrapLine(line, columns)).join("\n")}\n`
}

function headOf(handoff: Handoff, now: number, machine: string | undefined): string {
  const { id, status, blocked_at, updated_at, claim, attempts } = handoff
  const state =
    claim !== null && holderOf(handoff, now) !== null
      ? `held by ${claim.session_id}, taken ${ageText(claim.since ?? claim.claimed_at, now)}, ${Math.max(1, Math.ceil(msUntil(claim.lease_until, now) / 60_000))} min left`
      : status === "blocked"
        ? `blocked ${ageText(blocked_at ?? updated_at, now)}`
        : `interrupted ${ageText(claim?.lease_until ?? updated_at, now)}`
  const where = machine === undefined ? "" : `, on ${cleanLine(machine)}`
  return `${id}  ${state}, ${attemptsText(attempts)}${where}`
}

function detailsOf(handoff: Handoff): readonly string[] {
  const { task_key: key, task_text: text, plan_name: plan, summary } = handoff
  const { blocked_reason: reason, unblock } = handoff
  const task = [key, text ?? summary.slice(0, 120)].filter((part) => part !== null).join(" ")
  return [
    `${cleanLine(task)}${plan === null ? "" : ` (plan ${cleanLine(plan)})`}`,
    ...(reason === null
      ? []
      : [`Blocked: ${cleanLine(unblock === null ? reason : reasonAlone(reason))}`]),
    ...(unblock === null ? [] : [`Unblock when: ${cleanLine(unblock)}`]),
  ]
}

const SAVE_AGAIN = "Read what it says, save that again, and remove the file."

/** A line for each kind of kept save; `isShared`: the project's handoffs are in a database now. `now` in ms. */
export function keptLines(
  kept: KeptSaves | null,
  { isShared, now }: { readonly isShared: boolean; readonly now: number },
) {
  if (kept === null) return []
  const lines: readonly (readonly [pile: Pile, state: string, todo: string])[] = [
    [
      kept.waiting,
      "in .boulder/handoffs/away, not yet in the database of the handoffs",
      isShared
        ? "No other machine sees that yet. opencode sends it automatically while it runs here and the database answers."
        : "Nothing sends that while handoffs.store is not postgres. Set it again, or save again what it says and remove it.",
    ],
    [kept.unreadable, "in .boulder/handoffs/away that cannot be read", SAVE_AGAIN],
    [
      kept.set_aside,
      "in .boulder/handoffs/set-aside that the database does not accept",
      SAVE_AGAIN,
    ],
  ]
  return lines.flatMap(([{ count, since }, state, todo]) => {
    if (count === 0) return []
    const saves = count === 1 ? "1 save is kept" : `${count} saves are kept`
    const age =
      since === null
        ? ""
        : ` (${count === 1 ? "from" : "the oldest from"} ${ageText(isoOf(since), now)})`
    return [{ says: `${saves} ${state}${age}.`, todo }]
  })
}
