// Runs `/start-work` in a session, and tells what came of it.
import { planArgument } from "../boulder/plan-argument.ts"
import type { HostClient, StartRequest } from "../opencode/host/http/host-client.ts"
import { SLASH } from "../prompts/typed-command.ts"
import { refusalIn } from "./boulder-frame.ts"

/** The outcome of `/start-work`; `endedAt` in ms of this process (`performance.now`). */
export interface Begun {
  readonly endedAt: number
  readonly problem: string | null
}

type Asked = Pick<StartRequest, "model" | "agent"> & { readonly plan: string }

/** Runs `/start-work` without waiting for it, since its turn may take hours. The outcome is reported once it is known. */
export function beginWork(
  client: HostClient,
  leadId: string,
  { plan, model, agent }: Asked,
  signal: AbortSignal,
): () => Begun | null {
  let result: Begun | null = null
  const made = async (): Promise<void> => {
    const problem = await client.startWork(leadId, {
      argument: planArgument(plan),
      model,
      agent,
      signal,
    })
    const said = problem === null ? await client.firstTexts(leadId) : []
    const refusal = said.map(refusalIn).find((text) => text !== null) ?? null
    const failure = problem === null ? refusal : `opencode refused /${SLASH.start}: ${problem}`
    result = { endedAt: performance.now(), problem: failure }
  }
  made().catch((error: unknown) => {
    if (!signal.aborted) result = { endedAt: performance.now(), problem: String(error) }
  })
  return () => result
}
