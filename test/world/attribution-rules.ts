// Rules: nothing reaches a task except through a call that named it, or by the user's hand.
import { blockedReason } from "../../src/decide/blocked-line.ts"
import { hashTitle } from "../../src/plan/model/title.ts"
import type { Message } from "./host-database.ts"
import { firstBroken, type Invariant } from "./invariant.ts"
import type { Call } from "./ledger.ts"
import { meantBy } from "./model-acts.ts"
import type { World } from "./world.ts"
import { rowsOf } from "./world-plan.ts"

/** Calls that came back and may have named the task with this title. */
function callsOf(world: World, titleHash: string): readonly Call[] {
  return madeFor(world, titleHash).filter(({ state }) => state === "returned")
}

function madeFor(world: World, titleHash: string): readonly Call[] {
  return world.ledger.calls.filter(
    ({ names, isOfLead }) =>
      isOfLead && names.some((one) => one !== null && hashTitle(one) === titleHash),
  )
}

const namedSessions: Invariant = {
  name: "no session under a task without a call that named it",
  broken: (world) =>
    firstBroken(Object.values(world.work?.task_sessions ?? {}), (kept) => {
      // A session that a limit has interrupted is kept although its call failed.
      const isWhole = kept.interrupted === undefined && kept.status !== "interrupted"
      const calls = (isWhole ? callsOf : madeFor)(world, kept.title_hash)
      return calls.some(({ child }) => child === kept.session_id)
        ? null
        : `${kept.session_id} is kept under ${kept.task_key} (${kept.task_title}); no call that named it ran there`
    }),
}

const namedAttempts: Invariant = {
  name: "no attempt without a call that named the task",
  broken: (world) =>
    firstBroken(Object.values(world.work?.task_sessions ?? {}), (kept) => {
      const calls = callsOf(world, kept.title_hash).length
      return kept.attempts <= calls
        ? null
        : `${kept.task_key} has ${kept.attempts} attempts; ${calls} calls named it`
    }),
}

const namedVerdicts: Invariant = {
  name: "no verdict without a review that named the row",
  broken: (world) =>
    firstBroken(Object.entries(world.work?.final_wave ?? {}), ([key, row]) => {
      if (Date.parse(row.at) < world.ledger.restartedAt)
        return `${key} has the verdict of before the work was complete and begun again`
      const calls = callsOf(world, row.title_hash)
      const own = calls.filter(({ child }) => child === row.session_id)
      if (own.length === 0) return `${key} has the verdict ${row.verdict}; no call named it`
      return own.some(
        ({ result }) =>
          meantBy(result) === row.verdict &&
          (row.verdict === "reject" || blockedReason(result) === null),
      )
        ? null
        : `${key} has the verdict ${row.verdict}; its review did not say so`
    }),
}

const namedMarks: Invariant = {
  name: "no mark in the plan without a call that named the task",
  broken: (world) =>
    firstBroken(world.ledger.planWrites, ({ process, before, after }) => {
      if (process === "cli") return null
      const old = rowsOf(before)
      const changed = rowsOf(after).filter(
        ({ title, state }) => old.find((one) => one.title === title)?.state !== state,
      )
      if (changed.length > 1) return `one write marks ${changed.length} rows`
      return firstBroken(changed, ({ title, label, state }) =>
        isCaused(world, title, state)
          ? null
          : `${process} marks ${label}. ${title} ${state}; no call that named it says so`,
      )
    }),
}

/** Whether a call that named the task has a blocked result or has saved progress. */
function isCaused(world: World, title: string, state: string): boolean {
  const named = world.ledger.calls.filter(({ names }) => names.includes(title))
  if (state === "blocked" && named.some(({ result }) => blockedReason(result) !== null)) return true
  return world.ledger.saves.some(
    (save) =>
      save.names === title || named.some(({ child }) => child !== null && child === save.sessionId),
  )
}

const keptWhileRunning: Invariant = {
  name: "a call that runs is written down until it is back",
  broken: (world) =>
    firstBroken(world.ledger.calls, (call) => {
      const { callId, sessionId } = call
      const work = world.works.find(({ work_id: id }) => id === call.writtenIn)
      if (work === undefined || work.status === "completed" || !isRunning(world, call)) return null
      return work.lead_session_id !== sessionId ||
        work.dispatches[callId]?.parent_session_id === sessionId
        ? null
        : `${callId} of ${sessionId} still runs; nothing of it is written down any more`
    }),
}

/** Whether a call is running by what its host has stored, whatever of that was reported. */
function isRunning({ db }: World, { sessionId, callId, state }: Call): boolean {
  const isIts = (message: Message) =>
    message.parts.some((part) => part.callID === callId && part.state?.status === "running")
  return state === "running" && db.messages(sessionId).some(isIts)
}

/** What reaches a task has a call that named it. */
export const ATTRIBUTION_RULES: readonly Invariant[] = [
  namedSessions,
  namedAttempts,
  namedVerdicts,
  namedMarks,
  keptWhileRunning,
]
