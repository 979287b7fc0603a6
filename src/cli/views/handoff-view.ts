// The open handoffs for a person.
import { type Handoff, holderOf } from "../../boulder/handoff.ts"
import { msUntil } from "../../boulder/iso-time.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { ageText } from "../../prompts/handoff-words.ts"
import { wrapLine } from "./columns.ts"

/** How they are shown: when, how wide, and with what their sessions said last (`all`). */
interface Showing {
  /** ms since 1970, by the store's clock */
  readonly now: number
  readonly columns: number
  readonly all: boolean
  /** Where each was written last, where the store knows. */
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
  const holder = holderOf(handoff, now)
  const state =
    holder !== null
      ? `held by ${holder}, ${minutesLeft(claim?.lease_until ?? updated_at, now)} min left`
      : status === "blocked"
        ? `blocked ${ageText(blocked_at ?? updated_at, now)}`
        : `interrupted ${ageText(claim?.lease_until ?? updated_at, now)}`
  const where = machine === undefined ? "" : `, on ${cleanLine(machine)}`
  return `${id}  ${state}, ${attempts} ${attempts === 1 ? "attempt" : "attempts"}${where}`
}

function detailsOf(handoff: Handoff): readonly string[] {
  const { task_key: key, task_text: text, plan_name: plan, summary } = handoff
  const task = [key, text ?? summary.slice(0, 120)].filter((part) => part !== null).join(" ")
  return [
    `${cleanLine(task)}${plan === null ? "" : ` (plan ${cleanLine(plan)})`}`,
    ...(handoff.blocked_reason === null ? [] : [`Blocked: ${cleanLine(handoff.blocked_reason)}`]),
    ...(handoff.unblock === null ? [] : [`Unblock: ${cleanLine(handoff.unblock)}`]),
  ]
}

function minutesLeft(until: string, now: number): number {
  return Math.max(1, Math.ceil(msUntil(until, now) / 60_000))
}
