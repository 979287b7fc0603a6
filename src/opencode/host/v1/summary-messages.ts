// Reads what the host's messages show of compactions.
import { isOwnPart } from "../../../boulder/own-part.ts"
import { contextTokensOf } from "../../../decide/context-tokens.ts"
import { FRAME_BEGIN } from "../../../prompts/frame.ts"

/** A message of the host, as far as compaction looks at it. */
export interface SeenMessage {
  readonly info: {
    readonly id: string
    readonly sessionID: string
    readonly role: string
  }
  readonly parts: readonly { readonly type: string }[]
}

/** Whether a message is a compaction's summary, or what there is of one that was cut off. */
export function isSummary({ info }: { readonly info: { readonly role: string } }): boolean {
  return info.role === "assistant" && Reflect.get(info, "summary") === true
}

/** Whether a summary is unfinished: aborted, failed, or cut off with the process. */
export function isUnfinishedSummary(message: SeenMessage): boolean {
  const { info } = message
  return isSummary(message) && (Reflect.get(info, "finish") == null || hasError(message))
}

/** Whether the host asks for a compaction by this message; it stands before the summary. */
export function isCompactionMark({ info, parts }: SeenMessage): boolean {
  return (
    info.role === "user" && parts.length > 0 && parts.every(({ type }) => type === "compaction")
  )
}

/** Removes every summary but the newest, in place, with the messages that asked for them. */
export function removeOldSummaries(messages: SeenMessage[]): void {
  const newest = newestSummary(messages)
  const old = messages.filter((message) => isSummary(message) && message !== newest)
  const out = new Set(old.flatMap(({ info }) => [info.id, Reflect.get(info, "parentID")]))
  removeMessages(
    messages,
    (message) => out.has(message.info.id) && (isSummary(message) || isCompactionMark(message)),
  )
}

/** Removes the messages that `isOut` names, in place: the host ignores a new list. */
export function removeMessages(
  messages: SeenMessage[],
  isOut: (message: SeenMessage) => boolean,
): void {
  const kept = messages.filter((message) => !isOut(message))
  if (kept.length < messages.length) messages.splice(0, messages.length, ...kept)
}

/** The texts that the user wrote, oldest first: not the host's, and not ours. */
export function userWordsIn(messages: readonly SeenMessage[]): readonly string[] {
  return messages
    .filter(({ info }) => info.role === "user")
    .flatMap(({ parts }) => parts.filter(isUsersOwn))
    .map((part) => String(Reflect.get(part, "text") ?? ""))
    .filter((text) => text.trim() !== "" && !text.startsWith(FRAME_BEGIN))
}

/** The tokens in the context after the last answer; 0 if the host has not reported them. */
export function contextTokensIn(messages: readonly SeenMessage[]): number {
  const last = messages.findLast(({ info }) => info.role === "assistant")
  return last === undefined ? 0 : contextTokensOf(Reflect.get(last.info, "tokens"))
}

/** The newest finished summary. It stands before the turns that were kept, and those may hold older summaries. */
function newestSummary<M extends SeenMessage>(messages: readonly M[]): M | undefined {
  return messages
    .filter((message) => isSummary(message) && !isUnfinishedSummary(message))
    .reduce<M | undefined>(
      // Ids grow with time.
      (newest, one) => (newest === undefined || one.info.id > newest.info.id ? one : newest),
      undefined,
    )
}

function isUsersOwn(part: { readonly type: string }): boolean {
  const isOurs = isOwnPart(Reflect.get(part, "metadata"))
  // What was typed for one of our commands is only for the screen.
  const isForScreen = Reflect.get(part, "ignored") === true
  return part.type === "text" && Reflect.get(part, "synthetic") !== true && !isOurs && !isForScreen
}

function hasError({ info }: SeenMessage): boolean {
  return Reflect.get(info, "error") != null
}
