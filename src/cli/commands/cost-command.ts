// The command `cost`.
import { added, NO_COST } from "../../boulder/cost.ts"
import { costOutlook } from "../../decide/cost-outlook.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { isFinished, type KnownWork } from "../project/known-works.ts"
import { nothingStarted, openProject, type Project } from "../project/project.ts"
import { jsonText } from "../terminal/print-json.ts"
import { costJson, costText, type WorkCosts } from "../views/cost-view.ts"
import { knownWork, worksOf } from "./archive-commands.ts"
import type { Run } from "./run-named.ts"

export const costCommand: Run<"cost"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const { works, sessions, readingOf } = await worksOf(project, terminal)
  const [name] = names
  const chosen = name === undefined ? shownOf(works) : [knownWork(works, name, terminal.typed)]
  const costs = await Promise.all(
    chosen.map(async (work) => {
      const reading = isFinished(work) ? null : await readingOf(work)
      return costsOf(project, work, { atHand: sessions(work.work_id), reading })
    }),
  )
  if (values.json === true) terminal.out(jsonText(costJson(costs)))
  else if (costs.length === 0) terminal.out(`${nothingStarted(terminal)}\n`)
  else terminal.out(costText(costs, terminal.columns()))
  return 0
}

function shownOf(works: readonly KnownWork[]): readonly KnownWork[] {
  const open = works.filter((work) => !isFinished(work))
  return open.length > 0 ? open : works.slice(0, 1)
}

async function costsOf(
  { archive }: Project,
  work: KnownWork,
  {
    atHand,
    reading,
  }: { readonly atHand: readonly ArchivedTask[]; readonly reading: PlanFileReading | null },
): Promise<WorkCosts> {
  const tasks = summedUp([...(await archive.tasksOf(work.work_id)), ...atHand])
  const known = new Map(tasks.map(({ task_key: key, cost }) => [key, cost ?? NO_COST]))
  const { cost, settled_at_start: settledAtStart = null } = work
  const outlook =
    reading?.kind === "read"
      ? costOutlook({ cost, plan: reading.plan, settledAtStart }, known)
      : null
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
