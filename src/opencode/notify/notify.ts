// Tells a person who is away, by a program of theirs.
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import type { HostEvent } from "../../decide/host-event.ts"
import {
  NOTIFY_EVERY_MS,
  type Notification,
  type NotifyEvent,
  notifyEventOf,
  requestEventOf,
} from "../../decide/notification.ts"
import { reasonWords } from "../../prompts/reasons.ts"
import { runProgram } from "../../store/processes/run-program.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import type { Shell } from "../host/shell.ts"
import type { Timers } from "../host/timers.ts"
import type { PlaceAsked } from "../work/place-of.ts"

/** The program may take so long, in ms. */
const PROGRAM_MS = 10_000

/** Telling by the program of `notify.command`: at most once a minute for one reason. It holds up nothing and fails nothing. */
export interface Notify {
  /** A decision that was written into the journal. */
  decided(entry: JournalEntry): void
  /** A question or a permission waits in a session. */
  asked(
    told: HostEvent & { kind: "question-asked" | "permission-asked" },
    place: PlaceAsked,
  ): Promise<void>
}

type Told = Pick<Notification, "event" | "reason" | "work" | "session" | "facts" | "request">

export function openNotify(
  shell: Pick<Shell, "root" | "options" | "store" | "sessions" | "api" | "journal" | "now" | "log">,
  timers: Pick<Timers, "set">,
): Notify {
  const { command, on } = shell.options.notify
  const isWanted = (event: NotifyEvent): boolean => command.length > 0 && on.includes(event)
  /** When each reason was told last, in ms, and what has come of it since: of the telling alone, no decision looks at it. */
  const last = new Map<string, { readonly at: number; readonly waiting: Told | null }>()

  /** The newest of a minute is told at its end: a second question must not go unheard. */
  const tell = (told: Told): void => {
    const { reason } = told
    const now = shell.now()
    const before = last.get(reason)
    const left = before === undefined ? 0 : msUntil(before.at + NOTIFY_EVERY_MS, now)
    if (before !== undefined && left > 0 && left <= NOTIFY_EVERY_MS) {
      last.set(reason, { at: before.at, waiting: told })
      if (before.waiting === null)
        timers.set(`notify ${reason}`, left, async () => {
          const next = last.get(reason)?.waiting
          last.delete(reason)
          if (next) tell(next)
        })
      return
    }
    last.set(reason, { at: now, waiting: null })
    run(told).catch((error: unknown) => shell.log(`notify: ${String(error)}`))
  }

  const run = async (told: Told): Promise<void> => {
    const { boulder } = await shell.store.read()
    const work = boulder?.works[told.work ?? ""]
    const { reason } = told
    const words = reasonWords(reason)
    const notification: Notification = {
      version: 1,
      at: isoOf(shell.now()),
      project: shell.root,
      plan: work === undefined ? null : { name: work.plan_name, path: work.active_plan },
      ...told,
      says: words?.says ?? reason,
      to_resume: words?.todo ?? null,
    }
    const limits = { cwd: shell.root, limitMs: PROGRAM_MS }
    const problem = await runProgram(command, `${JSON.stringify(notification)}\n`, limits)
    if (problem === null) return
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: told.session,
      work: told.work,
      decision: "error",
      reason: "notify-failed",
      facts: { event: told.event, program: (command[0] ?? "").slice(0, 200), message: problem },
    })
  }

  return {
    decided({ decision, reason, work, session, facts }) {
      const event = notifyEventOf(decision, reason)
      if (event === null || work === null || !isWanted(event)) return
      tell({ event, reason, work, session, facts, request: null })
    },
    async asked(told, place) {
      const event = requestEventOf(told)
      if (!isWanted(event)) return
      const { work } = await place()
      if (work === null || work.status === "completed") return
      const reason = `${event}-pending`
      const facts = { detail: told.detail ?? "" }
      const request = told.request ?? null
      tell({ event, reason, work: work.work_id, session: told.sessionId, facts, request })
    },
  }
}
