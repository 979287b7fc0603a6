// Puts a message that comes into a session into our words.
import { OWN_PART } from "../../../boulder/own-part.ts"
import type { IncomingMessage } from "../reactions.ts"

/** A part of a message of the host, as far as we look at it. */
interface SeenPart {
  readonly type: string
  readonly text?: unknown
  readonly synthetic?: unknown
  readonly metadata?: unknown
}

/**
 * Who has written a message, and what it says: text of ours is known by its metadata; what the host writes by itself
 * is synthetic throughout.
 */
export function writtenIn(parts: readonly SeenPart[]): Pick<IncomingMessage, "by" | "texts"> {
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
  if (parts.some(isOurs)) return { by: "us", texts }
  const said = parts.filter(({ type }) => type === "text")
  const isHosts = said.length > 0 && said.every(({ synthetic }) => synthetic === true)
  return { by: isHosts ? "host" : "user", texts }
}

function isOurs({ metadata }: SeenPart): boolean {
  return typeof metadata === "object" && metadata !== null && Reflect.has(metadata, OWN_PART)
}
