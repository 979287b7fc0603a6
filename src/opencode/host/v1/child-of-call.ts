// Finds the session that a `task` call ran in.
import { SESSION_ID } from "../../../boulder/boulder.ts"
import type { ChildOfCall } from "../reactions.ts"

/** How much of a result's end is searched, in characters. The host's own frame is at the start or the end. */
const MAX_SEARCHED = 20_000

/**
 * The session that a `task` call ran in: from the tool's metadata; else from what the running part or `session.created` reported; else from
 * the text, but only from the host's own frame at the very start or the last closed `<task_metadata>` block. Null if nothing trustworthy
 * names one. Linear in the text.
 */
export function childOfCall(facts: {
  readonly metadata: unknown
  readonly toldByHost: string | null
  readonly output: string
}): ChildOfCall | null {
  const fromHost = sessionIdIn(facts.metadata) ?? facts.toldByHost
  if (fromHost !== null && SESSION_ID.test(fromHost)) return { sessionId: fromHost, from: "host" }
  const fromText = idOfFrame(facts.output) ?? idOfLastMetadataBlock(facts.output)
  return fromText === null ? null : { sessionId: fromText, from: "text" }
}

/** The `sessionId` in a tool's metadata, if it has the form of one. */
export function sessionIdIn(metadata: unknown): string | null {
  if (typeof metadata !== "object" || metadata === null || !("sessionId" in metadata)) return null
  const { sessionId } = metadata
  return typeof sessionId === "string" && SESSION_ID.test(sessionId) ? sessionId : null
}

/** The two forms in which the built-in `task` tool opens its output (docs/HOST.md, the task tool). */
function idOfFrame(output: string): string | null {
  const start = output.slice(0, 200)
  const found =
    /^<task id="(ses_[0-9A-Za-z_-]{1,64})"/.exec(start) ??
    /^task_id: (ses_[0-9A-Za-z_-]{1,64})(?![0-9A-Za-z_-])/.exec(start)
  return found?.[1] ?? null
}

function idOfLastMetadataBlock(output: string): string | null {
  const tail = output.slice(-MAX_SEARCHED)
  const end = tail.lastIndexOf("</task_metadata>")
  if (end < 0) return null
  const open = tail.lastIndexOf("<task_metadata>", end)
  if (open < 0) return null
  const block = tail.slice(open, end)
  const found = /^[ \t]*(?:session_id|task_id): ?(ses_[0-9A-Za-z_-]{1,64})[ \t\r]*$/m.exec(block)
  return found?.[1] ?? null
}
