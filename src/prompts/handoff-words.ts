// Puts ages and counts into words.
import type { Work } from "../boulder/boulder.ts"
import { elapsedMs } from "../boulder/iso-time.ts"

/** How long ago something was, such as `3 h ago`; times in ms or ISO 8601. */
export function ageText(at: number | string, now: number): string {
  const minutes = Math.floor(elapsedMs(at, now) / 60_000)
  if (minutes < 1) return "just now"
  if (minutes < 120) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}

/** How often a work was continued, in words. */
export function continuationsText({ continuation: { count } }: Pick<Work, "continuation">): string {
  return count === 1 ? "1 continuation" : `${count} continuations`
}

/** How often a task was tried, in words. */
export function attemptsText(attempts: number): string {
  return attempts === 1 ? "1 attempt" : `${attempts} attempts`
}
