// Task states in the host's hooks: made, shown, kept out of the next summary.
import type { Hooks } from "@opencode-ai/plugin"
import type { TaskState } from "../../boulder/task-state.ts"
import { fallbackSummary } from "../../prompts/compaction-text.ts"
import { taskStateText } from "../../prompts/task-state-text.ts"
import type { Shell } from "../host/shell.ts"
import { weGoOn } from "../idle/going-on.ts"
import { clearOldOutputs, hasOldOutputs } from "./clear-outputs.ts"
import { type Compaction, openCompaction } from "./compaction.ts"
import { subjectOf } from "./compaction-subject.ts"
import { type KeptStates, openKeptStates } from "./kept-states.ts"
import { isSummary, isUnfinishedSummary, removeOldSummaries } from "./summary-messages.ts"

type Names =
  | "experimental.session.compacting"
  | "experimental.chat.system.transform"
  | "experimental.text.complete"
  | "experimental.compaction.autocontinue"
type Messages = Parameters<Required<Hooks>["experimental.chat.messages.transform"]>[1]["messages"]

/** Task states in the host's hooks: made at a compaction, shown in every later request. */
export interface TaskStates {
  readonly hooks: Required<Pick<Hooks, Names>>
  /** The host sends a request for this agent. */
  requested(sessionId: string, agent: string): Promise<void>
  /** The messages of a request, changed in place: old outputs become a line, summaries but the newest stay out. */
  seen(messages: Messages): Promise<void>
  /** The user has undone a message: a state made with it goes with it. */
  undone: KeptStates["undone"]
  /** A turn has ended, or another begins. */
  turnIsOver(sessionId: string): void
  forget(sessionId: string): void
}

export function openTaskStates(
  shell: Shell,
  guarded: (where: string, run: () => Promise<void>) => Promise<void>,
): TaskStates {
  const states = openKeptStates(shell)
  const compaction = openCompaction(shell, states)
  return {
    requested: (sessionId, agent) =>
      guarded("chat.params", () => compaction.requested(sessionId, agent)),
    async seen(messages) {
      await clearMessages(shell, states, messages)
      await seeMessages(shell, { states, compaction }, messages)
    },
    undone: states.undone,
    turnIsOver: compaction.turnIsOver,
    forget: compaction.forget,
    hooks: {
      "experimental.session.compacting": ({ sessionID: sessionId }, output) =>
        guarded("session.compacting", () => compaction.begin(sessionId, output)),

      "experimental.chat.system.transform": ({ sessionID: sessionId }, { system }) =>
        guarded("system.transform", async () => {
          if (sessionId === undefined || isForTitle(system) || compaction.isBegun(sessionId)) return
          const text = await textFor(shell, states, sessionId)
          // The host's first text has its own rules and the project's; what others have added comes behind ours.
          if (text !== null) system.splice(1, 0, text)
        }),

      "experimental.compaction.autocontinue": ({ sessionID: sessionId }, output) =>
        guarded("compaction.autocontinue", async () => {
          if (await weGoOn(shell, sessionId)) output.enabled = false
        }),

      "experimental.text.complete": ({ sessionID: sessionId, messageID: messageId }, output) =>
        guarded("text.complete", () => compaction.textEnds({ sessionId, messageId }, output)),
    },
  }
}

async function textFor(
  shell: Shell,
  states: KeptStates,
  sessionId: string,
): Promise<string | null> {
  const state = await shownState(shell, states, sessionId)
  return state === null ? null : taskStateText(state, sessionId)
}

async function shownState(
  shell: Shell,
  states: KeptStates,
  sessionId: string,
): Promise<TaskState | null> {
  if ((await subjectOf(shell, sessionId)) === null) return null
  return (await states.load(sessionId))?.task_state ?? null
}

/** Outputs are cleared only while a task state is shown, which says what they were for. */
async function clearMessages(shell: Shell, states: KeptStates, messages: Messages): Promise<void> {
  const wanted = shell.options.micro_compaction
  const sessionId = messages[0]?.info.sessionID
  if (wanted === "off" || sessionId === undefined || !hasOldOutputs(messages)) return
  if ((await shownState(shell, states, sessionId)) === null) return
  clearOldOutputs(messages, { withBash: wanted === "with_bash" })
}

async function seeMessages(
  shell: Shell,
  { states, compaction }: { states: KeptStates; compaction: Compaction },
  messages: Messages,
): Promise<void> {
  const sessionId = messages[0]?.info.sessionID
  if (sessionId === undefined) return
  if (compaction.isBegun(sessionId)) {
    compaction.history(sessionId, messages)
    return
  }
  const summaries = messages.filter(isSummary)
  const isOne = summaries.length < 2
  if (isOne && !summaries.some((one) => isUnfinishedSummary(one) || isEmptySummary(one))) return
  if ((await subjectOf(shell, sessionId)) === null) return
  removeOldSummaries(messages)
  const empty = messages.filter(isEmptySummary)
  if (empty.length === 0) return
  const state = (await states.load(sessionId))?.task_state ?? null
  const text = fallbackSummary({
    failure: "no-answer",
    sessionId,
    state,
    facts: null,
    userWords: [],
    isBegunAgain: false,
  })
  for (const { info, parts } of empty) {
    const { id: messageID, sessionID } = info
    parts.push({ id: `prt_${messageID}`, sessionID, messageID, type: "text", text })
  }
}

function isEmptySummary(message: Messages[number]): boolean {
  return (
    isSummary(message) && !message.parts.some((part) => part.type === "text" && part.text !== "")
  )
}

/** A title is made beside the first turn; it needs none of this. */
function isForTitle([first = ""]: readonly string[]): boolean {
  return first.startsWith("You are a title generator")
}
