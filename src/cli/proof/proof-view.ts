// Shows what the ticks of a plan are based on, for a person or a program.
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { Standing } from "../../decide/decision.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Task } from "../../plan/model/plan.ts"
import { TIER_WORDS, whyUnproven } from "../../prompts/proof-words.ts"
import type { KnownWork } from "../project/known-works.ts"
import { hangingLines, wrapLine } from "../views/columns.ts"
import { ago, type ShownOn } from "../views/status-view.ts"

/** A task, and how it stands; null if it has no checks, or is open and nothing was run for it. */
interface ProvenTask {
  readonly task: Task
  readonly standing: Standing | null
  /** Its tick does not count yet. */
  readonly isHeld: boolean
  /** The files written for it that also judge it. */
  readonly judges: readonly string[]
  /** The checks that the plan had for it before. */
  readonly before: readonly string[]
}

type Named = Pick<KnownWork, "work_id" | "plan_name" | "active_plan">

/** Every task with a check: its tier, and the run that it is based on; no line is longer than `columns`. */
export function proofText(work: Named, tasks: readonly ProvenTask[], on: ShownOn): string {
  const { columns, paint } = on
  const checked = tasks.filter(isChecked)
  const rows = checked.flatMap(({ task, standing, judges, before }) => {
    const tier = standing === null ? "open" : TIER_WORDS[standing.tier]
    const lines = hangingLines(
      `${tier.padEnd(11)} `,
      cleanLine(`${task.key} ${task.title}`),
      columns,
    )
    const isGood = standing?.tier === "proven"
    const paintRow = standing === null ? (line: string) => line : isGood ? paint.good : paint.warn
    const edited = judges.length === 0 ? [] : [`the task has changed ${judges.join(", ")}`]
    const was = before.map((check) => `its check was \`${check}\` before`)
    const details = [...detailsOf(task, standing, on), ...was, ...edited].flatMap((line) =>
      hangingLines("    ", cleanLine(line), columns),
    )
    return [...lines.map(paintRow), ...details.map(paint.dim)]
  })
  const body = rows.length === 0 ? [] : ["", ...rows, ...unseenPart(checked, on)]
  return `${[...wrapLine(headOf(work, tasks), columns), ...body].join("\n")}\n`
}

function isChecked({ task, standing, before }: ProvenTask): boolean {
  return task.checks !== undefined || standing !== null || before.length > 0
}

/** How a run counts that nobody saw, such as a person's own in another terminal. */
function unseenPart(tasks: readonly ProvenTask[], { columns, typed }: ShownOn): readonly string[] {
  const unseen = tasks.find(
    ({ task: { state }, standing }) =>
      state === "done" && standing !== null && standing.run === null,
  )
  if (unseen === undefined) return []
  const { key } = unseen.task
  const orApprove = unseen.isHeld ? `, or run: ${typed("approve", key)}` : ""
  const words = `A run in another terminal is not seen. To count it, have the work's session run the check once more${orApprove}`
  return ["", ...wrapLine(words, columns)]
}

/** `demo: 3 of 5 ticked tasks are proven`; tasks without a check are counted separately. */
function headOf({ plan_name: name }: Named, tasks: readonly ProvenTask[]): string {
  const { ticked, proven, without } = proofCounts(tasks)
  if (without === tasks.length)
    return cleanLine(`${name}: no task of its plan names a check, such as: Verify: \`npm test\``)
  const rest = without === 0 ? "" : `; ${without} without a check`
  const said =
    ticked === 0
      ? "no task with a check is ticked yet"
      : `${proven} of ${ticked} ticked tasks with checks are proven`
  return cleanLine(`${name}: ${said}${rest}`)
}

/** How many ticked tasks with checks are proven, and how many tasks have none. */
function proofCounts(tasks: readonly ProvenTask[]) {
  const ticked = tasks.filter(({ task, standing }) => task.state === "done" && standing !== null)
  return {
    ticked: ticked.length,
    proven: ticked.filter(({ standing }) => standing?.tier === "proven").length,
    without: tasks.filter((one) => !isChecked(one)).length,
  }
}

function detailsOf(task: Task, standing: Standing | null, { now }: ShownOn): readonly string[] {
  if (standing === null) return (task.checks ?? []).map(({ command }) => `check: ${command}`)
  const { run } = standing
  const ran = run === null ? [] : [`last run ${ago(elapsedMs(run.at, now))} in ${run.session}`]
  return [whyUnproven(standing), ...ran]
}

/** The same for a program. */
export function proofJson(
  { work_id, plan_name, active_plan }: Named,
  tasks: readonly ProvenTask[],
): Readonly<Record<string, unknown>> {
  return {
    work: { work_id, plan_name, active_plan },
    counts: proofCounts(tasks),
    tasks: tasks.map(({ task, standing, judges, before }) => ({
      key: task.key,
      title: task.title,
      state: task.state,
      tier: standing?.tier ?? null,
      checks: task.checks ?? [],
      check: standing?.check ?? null,
      checks_before: before,
      run:
        standing === null || standing.run === null
          ? null
          : {
              outcome: standing.run.outcome,
              exit: standing.run.exit,
              at: standing.run.at,
              session: standing.run.session,
            },
      changed: standing?.changed ?? null,
      judges_changed: judges,
    })),
  }
}
