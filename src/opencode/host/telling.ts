// Telling of what was done: journal, log and toasts fail no hook.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import { HostCallError } from "./session-api.ts"
import type { Shell } from "./shell.ts"
import { TimeLimitError, withinLimit } from "./time-limit.ts"

/** Nobody waits longer to have been told, in ms. */
const TELL_LIMIT_MS = 2_000

type Tellers = Pick<Shell, "journal" | "log" | "api">

/**
 * The same journal, log and host, whose telling rejects nothing and takes 2 s at most: what was decided and written
 * stands, whoever could not be told of it. The log has what journal and toast did not take, stderr what the log did not.
 */
export function openTelling({ journal, log: hostLog, api }: Tellers): Tellers {
  const log = (message: string): Promise<void> =>
    withinLimit(hostLog(message), TELL_LIMIT_MS, "log").catch((error: unknown) => {
      process.stderr.write(`${cleanLine(`opencode-boulder: ${message}; ${String(error)}`)}\n`)
    })
  const told = (what: string, telling: Promise<void>): Promise<void> =>
    withinLimit(telling, TELL_LIMIT_MS, what).catch((error: unknown) =>
      log(`${what}: ${messageOf(error)}`),
    )
  return {
    log,
    journal: { ...journal, append: (entry) => told("journal", journal.append(entry)) },
    api: {
      ...api,
      toast: (message, variant, title) =>
        told(`notice "${message}"`, api.toast(message, variant, title)),
    },
  }
}

/**
 * What `ask` gives; `otherwise`, with a line in the log, where host or disk do not give it. For what stands beside a
 * thing that was done, and must not take that back: a hint, a file of ours, a record to be closed.
 */
export async function unlessFailed<Answer>(
  { log }: Pick<Shell, "log">,
  ask: () => Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!isSilence(error) && !(error instanceof StoreError)) throw error
    await log(messageOf(error))
    return otherwise
  }
}

/** The host has refused a call, or has not answered it. */
export function isSilence(error: unknown): boolean {
  return error instanceof HostCallError || error instanceof TimeLimitError
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
