// Runs a compaction: asks for state and summary, saves the state, and puts the summary in place of the answer.
import { decodeCompaction } from "../../boulder/decode-compaction.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { StoredTaskState } from "../../boulder/task-state.ts"
import type { WorkFacts } from "../../boulder/work-facts.ts"
import {
  compactionPrompt,
  fallbackSummary,
  type SummaryFailure,
} from "../../prompts/compaction-text.ts"
import { begunText } from "../../prompts/work-facts-text.ts"
import { forgetOldest } from "../../store/disk/forget-oldest.ts"
import type { Requested, RequestView } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import type { KeptStates } from "./kept-states.ts"
import { factsOfWork, refusedTurnOf, stateOwnerOf } from "./state-owner.ts"

/** A running compaction, with its session and our records as they were when it began. */
interface Running {
  readonly workId: string | null
  readonly state: StoredTaskState | null
  readonly facts: WorkFacts | null
  readonly refusedTurn: string | null
  /** The argument that resumes sessions, if the refused turn starts again after the summary instead of being summarised; else null. */
  resumedBy: string | null
  contextTokens: number
  userWords: readonly string[]
  /** `begun` until the host asks the model, `asked` until it answers. */
  phase: "begun" | "asked" | "saved" | "failed"
  /** What the model answered. */
  raw: string
}

/**
 * The compactions of sessions. The model is asked for a task state and a summary. The state is saved first, then the summary replaces the
 * answer. If anything fails, the old state stays as it was, and the summary is made from it and from our records.
 */
export type Compaction = ReturnType<typeof openCompaction>

const MAX_RUNNING = 256

export function openCompaction(shell: Shell, states: KeptStates) {
  /**
   * What one answer of the model is read against. It ends with that answer, and no decision looks at it; what it holds of a work is a copy
   * for the words.
   */
  const running = new Map<string, Running>()

  const write = (
    sessionId: string,
    { workId, contextTokens, raw }: Running,
    reason: "task-state-saved" | "task-state-kept",
    facts: Readonly<Record<string, string>>,
  ) =>
    shell.journal.append({
      at: isoOf(shell.now()),
      session: sessionId,
      work: workId,
      decision: "compact",
      reason,
      facts: { ...facts, context_tokens: contextTokens, answer_chars: raw.length },
    })

  const fail = async (
    sessionId: string,
    one: Running,
    failure: SummaryFailure,
    problem: string,
  ): Promise<void> => {
    one.phase = "failed"
    const { raw } = one
    const rest = raw.length > RAW_CHARS ? { answer_end: raw.slice(-RAW_CHARS) } : {}
    const answer = raw === "" ? {} : { answer: raw.slice(0, RAW_CHARS), ...rest }
    await write(sessionId, one, "task-state-kept", { failure, problem, ...answer })
  }

  /** Ends the running compaction, if any. If it was asked for and not answered, that is written down. */
  const end = async (sessionId: string): Promise<void> => {
    const one = running.get(sessionId)
    running.delete(sessionId)
    if (one?.phase === "asked") await fail(sessionId, one, "no-answer", "the model gave no text")
  }

  return {
    /** The host begins a compaction. Gives the prompt for a session whose state we keep; null for every other. */
    async begin(sessionId: string) {
      await end(sessionId)
      const owner = await stateOwnerOf(shell, sessionId)
      if (owner === null) return null
      const { work } = owner
      const [state, facts, refusedTurn] = await Promise.all([
        states.load(sessionId),
        work === null ? null : factsOfWork(shell, sessionId, work),
        work === null ? null : refusedTurnOf(shell, sessionId),
      ])
      const workId = work?.work_id ?? null
      const begun = { contextTokens: 0, userWords: [], phase: "begun", raw: "" } as const
      running.set(sessionId, { workId, state, facts, refusedTurn, resumedBy: null, ...begun })
      forgetOldest(running, MAX_RUNNING)
      return compactionPrompt(state?.task_state ?? null, facts)
    },

    /** Whether the next request of this session is the one for the summary. */
    isBegun: (sessionId: string) => running.get(sessionId)?.phase === "begun",

    /** What will be summarised: removes earlier summaries, in place, and remembers what the user said. */
    history(sessionId: string, view: RequestView) {
      const one = running.get(sessionId)
      if (one?.phase !== "begun") return
      view.removeSummaries()
      one.contextTokens = view.contextTokens()
      one.userWords = view.userWords()
      const { refusedTurn } = one
      const isBegunAgain = refusedTurn !== null && !view.has(refusedTurn)
      one.resumedBy = isBegunAgain ? shell.words.resume : null
    },

    /** The host sends a request. */
    async requested(sessionId: string, purpose: Requested["purpose"]) {
      const one = running.get(sessionId)
      if (one === undefined) return
      if (purpose === "compaction" && one.phase === "begun") one.phase = "asked"
      if (purpose === "turn") await end(sessionId)
    },

    /** A text of a session is complete. If it belongs to a summary, it is read and replaced. */
    async textEnds(
      { sessionId, messageId }: { sessionId: string; messageId: string },
      output: { text: string },
    ) {
      const one = running.get(sessionId)
      if (one === undefined || one.phase === "begun") return
      if (one.phase !== "asked") {
        // Its first text has decided both state and summary. What follows changes neither.
        output.text = ""
        return
      }
      one.raw = output.text
      const { facts, userWords, resumedBy } = one
      const state = one.state?.task_state ?? null
      const standIn = (failure: SummaryFailure) => {
        output.text = fallbackSummary({ failure, sessionId, state, facts, userWords, resumedBy })
      }
      // This stands there if the rest takes too long, instead of the model's raw text.
      standIn("not-saved")
      const answer = decodeCompaction(one.raw)
      if (answer.kind === "refused") {
        standIn(answer.reason)
        await fail(sessionId, one, answer.reason, answer.problem)
        return
      }
      const next: StoredTaskState = {
        schema_version: 1,
        session_id: sessionId,
        updated_at: isoOf(shell.now()),
        context_tokens: one.contextTokens,
        task_state: answer.taskState,
        summary_id: messageId,
        ...beforeIn(one),
      }
      const problem = await states.replace(one.state, next)
      if (problem !== null) {
        await fail(sessionId, one, "not-saved", problem)
        return
      }
      one.phase = "saved"
      const begun = facts === null ? null : begunText(facts, resumedBy)
      output.text = [answer.displaySummary, begun].filter((text) => text !== null).join("\n\n")
      await write(sessionId, one, "task-state-saved", {})
    },

    /** A turn has ended, or another begins. A compaction that was begun but never asked for will not happen any more. */
    turnIsOver(sessionId: string) {
      if (running.get(sessionId)?.phase === "begun") running.delete(sessionId)
    },

    forget(sessionId: string) {
      running.delete(sessionId)
      states.forget(sessionId)
    },
  }
}

/** As much of the model's answer as one fact of the journal can hold, in characters. Its end is written beside it. */
const RAW_CHARS = 400

/** The state that the compaction found, to be kept beside the next one. */
function beforeIn({ state }: Running): Pick<StoredTaskState, "before"> {
  if (state === null) return {}
  const { before: _, schema_version: __, session_id: ___, ...kept } = state
  return { before: kept }
}
