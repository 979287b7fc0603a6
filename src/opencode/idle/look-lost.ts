// What becomes of a look at a session that has failed: it is made again later, and its user is told why nothing continues.
import { lookAgainAfterLostMs } from "../../decide/look-again.ts"
import { lookLostNotice } from "../../prompts/notice-text.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { Shell } from "../host/shell.ts"

/**
 * Notes that a look has failed, and gives in how many ms the next is due. The first of several in a row that a disk has
 * made fail is told to the user of the session that leads a work: whoever watches it sees nothing else.
 */
export function lookLost(
  { sessions, api }: Pick<Shell, "sessions" | "api">,
  sessionId: string,
  error: unknown,
): number {
  sessions.note({ kind: "look-lost", sessionId })
  const { lostLooks: times, leads } = sessions.of(sessionId)
  // Who is busy is done soon.
  const isDisk = error instanceof StoreError && error.code !== "busy"
  if (times === 1 && leads && isDisk) void api.toast(lookLostNotice(error.message), "warning")
  return lookAgainAfterLostMs(times)
}
