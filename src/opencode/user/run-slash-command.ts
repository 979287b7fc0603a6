// The slash commands: runs one, and says what came of it.

import { sayText } from "../../prompts/say-text.ts"
import { SLASH } from "../../prompts/typed-command.ts"
import { messageOf } from "../../store/disk/store-error.ts"
import { readOnce } from "../../store/handoffs/read-once.ts"
import type { BoulderStore } from "../../store/revisions/boulder-store.ts"
import type { Caught } from "../host/caught.ts"
import type { Shell } from "../host/shell.ts"
import { TimeLimitError } from "../host/time-limit.ts"
import { type CommandAnswer, refused } from "./command-answer.ts"
import { startWork } from "./start-work.ts"
import { stopWork, workStatus } from "./status-commands.ts"

/** A command that a session has called. */
interface Called {
  readonly name: string
  readonly sessionId: string
  readonly request: string
}

/**
 * Runs one of our commands on one reading of state and plans. Gives the text for the model; null if the command is not ours. A command that
 * takes too long writes nothing after the answer that says so.
 */
export async function runSlashCommand(
  shell: Shell,
  guarded: Caught["guarded"],
  { name, sessionId, request }: Called,
): Promise<string | null> {
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (known === undefined) return null
  const writes = { areOver: false, hasBegun: false }
  const store: BoulderStore = {
    ...shell.store,
    update: (change) =>
      shell.store.update((before) => {
        if (writes.areOver) throw new TimeLimitError(`/${name} took too long`)
        writes.hasBegun = true
        return change(before)
      }),
  }
  const said: { text: string | null } = { text: null }
  await guarded(`/${name}`, sessionId, async () => {
    const run = known.run({ ...shell, ...readOnce({ ...shell, store }) }, sessionId, request)
    const answer = await run.catch(async (error: unknown) => {
      const failed = refused([`/${name}: ${messageOf(error)}`])
      said.text = failed.text
      await tellRefusal(shell, failed)
      throw error
    })
    said.text = answer.text
    await tellRefusal(shell, answer)
    await answer.tidy?.({ ...shell, store })
  })
  writes.areOver = true
  const text = shell.asCalled(said.text ?? sayText([lateWords(name, writes.hasBegun)]))
  shell.sessions.note({ kind: "command-answered", sessionId, name, text })
  return text
}

/** One of our commands: what the host lists, and what it does. */
interface Command {
  readonly description: string
  readonly run: (shell: Shell, sessionId: string, request: string) => Promise<CommandAnswer>
}

/** The commands that the plugin registers. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  [SLASH.start]: { description: "Start a plan, or resume it", run: startWork },
  [SLASH.stop]: { description: "Pause the plan until you resume it", run: stopWork },
  [SLASH.status]: {
    description: "How far each plan is, and why it waits",
    run: async (shell) => ({ text: await workStatus(shell) }),
  },
}

/** Tells the person that a command has done nothing. The panel shows a dialog; without it, a line stands beside what the model says. */
async function tellRefusal({ api }: Pick<Shell, "api">, { refusal }: CommandAnswer): Promise<void> {
  if (refusal === undefined) return
  await api.toast(inOneLine(refusal.lines), "warning", refusal.title)
}

/** The lines as one: sentences follow each other, and what they list is joined by commas. */
function inOneLine([first = "", ...more]: readonly string[]): string {
  return more.reduce((text, line) => `${text}${/[.:]$/.test(text) ? "" : ","} ${line}`, first)
}

function lateWords(name: string, hasBegun: boolean): string {
  return hasBegun
    ? `/${name} took too long, but may have been done. /${SLASH.status} shows the outcome.`
    : `/${name} failed; opencode-boulder why says more. Nothing was changed.`
}
