// `handoffs` and `release`.
import { HANDOFF_ID, type Handoff, holderOf } from "../../boulder/handoff.ts"
import { releaseHandoff, settleHandoff } from "../../boulder/handoff-changes.ts"
import { offersOf } from "../../decide/handoff-offers.ts"
import { cleanLine, harmlessJson } from "../../plan/model/foreign-text.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { handoffsText } from "../views/handoff-view.ts"
import type { Command } from "./command.ts"

export const handoffsCommand: Command = {
  summary: "List the tasks that sessions have handed over, and who holds them",
  help: `Usage: opencode-boulder handoffs [--json]

Lists the open handoffs of this project: blocked and interrupted tasks first, newest first, then
those that a session holds, with id, task, reason, age and attempts. Nothing is changed.

Options:
  --json    Print one JSON array of the records, the newest block first.
  --help    Show this help.

Exit codes:
  0  done        1  failed        2  usage

Example:
  opencode-boulder handoffs
`,
  async run(args, terminal) {
    const { values } = parseCommand(args, { json: { type: "boolean" } }, 0)
    const { handoffs, unreadable } = await (await storeOf(terminal)).open()
    for (const path of unreadable)
      terminal.err(`Note: .boulder/${cleanLine(path)} holds no handoff and is passed over.\n`)
    const sorted = inOrder(handoffs, terminal.now())
    if (values.json === true) terminal.out(`${harmlessJson(sorted, 2)}\n`)
    else terminal.out(handoffsText(sorted, terminal.now(), terminal.columns()))
    return 0
  },
}

export const releaseCommand: Command = {
  summary: "Take a handed-over task out of a session's hands, or close it for good",
  help: `Usage: opencode-boulder release <id> [--done]

Ends the claim on a task before its lease runs out, so that the next session is offered it. Do
this when you know that nobody works on it any more.

Arguments:
  <id>      The id of a handoff, as opencode-boulder handoffs shows it.

Options:
  --done    Close it for good instead, held or not: it is done, or nobody wants it any more.
            The plan stays as it is.
  --help    Show this help.

Exit codes:
  0  released        1  refused, with the reason        2  usage

Example:
  opencode-boulder release hnd_4fK20xQm81ZtLw7c
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(args, { done: { type: "boolean" } }, 1)
    const [id] = positionals
    if (id === undefined || !HANDOFF_ID.test(id))
      throw new UsageError(
        `Expected the id of a handoff (hnd_…); found ${id === undefined ? "none" : cleanLine(id).slice(0, 80)}.`,
      )
    const now = terminal.now()
    const isDone = values.done === true
    const change = isDone ? settleHandoff(now, true) : releaseHandoff(now)
    const update = await (await storeOf(terminal)).update(id, change)
    if (update.kind === "missing")
      throw new Refusal(`Expected a handoff of this project; found none called ${id}.`)
    if (update.kind === "refused")
      throw new Refusal(
        `Expected ${id} to be ${isDone ? "open" : "in a session's hands"}; found it ${update.reason === "settled" ? "settled" : "free"}.`,
      )
    terminal.out(
      isDone
        ? `${id} is closed: nobody is offered it any more.\n`
        : `${id} is free: the next session is offered it.\n`,
    )
    return 0
  },
}

async function storeOf({ cwd }: Terminal) {
  return openFileHandoffStore({ root: await findProjectRoot(cwd) })
}

/** What waits for somebody first, newest first, then what a session holds. */
function inOrder(handoffs: readonly Handoff[], now: number): readonly Handoff[] {
  const free = handoffs.filter((handoff) => holderOf(handoff, now) === null)
  const held = handoffs.filter((handoff) => holderOf(handoff, now) !== null)
  const waiting = offersOf(free, { sessionId: null, now }, Number.POSITIVE_INFINITY)
  const byUpdate = held.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  return [...waiting.offers.map(({ handoff }) => handoff), ...byUpdate]
}
