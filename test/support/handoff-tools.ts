import type { OpencodeHost } from "./opencode-host.ts"
import type { Reply } from "./scripted-model.ts"

/** A call of one of our tools. */
function toolCall(name: string, args: Readonly<Record<string, unknown>> = {}): Reply {
  return { toolCalls: [{ name, args }] }
}

/**
 * A user's message in a session, answered by one call of a tool; gives what the tool said. The script is put aside
 * for it, so that the caller's own comes afterwards.
 */
export async function useTool(
  host: OpencodeHost,
  session: string,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  host.model.use(({ kind, stepOfTurn }) => {
    if (kind !== "main") return undefined
    return stepOfTurn === 0 ? toolCall(name, args) : { text: "over" }
  })
  await host.prompt(session, "go on")
  const last = host.model.mainRequests(session).at(-1)
  return last?.lastToolResults()[0]?.text ?? ""
}

/** The handoff id in a text. */
export function idIn(text: string): string {
  return /hnd_[0-9A-Za-z]{12,32}/.exec(text)?.[0] ?? ""
}
