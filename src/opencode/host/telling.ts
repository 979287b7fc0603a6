// Reports what was done, or could not be, to journal, log and toasts, without failing a hook.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { messageOf, StoreError } from "../../store/disk/store-error.ts"
import { HostCallError } from "./session-api.ts"
import type { Shell } from "./shell.ts"
import { TimeLimitError, withinLimit } from "./time-limit.ts"

/** Reporting takes no longer than this, in ms. */
const TELL_LIMIT_MS = 2_000

type Tellers = Pick<Shell, "journal" | "log" | "api" | "plans">

/**
 * The same journal, log and host, but reporting to them never rejects and takes 2 s at most. What was decided and written stands, even if
 * nobody could be told. What journal and toast do not take goes to the log; what the log does not take goes to stderr. The same plans, but a
 * mark that the disk does not take is told to the user: a model cannot put that right, and would do the task again.
 */
export function openTelling({ journal, log: hostLog, api, plans }: Tellers): Tellers {
  const log = (message: string): Promise<void> =>
    withinLimit(hostLog(message), TELL_LIMIT_MS, "log").catch((error: unknown) => {
      process.stderr.write(`${cleanLine(`opencode-boulder: ${message}; ${String(error)}`)}\n`)
    })
  const told = (what: string, telling: Promise<void>): Promise<void> =>
    withinLimit(telling, TELL_LIMIT_MS, what).catch((error: unknown) =>
      log(`${what}: ${messageOf(error)}`),
    )
  const toast: Tellers["api"]["toast"] = (message, variant, title) =>
    told(`notice "${message}"`, api.toast(message, variant, title))
  return {
    log,
    plans: {
      ...plans,
      mark: (path, mark) =>
        plans.mark(path, mark).catch(async (error: unknown) => {
          if (error instanceof StoreError) await toast(error.message, "warning")
          throw error
        }),
    },
    journal: { ...journal, append: (entry) => told("journal", journal.append(entry)) },
    api: { ...api, toast },
  }
}

/**
 * What `ask` gives; `otherwise`, with a line in the log, if the host or the disk fails. For what accompanies something already done and
 * must not undo it: a hint, a file of ours, a record to be closed.
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

/** Whether the host refused a call or did not answer it. */
export function isSilence(error: unknown): boolean {
  return error instanceof HostCallError || error instanceof TimeLimitError
}
