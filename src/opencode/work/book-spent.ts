// Books what a session has spent before it is forgotten.
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "./comes-once.ts"
import { changeOnWork } from "./decide-on-work.ts"
import { placeOf } from "./place-of.ts"
import { spentSoFar } from "./take-spent.ts"

/** Books what a session and those below it have spent, for the work that they run for. If they have spent nothing, nothing is read. */
export async function bookSpent(
  shell: Pick<Shell, "store" | "sessions" | "api" | "now" | "process">,
  sessionId: string,
): Promise<void> {
  if (spentSoFar(shell, sessionId).length === 0) return
  await storeSoon(async () => {
    const { work } = await placeOf(shell, sessionId, "far")
    if (work !== null) await changeOnWork(shell, work, (newest) => newest)
  })
}
