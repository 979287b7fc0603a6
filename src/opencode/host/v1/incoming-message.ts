// Puts a message that comes into a session into our words.
import { isOwnPart } from "../../../boulder/own-part.ts"
import type { IncomingMessage } from "../reactions.ts"

/** A part of a host's message, as far as we look at it. */
interface SeenPart {
  readonly type: string
  readonly text?: unknown
  readonly synthetic?: unknown
  readonly metadata?: unknown
}

/** Who wrote a message, and what it says. Our text is known by its metadata; in what the host writes by itself, every text is synthetic. */
export function writtenIn(parts: readonly SeenPart[]): Pick<IncomingMessage, "by" | "texts"> {
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
  if (parts.some(({ metadata }) => isOwnPart(metadata))) return { by: "us", texts }
  const said = parts.filter(({ type }) => type === "text")
  const isHosts = said.length > 0 && said.every(({ synthetic }) => synthetic === true)
  return { by: isHosts ? "host" : "user", texts }
}
