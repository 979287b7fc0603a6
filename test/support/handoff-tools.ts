import type { OpencodeHost } from "./opencode-host.ts"
import type { Reply } from "./scripted-model.ts"

/** A call of one of our tools. */
function toolCall(name: string, args: Readonly<Record<string, unknown>> = {}): Reply {
  return { toolCalls: [{ name, args }] }
}

/**
 * A user's message in a session, answered by one call of a tool. Gives what the tool said. This replaces the script, so the caller sets its
 * own again afterwards. A turn that the plugin begins in the meantime may be the one that makes the call; the call is made only once.
 */
export async function useTool(
  host: OpencodeHost,
  session: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const before = host.model.mainRequests(session).length
  let isCalled = false
  host.model.use(({ kind, sessionId }) => {
    if (kind !== "main") return undefined
    if (isCalled || sessionId !== session) return { text: "over" }
    isCalled = true
    return toolCall(name, args)
  })
  await host.prompt(session, "go on")
  const since = host.model.mainRequests(session).slice(before)
  return since.flatMap((one) => one.lastToolResults()).find((one) => one.name === name)?.text ?? ""
}

/** The handoff id in a text. */
export function idIn(text: string): string {
  return /hnd_[0-9A-Za-z]{12,32}/.exec(text)?.[0] ?? ""
}
