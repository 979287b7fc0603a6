// Catches the plugin's errors: no hook throws, and none takes over 8 s.
import { isoOf, isWithin } from "../../boulder/iso-time.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { forgetOldest } from "../../store/disk/forget-oldest.ts"
import type { NoticingStore } from "../../store/records/noticing-store.ts"
import type { Reactions } from "./reactions.ts"
import type { Shell } from "./shell.ts"
import { TimeLimitError, withinLimit } from "./time-limit.ts"
import { ToolRefusal } from "./tool-refusal.ts"

/** No hook keeps the host waiting longer than this, in ms. */
const HOOK_LIMIT_MS = 8_000
/** Nor does reporting what failed in a hook. Journal and log are told at once, each within this limit, in ms. */
const REPORT_LIMIT_MS = 2_000

/** An error that keeps coming back is reported once in this time, in ms. A line a minute would push all others out of the journal. */
const TOLD_MS = 3_600_000
const MAX_TOLD = 1_000

/** Runs hooks and reports what goes wrong in them: where, and for which session (null if unknown). */
export interface Caught {
  /** Reports a failure to journal and log. The same failure of one session is reported once an hour. */
  report(where: string, sessionId: string | null, error: unknown): Promise<void>
  /**
   * Runs a hook's work within the limit. What it throws is reported and goes no further, except the refusal of a tool. `late` is called if
   * the limit was reached; it may refuse the tool too.
   */
  guarded(
    where: string,
    sessionId: string | null,
    run: () => Promise<void>,
    late?: () => void,
  ): Promise<void>
  /** Says what the store had to restore, if anything. */
  sayNotices(): Promise<void>
}

export function openCaught(
  { journal, log, now }: Pick<Shell, "journal" | "log" | "now">,
  { isWaiting, say }: Pick<NoticingStore, "isWaiting" | "say">,
): Caught {
  /** When each failure was last reported, in ms. This says nothing about a work. */
  const toldAt = new Map<string, number>()
  const report: Caught["report"] = async (where, session, error) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const what = `${where}: ${message}`
    const key = `${session} ${what}`
    if (isWithin(toldAt.get(key) ?? Number.NaN, TOLD_MS, now())) return
    toldAt.delete(key)
    toldAt.set(key, now())
    forgetOldest(toldAt, MAX_TOLD)
    const entry = { at: isoOf(now()), session, work: null, decision: "error", reason: where }
    const told = await Promise.allSettled([
      withinLimit(journal.append({ ...entry, facts: { message } }), REPORT_LIMIT_MS, "journal"),
      withinLimit(log(what), REPORT_LIMIT_MS, "log"),
    ])
    // What the journal did not get is reported again next time.
    if (told[0].status === "rejected") toldAt.delete(key)
    // The journal cannot be written, or the host does not answer: stderr is what is left.
    for (const one of told)
      if (one.status === "rejected")
        process.stderr.write(`${cleanLine(`opencode-boulder: ${what}; ${String(one.reason)}`)}\n`)
  }
  const caught: Caught["guarded"] = async (where, sessionId, run, late) => {
    try {
      await withinLimit(run(), HOOK_LIMIT_MS, where)
    } catch (error) {
      if (error instanceof ToolRefusal) throw error
      await report(where, sessionId, error)
      if (error instanceof TimeLimitError) late?.()
    }
  }
  const sayNotices = async (): Promise<void> => {
    if (isWaiting()) await caught("notice", null, say)
  }
  return {
    report,
    sayNotices,
    async guarded(where, sessionId, run, late) {
      await caught(where, sessionId, run, late)
      await sayNotices()
    },
  }
}

/**
 * Wraps functions that the host calls. What one throws, for example while it decodes the host's words, is reported and goes no further,
 * except the refusal of a tool.
 */
export function catchingBy(report: Reactions["failed"]) {
  return <Given extends unknown[]>(where: string, run: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      try {
        await run(...given)
      } catch (error) {
        if (error instanceof ToolRefusal) throw error
        await report(where, error)
      }
    }
}
