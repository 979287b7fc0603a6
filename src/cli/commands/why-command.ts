// The command `why`.
import { pauseReasonSchema, SESSION_ID, type Work } from "../../boulder/boulder.ts"
import { hasHeldBlock } from "../../boulder/held-plan.ts"
import { byTime } from "../../boulder/iso-time.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { findAgain } from "../../plan/match-tasks.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { resumeWords } from "../../prompts/reasons.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { toldTask } from "../../store/records/task-facts.ts"
import { type FoundWorks, findWorks } from "../project/known-works.ts"
import { knownWork, typedOf } from "../project/meant-work.ts"
import { nothingStarted, openProject, type Project } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { positiveNumber } from "../terminal/parse-args.ts"
import { jsonText } from "../terminal/print-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { wrapLine } from "../views/columns.ts"
import { whyText } from "../views/why-text.ts"

export const whyCommand: Run<"why"> = async ({ values, names }, terminal) => {
  const { session } = values
  if (session !== undefined && !SESSION_ID.test(session))
    throw new UsageError(`Expected --session to be a session's id (ses_…); found ${session}.`)
  const count = positiveNumber(values.number, "-n")
  const project = await openProject(terminal)
  const found = await findWorks(project)
  const [name] = names
  const work = name === undefined ? null : await knownWork(project, found, name, terminal)
  const { entries, skipped } = await project.journal.readLast(
    count,
    (entry) =>
      (session === undefined || entry.session === session) &&
      (work === null || entry.work === work.work_id),
  )
  if (values.json === true) terminal.out(jsonText({ decisions: entries }))
  else
    terminal.out(
      await shown({ project, found, entries, session, terminal, withFacts: values.facts === true }),
    )
  if (skipped > 0) terminal.err(skippedText(skipped))
}

interface Shown {
  readonly project: Project
  readonly found: FoundWorks
  readonly entries: readonly JournalEntry[]
  /** The only session whose decisions are wanted. */
  readonly session: string | undefined
  readonly terminal: Terminal
  readonly withFacts: boolean
}

async function shown(given: Shown): Promise<string> {
  const { project, found, entries, session, terminal, withFacts } = given
  const { boulder } = found
  const columns = terminal.columns()
  const last = entries.at(-1)
  if (last === undefined) {
    const where = session === undefined ? "" : ` in session ${session}`
    return `${boulder === null ? nothingStarted(project, terminal) : `Nothing was decided${where} yet.`}\n`
  }
  const works = new Map(Object.entries(boulder?.works ?? {}))
  const names = new Map(found.works.map((work) => [work.work_id, work.plan_name]))
  const plans = await plansOf(
    project,
    entries.flatMap(({ work }) => works.get(work ?? "") ?? []),
  )
  const of = works.get(last.work ?? "")
  const name = of === undefined ? null : nameIfNeeded(of, boulder)
  const views = await project.live.readAll(terminal.now())
  const typed = typedOf({ work_id: last.work ?? "" }, { typed: terminal.typed, name, views })
  const hasHeld = of !== undefined && hasHeldBlock(of)
  const resume = isOver(of, last) ? null : resumeWords(last, typed, hasHeld)
  const text = whyText(entries, {
    columns,
    withFacts,
    paint: terminal.paint,
    planOf: (workId) => names.get(workId) ?? workId,
    taskOf: (entry) => {
      const plan = plans.get(entry.work ?? "")
      return plan === undefined ? null : findAgain(plan, toldTask(entry))
    },
  })
  return resume === null ? text : `${text}${wrapLine(resume, columns).join("\n")}\n`
}

/**
 * Whether the decision no longer holds the work: somebody has resumed, paused or ended it since. An active work does not rest for the
 * reason of a pause: what an interruption wrote, as a pause and as the rest after it, is over.
 */
function isOver(work: Work | undefined, { at, reason }: JournalEntry): boolean {
  if (work === undefined) return false
  if (work.status === "paused") return work.pause_reason !== reason
  const isOfPause = pauseReasonSchema.safeParse(reason).success
  return work.status === "completed" || isOfPause || byTime(at, work.resumed_at) < 0
}

/** The plans of these works, by work id; without those that cannot be read. */
async function plansOf(
  project: Project,
  works: readonly Work[],
): Promise<ReadonlyMap<string, Plan>> {
  const plans = await Promise.all(
    [...new Set(works)].map(async ({ work_id: id, active_plan: path }) => {
      const reading = await project.plans.read(path)
      return reading.kind === "read" ? [[id, reading.plan] as const] : []
    }),
  )
  return new Map(plans.flat())
}

function skippedText(lines: number): string {
  return lines === 1
    ? "Note: 1 line of the journal could not be read and was skipped.\n"
    : `Note: ${lines} lines of the journal could not be read and were skipped.\n`
}
