// `handoffs` and `release`.
import { HANDOFF_ID, type Handoff, holderOf } from "../../boulder/handoff.ts"
import { releaseHandoff, settleHandoff } from "../../boulder/handoff-changes.ts"
import { offersOf } from "../../decide/handoff-offers.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { handoffsText } from "../views/handoff-view.ts"
import type { Run } from "./run-named.ts"

export const handoffsCommand: Run<"handoffs"> = async ({ values }, terminal) => {
  const { handoffs, unreadable, now } = await (await storeOf(terminal)).open()
  for (const path of unreadable)
    terminal.err(`Note: .boulder/${cleanLine(path)} holds no handoff and was skipped.
`)
  const sorted = inOrder(handoffs, now)
  if (values.json === true) terminal.out(jsonText({ handoffs: sorted }))
  else terminal.out(handoffsText(sorted, now, terminal.columns()))
  return 0
}

export const releaseCommand: Run<"release"> = async ({ values, names }, terminal) => {
  const [id = ""] = names
  if (!HANDOFF_ID.test(id))
    throw new UsageError(
      `Expected the id of a handoff (hnd_…); found ${cleanLine(id).slice(0, 80)}.`,
    )
  const isDone = values.done === true
  const change = isDone ? settleHandoff(true) : releaseHandoff()
  const update = await (await storeOf(terminal)).update(id, change)
  if (update.kind === "missing")
    throw new Refusal(`Expected a handoff of this project; found none called ${id}.`)
  if (update.kind === "refused")
    throw new Refusal(
      `Expected ${id} to be ${isDone ? "open" : "claimed"}; found it ${update.reason === "settled" ? "settled" : "not claimed"}.`,
    )
  terminal.out(
    isDone
      ? `${id} is closed: nobody is offered it any more.\n`
      : `${id} is free: the next session is offered it.\n`,
  )
  return 0
}

async function storeOf({ cwd, now }: Terminal) {
  return openFileHandoffStore({ root: await findProjectRoot(cwd), now })
}

/** What waits for somebody first, newest first, then what a session holds. */
function inOrder(handoffs: readonly Handoff[], now: number): readonly Handoff[] {
  const free = handoffs.filter((handoff) => holderOf(handoff, now) === null)
  const held = handoffs.filter((handoff) => holderOf(handoff, now) !== null)
  const waiting = offersOf(free, { sessionId: null, now }, Number.POSITIVE_INFINITY)
  const byUpdate = held.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  return [...waiting.offers.map(({ handoff }) => handoff), ...byUpdate]
}
