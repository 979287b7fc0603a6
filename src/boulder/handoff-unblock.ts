// Finds the unblock condition in a reason.
import { trimEnd } from "../plan/model/trim-end.ts"

const UNBLOCK = /(?:^|[\s.;,(])unblock(?:ed|s)?(?:\s+(?:when|if|once|by)\b:?|\s*:)\s*([^\n]+)/i

/** What may stand between a reason and its condition. */
const BETWEEN = " \t\r\n.;,("

/** What must be true before a task can go on, if its reason says so: `… Unblock: the key is there`. */
export function unblockIn(reason: string): string | null {
  return UNBLOCK.exec(reason)?.[1]?.trim() || null
}

/** A reason without its unblock condition. */
export function reasonAlone(reason: string): string {
  const at = UNBLOCK.exec(reason)?.index ?? reason.length
  return trimEnd(reason.slice(0, at), BETWEEN) || reason
}
