// Watches over subagents that have fallen silent.
import { isoOf } from "../../boulder/iso-time.ts"
import type { HostEvent, TaskCall } from "../../decide/host-event.ts"
import { isAsking, type Silence, silenceOf } from "../../decide/silent-child.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { longToolNotice, silentChildNotice } from "../../prompts/notice-text.ts"
import { descendantsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import type { Timers } from "../host/timers.ts"

const MINUTE_MS = 60_000
const SHORTEST_LOOK_MS = 500
const FAILURE_CHARS = 200

/**
 * Looks at the subagents that run, as long as any does. How long they are silent it counts by its own looks, not by the
 * clock on the wall, which may be set, and goes on while the machine sleeps: `boulder/iso-time.ts` says why.
 */
export interface SilenceWatch {
  /** A call has begun: from now on it is looked at. */
  begun(): void
  /** Something has happened, perhaps in a subagent. */
  heard(told: HostEvent & { readonly kind: "session-heard" }): void
}

export function watchSilence(shell: Shell, timers: Pick<Timers, "set" | "has">): SilenceWatch {
  const { child_silence_minutes: child, tool_silence_minutes: tool } = shell.options.continuation
  const limits = { childMs: child * MINUTE_MS, toolMs: tool * MINUTE_MS }
  const shorter = Math.min(...[limits.childMs, limits.toolMs].filter((ms) => ms > 0))
  const lookMs = Math.min(MINUTE_MS, Math.max(SHORTEST_LOOK_MS, shorter / 4))

  const look = async (): Promise<void> => {
    const calls = callsUnderWay(shell)
    // Also one whose subagent nobody knows yet: its call may wait for a person first.
    if (calls.length > 0) arm()
    const running = calls.flatMap((one) => runningIn(shell, one))
    for (const sessionId of new Set(running.map((one) => one.sessionId)))
      if (!descendantsOf(shell, sessionId).some((id) => isAsking(shell.sessions.of(id))))
        shell.sessions.note({ kind: "watched", sessionId, forMs: lookMs })
    for (const one of running) {
      const silence = silenceOf(shell.sessions.of(one.sessionId), limits)
      if (silence !== null) await act(shell, { ...one, silence })
    }
  }
  const arm = (): void => {
    if (Number.isFinite(shorter)) timers.set(TIMER, lookMs, look)
  }
  return {
    heard(told) {
      const { parentId, isDeleted } = shell.sessions.of(told.sessionId)
      // Of other sessions nobody asks.
      if (parentId || isDeleted) shell.sessions.note(told)
    },
    begun() {
      if (!timers.has(TIMER)) arm()
    },
  }
}

const TIMER = "subagents"

/** A call under way, with who has made it. */
interface UnderWay {
  readonly call: TaskCall
  readonly parentId: string
}

/** A session that runs in a call: its subagent's, or one below that, which the subagent itself has begun. */
interface Running extends UnderWay {
  readonly sessionId: string
}

function runningIn(shell: Shell, { call, parentId }: UnderWay): readonly Running[] {
  const { childId } = call
  if (childId === null) return []
  const below = descendantsOf(shell, childId).filter((id) => shell.sessions.of(id).running !== null)
  return [childId, ...below].map((sessionId) => ({ call, parentId, sessionId }))
}

/** The calls under way, each with who has made it. */
function callsUnderWay({ sessions }: Pick<Shell, "sessions">): readonly UnderWay[] {
  return [...sessions.ids()].flatMap((parentId) =>
    sessions
      .of(parentId)
      .calls.filter(({ isBack }) => !isBack)
      .map((call) => ({ call, parentId })),
  )
}

/**
 * A tool that takes long is said; a subagent that hangs is ended, and its call with it: the host tells of that. Who has
 * begun it goes on: one of the lead's is told to the lead, one of a subagent's by the host to that.
 */
async function act(
  shell: Shell,
  { call, sessionId, parentId, silence }: Running & { readonly silence: Silence },
): Promise<void> {
  const now = shell.now()
  const key = call.task?.key ?? null
  const isHung = silence.kind === "hung"
  const minutes = Math.round(silence.ms / MINUTE_MS)
  const entry = {
    at: isoOf(now),
    session: parentId,
    work: call.workId,
    decision: isHung ? "end" : "notice",
    reason: isHung ? "subagent-silent" : "tool-long",
    facts: { task: key, child: sessionId, minutes, tool: isHung ? null : silence.tool.name },
  } as const
  if (isHung) {
    const failure = await failureOf(() => shell.api.abort(sessionId))
    if (failure !== null) {
      // It counts as silent still: the next look tries again.
      await shell.journal.append({ ...entry, facts: { ...entry.facts, failure } })
      return
    }
    shell.sessions.note({ kind: "ended-silent", sessionId })
    const lost = { kind: "silent", taskKey: key, minutes } as const
    if (sessionId === call.childId)
      shell.sessions.note({ kind: "call-lost", sessionId: parentId, lost })
  } else {
    const { callId } = silence.tool
    shell.sessions.note({ kind: "told-of-tool", sessionId, callId })
  }
  await shell.journal.append(entry)
  const notice = isHung
    ? silentChildNotice(key, minutes)
    : longToolNotice(key, silence.tool.name, minutes)
  await shell.api.toast(notice, "warning")
}

/** Why the host has not done it; null where it has. */
async function failureOf(asked: () => Promise<void>): Promise<string | null> {
  try {
    await asked()
    return null
  } catch (error) {
    return cleanLine(String(error)).slice(0, FAILURE_CHARS)
  }
}
