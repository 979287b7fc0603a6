import type { ToolPart } from "@opencode-ai/sdk"
import type { StoredMessage } from "./opencode-host.ts"

/** The newest call of the `task` tool in a session's messages. */
export function taskPart(messages: readonly StoredMessage[]): ToolPart | undefined {
  return messages
    .flatMap(({ parts }) => parts)
    .findLast((part): part is ToolPart => part.type === "tool" && part.tool === "task")
}
