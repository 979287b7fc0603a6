// Removes the tags of our frame from the result of a background task.
import { withoutFrames } from "../../../plan/model/foreign-text.ts"

/** A message of the host, as far as cleaning looks at it. */
interface SeenMessage {
  readonly info: { readonly role: string }
  readonly parts: readonly object[]
}

/**
 * The result of a background task comes as a message of the host's own, which no `tool.execute.after` sees. The subagent's words in it must
 * not look like ours either. Changed in place, always in the same way.
 */
export function cleanResults(messages: readonly SeenMessage[]): void {
  for (const { info, parts } of messages)
    if (info.role === "user") for (const part of parts) cleanResult(part)
}

function cleanResult(part: object): void {
  const text: unknown = Reflect.get(part, "text")
  const isHosts = Reflect.get(part, "synthetic") === true
  if (isHosts && typeof text === "string" && text.startsWith("<task "))
    Reflect.set(part, "text", withoutFrames(text))
}
