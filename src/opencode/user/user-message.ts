// Handles a message of the user, and what it reopens.
import type { Work } from "../../boulder/boulder.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { isRejected, reopenWork } from "../../boulder/reopen-work.ts"
import { userSpoke } from "../../decide/final-wave.ts"
import type { SessionMemory } from "../../decide/memory/session-memory.ts"
import { keysOf } from "../../decide/memory/told-keys.ts"
import { workLed } from "../../decide/place.ts"
import { goOnPastStop, reopens } from "../../decide/reopen.ts"
import { SLASH } from "../../prompts/typed-command.ts"
import type { IncomingMessage } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { humanFacts } from "../idle/gather-situation.ts"
import { endRejection } from "../idle/leave-going.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"

/**
 * A message came into a session. Our own messages and the host's are not user messages. The one that our `/start-work` made says which
 * agent the work has. A user's own message lifts the pauses that wait for it, and ends the wait of a final wave for the turn it begins.
 * Gives the name of our command that made the message; null if none did.
 */
export async function messageReceived(
  shell: Shell,
  message: IncomingMessage,
): Promise<string | null> {
  const { sessionId, messageId, agent } = message
  const memory = shell.sessions.of(sessionId)
  const command = commandOf(memory, message)
  const isUsers = command !== SLASH.start && message.by === "user"
  // A stop or refusal may be reported but not written yet. After this message nothing would say that it was answered.
  const { abortedAt, rejectedAt } = humanFacts(shell, sessionId)
  const isPastStop = abortedAt !== null || rejectedAt !== null
  const at = shell.now()
  const isOurs = message.by === "us"
  const isCommands = command !== null
  shell.sessions.note({
    kind: "message-received",
    sessionId,
    messageId,
    at,
    agent,
    isUsers,
    isCommands,
    isOurs,
  })
  await storeSoon(() => tellWork(shell, message, { command, isUsers, isPastStop }))
  return command
}

interface Told {
  readonly command: string | null
  readonly isUsers: boolean
  /** Whether a stop or a refusal came before it, perhaps in a subagent. */
  readonly isPastStop: boolean
}

/** Without a wave, the plan has nothing to say here. */
const UNREAD = { kind: "unavailable", message: "not looked at" } as const

/** Changes the work that the message's session leads. */
async function tellWork(
  shell: Shell,
  { sessionId, agent }: IncomingMessage,
  { command, isUsers, isPastStop }: Told,
): Promise<void> {
  const place = await placeOf(shell, sessionId)
  const work = workLed(place)
  if (work === null) {
    if (isUsers && command === null) await endRejection(shell, place.boulder, sessionId)
    return
  }
  shell.sessions.note({ kind: "leads", sessionId, keys: keysOf(work) })
  // Written again, so that this process drives it, unless another has written it in the meantime.
  if (await isLeftBehind(shell, work))
    await changeOnWork(shell, work, (now) => (now.driver === work.driver ? { ...now } : now))
  if (command === SLASH.start) {
    await changeOnWork(shell, work, (now) => (now.agent === agent ? now : { ...now, agent }))
  } else if (command === null && isUsers) {
    const now = isoOf(shell.now())
    const hasWave = Object.keys(work.final_wave).length > 0
    const read = hasWave ? await shell.plans.read(work.active_plan) : UNREAD
    const follow = followTasks(read)
    const spoke = (before: Work): Work => {
      const reading = heldReading(read, before)
      return userSpoke(reading.kind === "read" ? reading.plan : null)(before)
    }
    const past = (before: Work): Work =>
      isPastStop || isRejected(before) ? goOnPastStop(now)(before) : before
    const after = await changeOnWork(shell, work, (before) =>
      spoke(past(lifted(follow(before), now))),
    )
    await noteResumed(shell, work, after)
  }
}

/** Tells the journal that a person has resumed a paused work in its session. */
export async function noteResumed(
  { journal }: Pick<Shell, "journal">,
  before: Work | null,
  after: Work | null,
): Promise<void> {
  if (before?.status !== "paused" || after?.status !== "active") return
  const { work_id: work, lead_session_id: session, resumed_at: at } = after
  await journal.append({ at, session, work, decision: "resume", reason: "by-command", facts: {} })
}

/**
 * Whether nobody drives the work, because the process that did has ended. A turn that begins here is driven from here; otherwise another
 * opencode would take up the work.
 */
async function isLeftBehind({ process }: Pick<Shell, "process">, work: Work): Promise<boolean> {
  const { status, driver } = work
  return status === "active" && driver !== process.id && !(await process.isElsewhere(driver))
}

/** The command that made this message, known by its answer; null if none. One whose message never came claims none of the user's. */
function commandOf(
  { command }: Pick<SessionMemory, "command">,
  { texts }: IncomingMessage,
): string | null {
  const isIts = command !== null && texts.some((text) => text.includes(command.text))
  return isIts ? command.name : null
}

/** A work without the pauses that a user's own message lifts. */
function lifted(work: Work, now: string): Work {
  const { pause_reason: reason } = work
  // No message clears what only the plan can clear.
  const isOpen = reason !== null && reopens(reason, "user-message", true)
  return isOpen ? reopenWork(reason, now)(work) : work
}
