// Takes our frame's tags out of what a task in the background has brought.
import { withoutFrames } from "../../../plan/model/foreign-text.ts"

/** A message of the host, as far as cleaning looks at it. */
interface SeenMessage {
  readonly info: { readonly role: string }
  readonly parts: readonly object[]
}

/**
 * What a task in the background has brought comes as a message of the host's own: no `tool.execute.after` sees it. The
 * subagent's words in it must not read as ours either; changed in place, always in the same way.
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
