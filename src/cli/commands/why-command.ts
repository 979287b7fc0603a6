// The command `why`.
import { SESSION_ID } from "../../boulder/boulder.ts"
import { harmlessJson } from "../../plan/model/foreign-text.ts"
import { resumeWords } from "../../prompts/reasons.ts"
import { NOTHING_STARTED, openProject, readBoulder } from "../project/project.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { parseCommand, positiveNumber } from "../terminal/parse-args.ts"
import { whyLine } from "../views/why-text.ts"
import type { Command } from "./command.ts"

const DEFAULT_LINES = "20"

export const whyCommand: Command = {
  summary: "Show the last decisions, with their reasons and the facts that made them",
  help: `Usage: opencode-boulder why [--session ID] [-n N] [--json]

Shows the journal: every time a session fell idle, what the plugin decided, for what reason, and
the facts that made it. One line a decision, the newest last, times in UTC.

Options:
  --session ID   Only decisions about this session (ses_…).
  -n N           So many lines. Default ${DEFAULT_LINES}.
  --json         Print one JSON object a line, as it stands in .boulder/journal.jsonl.
  --help         Show this help.

Exit codes:
  0  shown (also where nothing was decided)        1  the journal cannot be read        2  usage

Example:
  opencode-boulder why -n 5
`,
  async run(args, terminal) {
    const { values } = parseCommand(
      args,
      {
        session: { type: "string" },
        number: { type: "string", short: "n", default: DEFAULT_LINES },
        json: { type: "boolean" },
      },
      0,
    )
    const { session } = values
    if (session !== undefined && !SESSION_ID.test(session))
      throw new UsageError(`Expected --session to be a session's id (ses_…); found ${session}.`)
    const count = positiveNumber(values.number, "-n")
    const project = await openProject(terminal)
    const { entries, skipped } = await project.journal.readLast(
      count,
      (entry) => session === undefined || entry.session === session,
    )
    for (const entry of entries)
      terminal.out(`${values.json === true ? harmlessJson(entry) : whyLine(entry)}\n`)
    const last = entries.at(-1)
    const resume = last === undefined ? null : resumeWords(last.decision, last.reason)
    if (resume !== null && values.json !== true) terminal.out(`${resume}\n`)
    if (skipped > 0) terminal.err(skippedText(skipped))
    if (entries.length > 0 || values.json === true) return 0
    const wasStarted = (await readBoulder(project)) !== null
    terminal.out(`${wasStarted ? "Nothing was decided yet." : NOTHING_STARTED}\n`)
    return 0
  },
}

function skippedText(lines: number): string {
  return lines === 1
    ? "Note: 1 line of the journal could not be read and is passed over.\n"
    : `Note: ${lines} lines of the journal could not be read and are passed over.\n`
}
