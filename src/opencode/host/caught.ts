// Where the plugin catches errors: no hook throws, and none takes over 8 s.
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
/** Nor does telling what has failed in it, for each of those who are told at once, in ms. */
const REPORT_LIMIT_MS = 2_000

/** What fails again and again is told once in so long, in ms: a line a minute would drive all others out of the journal. */
const TOLD_MS = 3_600_000
const MAX_TOLD = 1_000

/** How hooks are run, and what goes wrong in them is told: where, and for which session, null where that is not known. */
export interface Caught {
  /** Tells journal and log what has failed; the same for one session once an hour. */
  report(where: string, sessionId: string | null, error: unknown): Promise<void>
  /**
   * Runs a hook's work within the limit; what it throws is reported and goes no further, but the refusal of a tool.
   * `late` is asked where the limit was reached, and may refuse too.
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
  /** When what was told last, in ms: it says nothing of a work. */
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
    // What the journal has not got is told again.
    if (told[0].status === "rejected") toldAt.delete(key)
    // The journal cannot be written, or the host does not listen: stderr is what is left.
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
 * Makes functions that a host calls: what is thrown in one, while its words are decoded say, is told and goes no further,
 * but the refusal of a tool.
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
