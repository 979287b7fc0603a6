// The command `cost`.
import { added, type Cost, NO_COST } from "../../boulder/cost.ts"
import { costOutlook } from "../../decide/cost-outlook.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { isFinished, type KnownWork } from "../project/known-works.ts"
import { nothingStarted, openProject } from "../project/project.ts"
import { recordsIn } from "../project/task-records.ts"
import type { Run } from "../table/command-table.ts"
import { jsonText } from "../terminal/print-json.ts"
import { costJson, costText, type WorkCosts } from "../views/cost-view.ts"
import { worksOf } from "./archive-commands.ts"

export const costCommand: Run<"cost"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const { works, named, recordsOf } = await worksOf(project, terminal)
  const [name] = names
  const chosen = name === undefined ? shownOf(works) : [await named(name)]
  const costs = await Promise.all(chosen.map(async (work) => costsOf(work, await recordsOf(work))))
  if (values.json === true) terminal.out(jsonText(costJson(costs)))
  else if (costs.length === 0) terminal.out(`${nothingStarted(project, terminal)}\n`)
  else terminal.out(costText(costs, terminal.columns()))
}

function shownOf(works: readonly KnownWork[]): readonly KnownWork[] {
  const open = works.filter((work) => !isFinished(work))
  return open.length > 0 ? open : works.slice(0, 1)
}

function costsOf(
  work: KnownWork,
  { tasks: all, reading }: { tasks: readonly ArchivedTask[]; reading: PlanFileReading },
): WorkCosts {
  const { of, gone } = recordsIn(reading, all)
  const known = new Map([...of].map(([key, records]) => [key, costOf(records)]))
  const tasks = [...of.values(), ...gone].flatMap(summedUp)
  const { cost, done_at_start: doneAtStart = null } = work
  const outlook =
    reading.kind === "read" && !isFinished(work)
      ? costOutlook({ cost, plan: reading.plan, doneAtStart }, known)
      : null
  return { work, tasks, outlook }
}

/** A task that was worked on again after its record had left has more than one record. */
function summedUp(records: readonly ArchivedTask[]): readonly ArchivedTask[] {
  return records.slice(-1).map((last) => ({ ...last, cost: costOf(records) }))
}

function costOf(records: readonly ArchivedTask[]): Cost {
  return records.reduce((sum, { cost }) => added(sum, cost ?? NO_COST), NO_COST)
}
