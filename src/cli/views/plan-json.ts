// What `plan --json` prints.

import type { Tier } from "../../boulder/proof-entry.ts"
import { nextStep } from "../../plan/headings/heading-tasks.ts"
import type { Task } from "../../plan/model/plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"

/** What is told of a plan that cannot be read, besides why. */
const NO_PLAN = {
  dialect: null,
  evidence: null,
  state: "unavailable",
  counts: { total: 0, done: 0, open: 0, in_progress: 0, blocked: 0, cancelled: 0, optional: 0 },
  next: null,
  tasks: [],
  ignored: [],
  warnings: [],
}

/** The object that `plan --json` prints. A plan that cannot be read has the state `unavailable` and says why. */
export function planJson(
  file: string,
  reading: PlanFileReading,
  tierOf: (task: Task) => Tier | null = () => null,
): Readonly<Record<string, unknown>> {
  const plan = reading.kind === "read" ? reading.plan : { ...NO_PLAN, message: reading.message }
  const { dialect, evidence, state, counts, next, tasks, ignored, warnings } = plan
  return {
    file,
    dialect,
    evidence,
    state,
    ...("message" in plan && { message: plan.message }),
    counts: {
      total: counts.total,
      done: counts.done,
      open: counts.open,
      in_progress: counts.in_progress,
      blocked: counts.blocked,
      cancelled: counts.cancelled,
      optional: counts.optional,
    },
    next: next === null ? null : nextJson(next),
    tasks: tasks.map((task) => ({
      key: task.key,
      label: task.label,
      title: task.title,
      section: task.section,
      state: task.state,
      line: lineOf(task.line),
      optional: task.optional,
      runnable: task.runnable,
      depends_on: task.dependsOn,
      ...(task.checks === undefined ? {} : { checks: task.checks, tier: tierOf(task) }),
    })),
    ignored: ignored.map(({ line, reason }) => ({ line, reason })),
    warnings: warnings.map(({ line, rule, message }) => ({ line: lineOf(line), rule, message })),
  }
}

/** Includes the first step of a heading that is a task. */
function nextJson(next: Task): Readonly<Record<string, unknown>> {
  const { key, label, title } = next
  const step = nextStep(next)
  const first = step === null ? {} : { step: { title: step.title, line: step.line } }
  return { key, label, title, line: lineOf(next.line), ...first }
}

/** Null in a plan without lines of its own. */
function lineOf(line: number): number | null {
  return line === 0 ? null : line
}
