import type { OpencodeHost } from "./opencode-host.ts"
import { firstTurn, roles } from "./plans.ts"
import type { Reply } from "./scripted-model.ts"

export function bash(command: string, more: object = {}): Reply {
  return { toolCalls: [{ name: "bash", args: { command, description: "run it", ...more } }] }
}

export function write(filePath: string): Reply {
  return { toolCalls: [{ name: "write", args: { filePath, content: "export {}\n" } }] }
}

/**
 * Carries out the plan demo in one turn of a lead that takes these steps. What a subagent does is listed under words of its prompt. Gives
 * everything that the lead has read, step by step.
 */
export async function playedIn(
  host: OpencodeHost,
  steps: readonly (() => Reply)[],
  children: ReadonlyMap<string, readonly Reply[]>,
): Promise<readonly string[]> {
  const read: string[] = []
  host.model.use(
    roles({
      lead: firstTurn((request) => {
        read.push(request.allText())
        return steps[request.stepOfTurn]?.() ?? { text: "all is done" }
      }),
      child: ({ lastUserText, stepOfTurn }) => {
        const [, acts = []] = [...children].find(([prompt]) => lastUserText.includes(prompt)) ?? []
        return acts[stepOfTurn] ?? { text: "child done" }
      },
    }),
  )
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.waitIdle(session, { timeoutMs: 300_000 })
  return read
}
