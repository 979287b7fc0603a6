// Shows what works have cost, for a person or a program.
import {
  added,
  type Cost,
  isNone,
  isPriced,
  NO_COST,
  sumJson,
  without,
  workCostJson,
} from "../../boulder/cost.ts"
import { type CostOutlook, OUTLOOK_TASKS } from "../../decide/cost-outlook.ts"
import { nameOfWork } from "../../decide/name-work.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { costWords, dollarWords } from "../../prompts/budget-words.ts"
import { costAgainst } from "../../prompts/run-facts.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { isFinished, type KnownWork } from "../project/known-works.ts"
import { fitLine, hangingLines, wrapLine } from "./columns.ts"
import { tableOf } from "./works-text.ts"

/** With fewer columns than this a cost goes below its subject. */
const NARROW = 60

/** A work, its delegated tasks, and what its plan will have cost; null if that cannot be estimated. */
export interface WorkCosts {
  readonly work: KnownWork
  readonly tasks: readonly ArchivedTask[]
  readonly outlook: CostOutlook | null
}

/** What works have cost: in all, for the lead, by task and by round; no line is longer than `columns`. */
export function costText(all: readonly WorkCosts[], columns: number): string {
  const works = all.map(({ work }) => work)
  return `${all.map((one) => costsOf(one, nameOfWork(one.work, works), columns)).join("\n\n")}\n`
}

/** The same for a program. */
export function costJson(all: readonly WorkCosts[]): Readonly<Record<string, unknown>> {
  return {
    works: all.map(({ work, tasks, outlook }) => ({
      work_id: work.work_id,
      plan_name: work.plan_name,
      status: work.status,
      ...workCostJson(work.cost),
      elsewhere: sumJson(elsewhere(work, tasks)),
      tasks: tasks.map(({ task_key, task_title, cost }) => ({
        task: task_key,
        title: task_title,
        ...sumJson(cost ?? NO_COST),
      })),
      projection:
        outlook === null
          ? null
          : {
              usd: rounded(outlook.usd),
              usd_a_task: rounded(outlook.usdATask),
              settled_tasks: outlook.settledTasks,
              tasks_left: outlook.tasksLeft,
            },
    })),
  }
}

function costsOf({ work, tasks, outlook }: WorkCosts, name: string, columns: number): string {
  const { cost } = work
  const head = `${cleanLine(name)}: ${costAgainst(cost)}`
  if (isNone(cost)) return wrapLine(head, columns).join("\n")
  const others = elsewhere(work, tasks)
  const rows = [
    ["lead sessions", costWords(cost.lead)],
    ...tasks.map(({ task_key: key, task_title: title, cost: own }) => [
      cleanLine(`${key} ${title}`),
      costWords(own ?? NO_COST),
    ]),
    ...(isNone(others) ? [] : [["other calls", costWords(others)]]),
    ...cost.rounds.map((round) => [`round ${round.number}`, costWords(round)]),
  ]
  const table =
    columns < NARROW
      ? rows.flatMap(([of = "", said = ""]) => [
          fitLine(of, columns),
          ...hangingLines("  ", said, columns),
        ])
      : [tableOf(["what for", "cost"], rows, columns).trimEnd()]
  return [...wrapLine(head, columns), ...table, ...endLines(work, outlook, columns)].join("\n")
}

function endLines(
  work: KnownWork,
  outlook: CostOutlook | null,
  columns: number,
): readonly string[] {
  if (isFinished(work)) return []
  if (outlook === null)
    return wrapLine(
      `At the plan's end: not known until ${OUTLOOK_TASKS} tasks with a known price are settled.`,
      columns,
    )
  const { usd, usdATask, settledTasks, tasksLeft } = outlook
  const about = `${isPriced(work.cost) ? "about" : "at least"} ${dollarWords(usd)}`
  return wrapLine(
    `At the plan's end: ${about} (${settledTasks} settled tasks at ${dollarWords(usdATask)} each with everything, ${tasksLeft} left).`,
    columns,
  )
}

/** What the work has spent apart from its lead and known tasks: on calls that failed or named no task. */
function elsewhere({ cost }: KnownWork, tasks: readonly ArchivedTask[]): Cost {
  const known = tasks.reduce((sum, task) => added(sum, task.cost ?? NO_COST), cost.lead)
  return without(cost, known)
}

const CENT_PARTS = 1e4

function rounded(usd: number): number {
  return Math.round(usd * CENT_PARTS) / CENT_PARTS
}
