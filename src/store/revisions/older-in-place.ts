// Reads state of the original plugin that lies in the place of our own file.
import type { Boulder } from "../../boulder/boulder.ts"
import { adoptOlder, upgradeOlderFormat } from "../../boulder/upgrade-older-format.ts"
import { parseJson } from "./boulder-file.ts"

/** The session that leads a work for which the older file names none: no host has it, and the work is paused. */
const NO_SESSION = "ses_none"

export interface OlderInPlace {
  /** Our state after the older works were taken over into it. */
  readonly next: Boulder
  /** What could not be taken over, and why. */
  readonly dropped: readonly string[]
}

/** Reads the text of a `boulder.json` as an older format, on top of `ours`; null if it is none, or has no work that `ours` lacks. */
export function readOlderInPlace(
  text: string,
  { root, now, ours }: { root: string; now: string; ours: Boulder },
): OlderInPlace | null {
  const json = parseJson(text)
  if (json.kind === "invalid") return null
  const older = upgradeOlderFormat({ json: json.value, root, sessionId: NO_SESSION, now })
  const next = adoptOlder(older.boulder)(ours)
  return next === ours ? null : { next, dropped: older.dropped }
}
