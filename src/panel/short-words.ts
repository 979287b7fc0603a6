// Puts numbers, spans of time, calls and limits into few columns.
import { elapsedMs } from "../boulder/iso-time.ts"
import type { WorkView } from "../boulder/live-view.ts"
import type { Typed } from "../prompts/typed-command.ts"

/** A number in at most four or five characters: `940`, `12k`, `1.2M`. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(Math.round(value))
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`
  return `${(value / 1_000_000).toFixed(1)}M`
}

/** How long ago an ISO time was: `4s`, `12m`, `3h`, `2d`. `now` in ms. */
function sinceWords(since: string, now: number): string {
  const seconds = Math.round(elapsedMs(since, now) / 1_000)
  if (!Number.isFinite(seconds)) return "?"
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`
}

/** A task that waits for a limit: until an ISO time, or for a person if that is null. */
export function limitWords(
  { key, until }: { readonly key: string; readonly until: string | null },
  {
    timeOf,
    typed,
  }: { readonly timeOf: (iso: string, isSoon: boolean) => string; readonly typed: Typed },
): string {
  return `⋯ ${key} limit${until === null ? `: ${typed("run")}` : ` until ${timeOf(until, false)}`}`
}

/** A running call: `general 2m, bash, heard 4s ago`. */
export function callWords(
  { agent, since, heard_at: heardAt, tool }: WorkView["running"][number],
  now: number,
): string {
  const runs = since === null ? "" : ` ${sinceWords(since, now)}`
  return [
    `${agent ?? "subagent"}${runs}`,
    ...(tool === null ? [] : [tool]),
    ...(heardAt === null ? [] : [`heard ${sinceWords(heardAt, now)} ago`]),
  ].join(", ")
}
