// Connects task states to the points of the port: made at a compaction, shown, kept out of the next summary.
import type { TaskState } from "../../boulder/task-state.ts"
import { fallbackSummary } from "../../prompts/compaction-text.ts"
import { taskStateText } from "../../prompts/task-state-text.ts"
import type { Caught } from "../host/caught.ts"
import type { Requested, RequestView } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { weContinue } from "../idle/who-continues.ts"
import { type Compaction, openCompaction } from "./compaction.ts"
import { type KeptStates, openKeptStates } from "./kept-states.ts"
import { stateOwnerOf } from "./state-owner.ts"

/** Task states at the points of the port: made at a compaction, shown in every later request. */
export function openTaskStates(shell: Shell, guarded: Caught["guarded"]) {
  const states = openKeptStates(shell)
  const compaction = openCompaction(shell, states)
  /** What `ask` gives; `otherwise` if it fails, which is reported. */
  const asked = async <Answer>(
    where: string,
    sessionId: string,
    ask: () => Promise<Answer>,
    otherwise: Answer,
  ): Promise<Answer> => {
    let answer = otherwise
    await guarded(where, sessionId, async () => {
      answer = await ask()
    })
    return answer
  }
  return {
    requested: (sessionId: string, purpose: Requested["purpose"]) =>
      guarded("request", sessionId, () => compaction.requested(sessionId, purpose)),
    /** The messages of a request: old outputs become a line, and all summaries but the newest stay out. */
    async seen(view: RequestView) {
      await clearMessages(shell, states, view)
      await seeMessages(shell, { states, compaction }, view)
    },
    /** The user has undone a message. A state made with it goes too. */
    undone: states.undone,
    /** A turn has ended, or another begins. */
    turnIsOver: compaction.turnIsOver,
    forget: compaction.forget,
    compacting: (sessionId: string) =>
      asked("compaction", sessionId, () => compaction.begin(sessionId), null),
    systemText: (sessionId: string) =>
      asked(
        "system text",
        sessionId,
        async () => {
          const isShown = !compaction.isBegun(sessionId)
          const state = isShown ? await shownState(shell, states, sessionId) : null
          return state && taskStateText(state, sessionId)
        },
        null,
      ),
    goesOn: (sessionId: string) =>
      asked("behind a compaction", sessionId, () => weContinue(shell, sessionId), false),
    textEnds: (...[ids, answer]: Parameters<Compaction["textEnds"]>) =>
      guarded("text", ids.sessionId, () => compaction.textEnds(ids, answer)),
  }
}

async function shownState(
  shell: Shell,
  states: KeptStates,
  sessionId: string,
): Promise<TaskState | null> {
  if ((await stateOwnerOf(shell, sessionId)) === null) return null
  return (await states.load(sessionId))?.task_state ?? null
}

/** Outputs are cleared only while a task state is shown that says what they were for. */
async function clearMessages(shell: Shell, states: KeptStates, view: RequestView): Promise<void> {
  const { sessionId } = view
  if (shell.options.micro_compaction === "off" || sessionId === undefined || !view.hasOldOutputs())
    return
  if ((await shownState(shell, states, sessionId)) === null) return
  view.clearOldOutputs()
}

async function seeMessages(
  shell: Shell,
  { states, compaction }: { states: KeptStates; compaction: Compaction },
  view: RequestView,
): Promise<void> {
  const { sessionId } = view
  if (sessionId === undefined) return
  if (compaction.isBegun(sessionId)) {
    compaction.history(sessionId, view)
    return
  }
  if (!view.hasOddSummaries() || (await stateOwnerOf(shell, sessionId)) === null) return
  view.keepNewestSummary()
  if (!view.hasEmptySummary()) return
  const state = (await states.load(sessionId))?.task_state ?? null
  const text = fallbackSummary({
    failure: "no-answer",
    sessionId,
    state,
    facts: null,
    userWords: [],
    resumedBy: null,
  })
  view.fillEmptySummaries(text)
}
