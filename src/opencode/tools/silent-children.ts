// Watches subagents that have fallen silent.
import { isoOf } from "../../boulder/iso-time.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import { isAsking, type Silence, silenceOf } from "../../decide/memory/silent-child.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { longToolNotice, silentChildNotice } from "../../prompts/notice-text.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import { descendantsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import type { Timers } from "../host/timers.ts"
import { keyInWork } from "../work/place-of.ts"
import { callsUnderWay, type Running, subagentsRunning } from "./calls-under-way.ts"

const MINUTE_MS = 60_000
const SHORTEST_LOOK_MS = 500
const FAILURE_CHARS = 200

/**
 * Looks at the running subagents, as long as there are any. It counts their silence by its own looks, not by the wall clock, which may be
 * set and runs on while the machine sleeps: `boulder/iso-time.ts` says why.
 */
export function watchSilence(shell: Shell, timers: Pick<Timers, "set" | "has">) {
  const { child_silence_minutes: child, tool_silence_minutes: tool } = shell.options.continuation
  const limits = { childMs: child * MINUTE_MS, toolMs: tool * MINUTE_MS }
  const shorter = Math.min(...[limits.childMs, limits.toolMs].filter((ms) => ms > 0))
  const lookMs = Math.min(MINUTE_MS, Math.max(SHORTEST_LOOK_MS, shorter / 4))

  const look = async (): Promise<void> => {
    const running = subagentsRunning(shell)
    // Also for a call whose subagent is not known yet: it may have to wait for a person first.
    if (running.length > 0 || callsUnderWay(shell).length > 0) arm()
    const ids = [...new Set(running.map((one) => one.sessionId))]
    for (const sessionId of ids.filter((id) => !isAskedBelow(shell, id)))
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
    /** Something has happened, perhaps in a subagent. */
    heard(told: HostEvent & { readonly kind: "session-heard" }) {
      const { parentId, isDeleted } = shell.sessions.of(told.sessionId)
      // Nobody asks about other sessions.
      if (parentId || isDeleted) shell.sessions.note(told)
    },
    /** A call has begun. From now on it is looked at. */
    begun() {
      if (!timers.has(TIMER)) arm()
    },
  }
}

const TIMER = "subagents"

/** Whether the call that a session waits for waits for a person. */
function isAskedBelow(shell: Shell, sessionId: string): boolean {
  return descendantsOf(shell, sessionId).some((id) => isAsking(shell.sessions.of(id)))
}

/**
 * Reports a tool that takes long. Ends a subagent that hangs, and so its call: the host reports that. Whoever started it goes on: if that
 * is the lead, we tell it; if it is a subagent, the host does.
 */
async function act(
  shell: Shell,
  {
    sessionId,
    parentId,
    workId,
    task,
    isOfCall,
    silence,
  }: Running & {
    readonly silence: Silence
  },
): Promise<void> {
  const now = shell.now()
  const isHung = silence.kind === "hung"
  const minutes = Math.round(silence.ms / MINUTE_MS)
  const entry = {
    at: isoOf(now),
    session: parentId,
    work: workId,
    decision: isHung ? "end" : "notice",
    reason: isHung ? "subagent-silent" : "tool-long",
    facts: {
      ...taskFacts(task),
      child: sessionId,
      minutes,
      tool: isHung ? null : silence.tool.name,
    },
  } as const
  if (isHung) {
    const failure = await shell.api.abort(sessionId).then(() => null, failureWords)
    if (failure !== null) {
      // It still counts as silent: the next look tries again.
      await shell.journal.append({ ...entry, facts: { ...entry.facts, failure } })
      return
    }
    shell.sessions.note({ kind: "ended-silent", sessionId })
    const lost = { kind: "silent", task, minutes } as const
    if (isOfCall) shell.sessions.note({ kind: "call-lost", sessionId: parentId, lost })
  } else {
    const { callId } = silence.tool
    shell.sessions.note({ kind: "told-of-tool", sessionId, callId })
  }
  await shell.journal.append(entry)
  const key = await unlessFailed(shell, () => keyInWork(shell, workId, task), task?.key ?? null)
  const notice = isHung
    ? silentChildNotice(key, minutes)
    : longToolNotice(key, silence.tool.name, minutes)
  await shell.api.toast(notice, "warning")
}

function failureWords(error: unknown): string {
  return cleanLine(String(error)).slice(0, FAILURE_CHARS)
}
