// Shows the messages of a request, which the host passes to be changed in place.
import type { Hooks } from "@opencode-ai/plugin"
import type { RequestView } from "../reactions.ts"
import { clearOldOutputs, hasOldOutputs } from "./clear-outputs.ts"
import {
  contextTokensIn,
  isCompactionMark,
  isSummary,
  isUnfinishedSummary,
  removeMessages,
  removeOldSummaries,
  userWordsIn,
} from "./summary-messages.ts"

type Messages = Parameters<Required<Hooks>["experimental.chat.messages.transform"]>[1]["messages"]

/** A view of the messages that changes them in place: the host ignores a new list. */
export function viewOf(messages: Messages): RequestView {
  return {
    sessionId: messages[0]?.info.sessionID,
    hasOldOutputs: () => hasOldOutputs(messages),
    clearOldOutputs: () => clearOldOutputs(messages),
    hasOddSummaries() {
      const summaries = messages.filter(isSummary)
      return (
        summaries.length > 1 ||
        summaries.some((one) => isUnfinishedSummary(one) || isEmptySummary(one))
      )
    },
    keepNewestSummary: () => removeOldSummaries(messages),
    hasEmptySummary: () => messages.some(isEmptySummary),
    fillEmptySummaries(text) {
      for (const { info, parts } of messages.filter(isEmptySummary)) {
        const { id: messageID, sessionID } = info
        parts.push({ id: `prt_${messageID}`, sessionID, messageID, type: "text", text })
      }
    },
    removeSummaries: () =>
      removeMessages(messages, (message) => isSummary(message) || isCompactionMark(message)),
    contextTokens: () => contextTokensIn(messages),
    userWords: () => userWordsIn(messages),
    has: (messageId) => messages.some(({ info }) => info.id === messageId),
  }
}

function isEmptySummary(message: Messages[number]): boolean {
  return (
    isSummary(message) && !message.parts.some((part) => part.type === "text" && part.text !== "")
  )
}
