// Handles a failed look at a session: it is repeated later, and the user is told why nothing continues.
import { lookAgainAfterLostMs } from "../../decide/look-again.ts"
import { lookLostNotice } from "../../prompts/notice-text.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { Shell } from "../host/shell.ts"

/**
 * Notes that a look has failed. Gives the time until the next one, in ms. If the disk made it fail, the first of several in a row is
 * reported to the user of a lead session: whoever watches it sees nothing else.
 */
export function lookLost(
  { sessions, api }: Pick<Shell, "sessions" | "api">,
  sessionId: string,
  error: unknown,
): number {
  sessions.note({ kind: "look-lost", sessionId })
  const { lostLooks: times, leads } = sessions.of(sessionId)
  // A store that is busy will soon be free.
  const isDisk = error instanceof StoreError && error.code !== "busy"
  if (times === 1 && leads && isDisk) void api.toast(lookLostNotice(error.message), "warning")
  return lookAgainAfterLostMs(times)
}
