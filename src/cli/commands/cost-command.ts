// The command `cost`.
import { added, NO_COST } from "../../boulder/cost.ts"
import { costOutlook } from "../../decide/cost-outlook.ts"
import { harmlessJson } from "../../plan/model/foreign-text.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { isFinished, type KnownWork } from "../project/known-works.ts"
import { NOTHING_STARTED, openProject, type Project } from "../project/project.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import { costJson, costText, type WorkCosts } from "../views/cost-view.ts"
import { knownWork, worksOf } from "./archive-commands.ts"
import type { Command } from "./command.ts"

export const costCommand: Command = {
  summary: "Show what each plan has cost, by task and round, and will have cost",
  help: `Usage: opencode-boulder cost [<work>] [--json]

Shows what the models of a work have cost in US dollars, by opencode's own figures: in all, of the
lead sessions, of each task and of the last rounds. Once three tasks are settled it says what the
plan will have cost at its end, and what that stands on. Where opencode names no price, behind a
subscription or for a model that it does not know, the cost is unknown and its tokens are shown.

Arguments:
  <work>    Name or path of its plan, or the work's id. Without one: every work that is not finished,
            or the last one that was.

Options:
  --json    Print one JSON object; usd is null where the cost is unknown.
  --help    Show this help.

Exit codes:
  0  shown (also where nothing was started)        1  no such work, or unreadable        2  usage

Example:
  opencode-boulder cost
  opencode-boulder cost auth-rewrite --json | jq '.works[0].projection'
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(args, { json: { type: "boolean" } }, 1)
    const project = await openProject(terminal)
    const { works, sessions } = await worksOf(project, terminal)
    const [name] = positionals
    const chosen = name === undefined ? shownOf(works) : [knownWork(works, name)]
    const costs = await Promise.all(
      chosen.map((work) => costsOf(project, work, sessions(work.work_id))),
    )
    if (values.json === true) terminal.out(`${harmlessJson(costJson(costs), 2)}\n`)
    else if (costs.length === 0) terminal.out(`${NOTHING_STARTED}\n`)
    else terminal.out(costText(costs, terminal.columns()))
    return 0
  },
}

function shownOf(works: readonly KnownWork[]): readonly KnownWork[] {
  const open = works.filter((work) => !isFinished(work))
  return open.length > 0 ? open : works.slice(0, 1)
}

async function costsOf(
  { archive, plans }: Project,
  work: KnownWork,
  atHand: readonly ArchivedTask[],
): Promise<WorkCosts> {
  const tasks = summedUp([...(await archive.tasksOf(work.work_id)), ...atHand])
  const reading = isFinished(work) ? null : await plans.read(work.active_plan)
  const known = new Map(tasks.map(({ task_key: key, cost }) => [key, cost ?? NO_COST]))
  const outlook =
    reading?.kind === "read" ? costOutlook({ cost: work.cost, plan: reading.plan }, known) : null
  return { work, tasks, outlook }
}

/** A task that was worked on again behind its record's departure has more than one. */
function summedUp(records: readonly ArchivedTask[]): readonly ArchivedTask[] {
  const byKey = new Map<string, ArchivedTask>()
  for (const record of records) {
    const before = byKey.get(record.task_key)?.cost ?? NO_COST
    byKey.set(record.task_key, { ...record, cost: added(before, record.cost ?? NO_COST) })
  }
  return [...byKey.values()]
}
