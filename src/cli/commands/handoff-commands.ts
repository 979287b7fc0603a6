// The commands `handoffs` and `release`.
import { HANDOFF_ID, type Handoff, holderOf } from "../../boulder/handoff.ts"
import { releaseHandoff, settleHandoff } from "../../boulder/handoff-changes.ts"
import { offersOf } from "../../decide/handoff-offers.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { openProject } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import { tell } from "../terminal/terminal.ts"
import { watchScreen } from "../terminal/watch-screen.ts"
import { handoffsText, keptLines } from "../views/handoff-view.ts"

const UNKNOWN = "What waits is not known: the database of the handoffs could not be asked.\n"

export const handoffsCommand: Run<"handoffs"> = async ({ values }, terminal) => {
  const { handoffs: store, keptSaves } = await openProject(terminal)
  const isShared = store.forCall !== undefined
  const asJson = values.json === true
  const read = async () => {
    const { handoffs, unreadable, now, old, machines } = await store.open()
    const sorted = inOrder(handoffs, now)
    const kept = await keptSaves()
    const notes = [
      ...unreadable.map((path) => `${cleanLine(path)} holds no handoff and was skipped.`),
      ...(store.alone ? [store.alone] : []),
      ...(old === undefined ? [] : [`This list may be old. ${old}`]),
      ...keptLines(kept, { isShared, now: terminal.now() }).map(
        ({ says, todo }) => `${says} ${todo}`,
      ),
    ]
    const shown = { now, columns: terminal.columns(), machines, all: values.all === true }
    const onMachines = machines === undefined ? {} : { machines: Object.fromEntries(machines) }
    const isUnknown = old !== undefined && sorted.length === 0
    const more = { ...(old !== undefined && { old: true }), ...(kept && { kept_saves: kept }) }
    return {
      notes,
      text: isUnknown ? UNKNOWN : handoffsText(sorted, shown),
      json: (indent: number) => jsonText({ handoffs: sorted, ...more, ...onMachines }, indent),
    }
  }
  if (values.watch === true) {
    await watchScreen(terminal, asJson, async () => {
      const { notes, text, json } = await read()
      return { text: [...notes.map((note) => `Note: ${note}\n`), text].join(""), json: json(0) }
    })
    return
  }
  const { notes, text, json } = await read()
  for (const note of notes) terminal.err(`Note: ${note}\n`)
  if (asJson) terminal.out(json(2))
  else tell(terminal, text)
}

export const releaseCommand: Run<"release"> = async ({ values, names }, terminal) => {
  const [id = ""] = names
  if (!HANDOFF_ID.test(id))
    throw new UsageError(
      `Expected the id of a handoff (hnd_…); found ${cleanLine(id).slice(0, 80)}.`,
    )
  const isDone = values.done === true
  const change = isDone ? settleHandoff(true) : releaseHandoff()
  const { handoffs } = await openProject(terminal)
  const update = await handoffs.update(id, change)
  if (update.kind === "missing")
    throw new Refusal(
      `Expected a handoff of this project; found none called ${id}. See: ${terminal.typed("handoffs")}`,
    )
  if (update.kind === "refused")
    throw new Refusal(
      `Expected ${id} to be ${isDone ? "open" : "claimed"}; found it ${update.reason === "settled" ? "settled" : "not claimed"}.`,
    )
  tell(
    terminal,
    isDone
      ? `${id} is closed: nobody is offered it any more.\n`
      : `${id} is free: the next session is offered it.\n`,
  )
}

/** First what waits for somebody, newest first, then what a session holds. */
function inOrder(handoffs: readonly Handoff[], now: number): readonly Handoff[] {
  const free = handoffs.filter((handoff) => holderOf(handoff, now) === null)
  const held = handoffs.filter((handoff) => holderOf(handoff, now) !== null)
  const waiting = offersOf(free, { sessionId: null, now }, Number.POSITIVE_INFINITY)
  const byUpdate = held.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  return [...waiting.offers.map(({ handoff }) => handoff), ...byUpdate]
}
