import type { TaskSession, Work } from "../../src/boulder/boulder.ts"
import { newWork } from "../../src/boulder/new-work.ts"
import type { Reuse, UnprovenTick } from "../../src/decide/decision.ts"
import type { Situation } from "../../src/decide/situation.ts"
import { hashText } from "../../src/plan/model/hash-text.ts"
import { isSettled, type Plan, type Task } from "../../src/plan/model/plan.ts"
import type { ShownWindow } from "../../src/prompts/window-lines.ts"

/** A moment that all builders share, in ms. */
export const NOW = Date.parse("2026-11-21T12:00:00.000Z")
export const LEAD = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"
export const CHILD = "ses_e02a05cf0ffeiVkhL7Rr1p5CHI"

/** ISO time `seconds` after `NOW`. */
export function at(seconds: number): string {
  return new Date(NOW + seconds * 1_000).toISOString()
}

/** A task `todo:<label>`, unless `given` says otherwise. */
export function aTask(given: Partial<Task> & { label: string }): Task {
  const section = given.section ?? "todo"
  const title = given.title ?? `Task ${given.label}`
  const state = given.state ?? "open"
  return {
    key: `${section}:${given.label.toLowerCase()}`,
    title,
    titleHash: hashText(title),
    section,
    group: null,
    state,
    marker: state === "done" ? "x" : " ",
    line: 10,
    endLine: 12,
    optional: false,
    runnable: state === "open" || state === "in_progress",
    dependsOn: [],
    reusable: true,
    rejected: false,
    ...given,
  }
}

/** A plan of these tasks, as the reader would give it. */
export function aPlan(tasks: readonly Task[], given: Partial<Plan> = {}): Plan {
  const count = (state: Task["state"]) => tasks.filter((task) => task.state === state).length
  const required = tasks.filter((task) => !task.optional && !isSettled(task))
  return {
    dialect: "omo",
    evidence: "heading TODOs",
    state:
      tasks.length === 0
        ? "invalid"
        : required.length === 0
          ? "complete"
          : required.every((task) => task.state === "blocked")
            ? "only-blocked"
            : "open",
    counts: {
      total: tasks.length,
      done: count("done"),
      open: count("open"),
      in_progress: count("in_progress"),
      blocked: count("blocked"),
      cancelled: count("cancelled"),
      optional: tasks.filter((task) => task.optional).length,
    },
    next: tasks.find((task) => task.runnable) ?? null,
    tasks,
    ignored: [],
    warnings: [],
    subItems: [],
    ...given,
  }
}

/** The window as texts show it: only rows, unless `given` says otherwise. */
export function aWindow(
  tasks: readonly Task[],
  given: {
    readonly details?: readonly string[]
    /** The file that holds all of them, at the lines that they have in the plan. */
    readonly shard?: string
    readonly reuse?: Reuse | null
  } & Partial<Pick<ShownWindow, "rules" | "waiting">> = {},
): ShownWindow {
  const { details = [], shard, reuse = null, rules = null, waiting = [] } = given
  const shown = tasks.map((task, index) => ({
    task,
    details: details[index] ?? "",
    shard:
      shard === undefined ? null : { path: shard, lines: { from: task.line, to: task.endLine } },
    reuse: index === 0 ? reuse : null,
    back:
      index === 0 && reuse?.kind === "reuse" && !task.rejected && task.state !== "done"
        ? ("result" as const)
        : null,
    isReviewed: false,
    limitedUntil: null,
  }))
  return { tasks: shown, rules, waiting }
}

/** An active work led by `LEAD`, started an hour before `NOW`. */
export function aWork(given: Partial<Work> = {}): Work {
  const made = newWork({
    planPath: ".boulder/plans/demo.md",
    planName: "demo",
    sessionId: LEAD,
    now: at(-3_600),
  })
  return { ...made, agent: "build", ...given }
}

/** A ticked task whose check `npm test` has never run. */
export function anUnprovenTick(label: string): UnprovenTick {
  const never = { run: null, changed: null, isTakenOut: false } as const
  return { task: aTask({ label }), standing: { tier: "claimed", check: "npm test", ...never } }
}

/** The recorded session of a task. */
export function aTaskSession(task: Task, given: Partial<TaskSession> = {}): TaskSession {
  return {
    task_key: task.key,
    task_label: task.label,
    task_title: task.title,
    title_hash: task.titleHash,
    session_id: CHILD,
    agent: "general",
    attempts: 1,
    failures: 0,
    results: 1,
    result_hash: "00000000",
    status: "returned",
    started_at: at(-60),
    updated_at: at(-30),
    ...given,
  }
}

/** A situation in which the work continues: two of three tasks are open, and nothing speaks against it. */
export function aSituation(given: Partial<Situation> = {}): Situation {
  const tasks = [aTask({ label: "1", state: "done" }), aTask({ label: "2" }), aTask({ label: "3" })]
  return {
    now: NOW,
    sessionId: LEAD,
    isChild: false,
    work: aWork(),
    lastTurn: {
      messageId: "msg_1",
      createdAt: NOW - 1_000,
      ours: false,
      error: null,
      ended: true,
      contextTokens: 0,
      isSummary: false,
      isUnanswered: false,
    },
    failure: null,
    childFailure: null,
    identity: { agent: "build", model: { providerId: "lab", modelId: "m" }, variant: null },
    abortedAt: null,
    rejectedAt: null,
    waitingFor: null,
    plan: { kind: "read", plan: aPlan(tasks) },
    busyChildren: [],
    isBusy: false,
    hostWaitsUntil: null,
    progress: "marks:1",
    limits: {
      maxPerWork: 200,
      maxPerHour: 30,
      maxTokens: null,
      maxUsd: null,
      cooldownMs: 5_000,
      noProgressTurns: 2,
      backoffMs: 5_000,
      pauseAfterFailures: 10,
      waitForLimits: "day",
      blockerSkip: true,
    },
    tokenLimits: { soft: 60_000, hard: 90_000, scaled: false },
    ...given,
  }
}
