// Tells a person who is away, through a program of theirs.
import { hasHeldBlock } from "../../boulder/held-plan.ts"
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import {
  isStillSo,
  NOTIFY_EVERY_MS,
  type Notification,
  type NotifyEvent,
  notifyEventOf,
} from "../../decide/notification.ts"
import { reasonWords } from "../../prompts/reasons.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { runProgram } from "../../store/processes/run-program.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import type { Shell } from "../host/shell.ts"
import { withinLimit } from "../host/time-limit.ts"
import type { Timers } from "../host/timers.ts"
import type { PlaceAsked } from "../work/place-of.ts"

/** So many notices of one reason are held back. If there are more, the oldest is never told. */
const MAX_HELD = 32
/** How long the program may take, in ms. */
const PROGRAM_MS = 10_000

/** How long a line of the journal waits for its program to begin, in ms. */
const BEGIN_MS = 1_000

/** Tells a person through the program of `notify.command`, at most once a minute for one reason. It holds up nothing and fails nothing. */
export type Notify = ReturnType<typeof openNotify>

/** Whether a notice replaces a held one, since both are about the same. */
function isOfTheSame(one: Told, other: Told): boolean {
  return (
    one.work === other.work &&
    one.session === other.session &&
    one.request?.id === other.request?.id
  )
}

interface Last {
  readonly at: number
  readonly held: readonly Told[]
}

/** If some are held back, their timer runs or they are being looked at: either way one more will be told. */
function isHeldBack({ at, held }: Last, now: number): boolean {
  const left = msUntil(at + NOTIFY_EVERY_MS, now)
  return held.length > 0 || (left > 0 && left <= NOTIFY_EVERY_MS)
}

type Told = Pick<Notification, "event" | "reason" | "work" | "session" | "facts" | "request">

export function openNotify(
  shell: Pick<
    Shell,
    "root" | "options" | "store" | "sessions" | "api" | "journal" | "now" | "log" | "typed"
  >,
  timers: Pick<Timers, "set">,
) {
  const { command, on } = shell.options.notify
  const isWanted = (event: NotifyEvent): boolean => command.length > 0 && on.includes(event)
  /** When each reason was last told, in ms, and what has been held back since. This serves only the telling; no decision looks at it. */
  const last = new Map<string, Last>()

  /** What comes within the minute is told later, one notice a minute. What still waits then must not go unheard. */
  const tell = async (told: Told, held: readonly Told[] = []): Promise<void> => {
    const { reason } = told
    const now = shell.now()
    const before = last.get(reason)
    if (before !== undefined && isHeldBack(before, now)) {
      const others = before.held.filter((one) => !isOfTheSame(one, told))
      last.set(reason, { at: before.at, held: [...others, told].slice(-MAX_HELD) })
      if (before.held.length === 0) tellLater(reason, msUntil(before.at + NOTIFY_EVERY_MS, now))
      return
    }
    last.set(reason, { at: now, held })
    if (held.length > 0) tellLater(reason, NOTIFY_EVERY_MS)
    await begin(told).catch(failed)
  }

  const tellLater = (reason: string, waitMs: number): void =>
    timers.set(`notify ${reason}`, waitMs, async () => {
      const { held = [] } = last.get(reason) ?? {}
      const so = await Promise.all(held.map(stillSo))
      const isOver = held.filter((_, index) => !so[index])
      // What came in the meantime is among the held by now, or has replaced one of them.
      const { held: newest = [] } = last.get(reason) ?? {}
      const [next, ...others] = newest.filter((one) => !isOver.includes(one))
      last.delete(reason)
      if (next !== undefined) await tell(next, others)
    })

  /** Whether what was held back is still so. If the store does not answer, it counts as so. */
  const stillSo = async (told: Told): Promise<boolean> => {
    const { request, session, work: workId } = told
    if (request !== null) {
      const { questions, permissions } = shell.sessions.of(session ?? "")
      return [...questions, ...permissions].includes(request.id)
    }
    const { boulder } = await shell.store.read().catch(() => ({ boulder: null }))
    const work = boulder?.works[workId ?? ""]
    return work === undefined || isStillSo(work, told, shell.now())
  }

  const failed = (error: unknown): Promise<void> => shell.log(`notify: ${String(error)}`)

  /** Starts the program, and does not wait for it to end. */
  const begin = async (told: Told): Promise<void> => {
    const { boulder } = await shell.store.read()
    const work = boulder?.works[told.work ?? ""]
    const { reason } = told
    const name = work === undefined ? null : nameIfNeeded(work, boulder)
    const words = reasonWords(reason)
    const notification: Notification = {
      version: 1,
      at: isoOf(shell.now()),
      project: shell.root,
      plan: work === undefined ? null : { name: work.plan_name, path: work.active_plan },
      ...told,
      says: words?.says ?? reason,
      to_resume:
        words?.todo?.(ofWork(shell.typed, name), work !== undefined && hasHeldBlock(work)) ?? null,
    }
    const limits = { cwd: shell.root, limitMs: PROGRAM_MS }
    const ended = runProgram(command, `${JSON.stringify(notification)}\n`, limits)
    void ended.then((problem) => sayProblem(told, problem)).catch(failed)
  }

  const sayProblem = async (told: Told, problem: string | null): Promise<void> => {
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
    /** A decision that is written to the journal afterwards. Resolves once its program has begun, or if none is to begin now. */
    async decided({ decision, reason, work, session, facts }: JournalEntry) {
      const event = notifyEventOf(decision, reason)
      if (event === null || work === null || !isWanted(event)) return
      await tell({ event, reason, work, session, facts, request: null })
    },
    /** A question or a permission waits in a session. */
    async asked(
      told: HostEvent & { kind: "question-asked" | "permission-asked" },
      place: PlaceAsked,
    ) {
      const event = told.kind === "question-asked" ? "question" : "permission"
      if (!isWanted(event)) return
      const { work } = await place()
      if (work === null || work.status === "completed") return
      const reason = `${event}-pending`
      const facts = { detail: told.detail ?? "" }
      const request = told.request ?? null
      await tell({ event, reason, work: work.work_id, session: told.sessionId, facts, request })
    },
  }
}

/**
 * The journal, but each line is written only once its program has begun: `run` takes a line as its sign to stop the server. No line waits
 * longer than a second for that.
 */
export function journalBehind(
  notify: Pick<Notify, "decided">,
  { journal, log }: Pick<Shell, "journal" | "log">,
): Shell["journal"] {
  return {
    ...journal,
    async append(entry) {
      const told = withinLimit(notify.decided(entry), BEGIN_MS, "notify")
      await told.catch((error: unknown) => log(String(error)))
      await journal.append(entry)
    },
  }
}
