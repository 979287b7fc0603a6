// The command `why`.
import { SESSION_ID } from "../../boulder/boulder.ts"
import { resumeWords } from "../../prompts/reasons.ts"
import { workMeant } from "../project/meant-work.ts"
import { nothingStarted, openProject, readBoulder } from "../project/project.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { positiveNumber } from "../terminal/parse-args.ts"
import { jsonText } from "../terminal/print-json.ts"
import { whyLine } from "../views/why-text.ts"
import type { Run } from "./run-named.ts"

export const whyCommand: Run<"why"> = async ({ values, names }, terminal) => {
  const { session } = values
  if (session !== undefined && !SESSION_ID.test(session))
    throw new UsageError(`Expected --session to be a session's id (ses_…); found ${session}.`)
  const count = positiveNumber(values.number, "-n")
  const project = await openProject(terminal)
  const work = names[0] === undefined ? null : await workMeant(project, names[0], terminal)
  const { entries, skipped } = await project.journal.readLast(
    count,
    (entry) =>
      (session === undefined || entry.session === session) &&
      (work === null || entry.work === work.work_id),
  )
  if (values.json === true) terminal.out(jsonText({ decisions: entries }))
  else for (const entry of entries) terminal.out(`${whyLine(entry)}\n`)
  const last = entries.at(-1)
  const resume = last === undefined ? null : resumeWords(last.decision, last.reason)
  if (resume !== null && values.json !== true) terminal.out(`${resume}\n`)
  if (skipped > 0) terminal.err(skippedText(skipped))
  if (entries.length > 0 || values.json === true) return 0
  const wasStarted = (await readBoulder(project)) !== null
  terminal.out(`${wasStarted ? "Nothing was decided yet." : nothingStarted(terminal.call)}\n`)
  return 0
}

function skippedText(lines: number): string {
  return lines === 1
    ? "Note: 1 line of the journal could not be read and is passed over.\n"
    : `Note: ${lines} lines of the journal could not be read and are passed over.\n`
}
