// The result of a reading: plan, tasks, states.
/** What a task's marker says. An unknown marker reads as `open` and is never runnable. */
export type TaskState = "open" | "in_progress" | "blocked" | "done" | "cancelled"

/** The part of a task key before the colon: rows of a TODO section, of the final wave, or any other. */
export type Section = "todo" | "final-wave" | "task"

/** A box below a heading that is a task. */
export interface Step {
  readonly line: number
  readonly title: string
  readonly state: TaskState
  readonly marker: string
  readonly optional: boolean
}

/** Where a heading that is a task states its state in words. */
export interface StatusWord {
  readonly line: number
  readonly word: string
  /** Where the word begins in its line. */
  readonly at: number
}

/** A command that a plan names as the check of a task. */
export interface Check {
  /** With one blank for any white space. */
  readonly command: string
  readonly line: number
}

/** A top-level checkbox of a plan, or a heading with its steps. Nested checkboxes are sub-items and part of `detail`. */
export interface Task {
  /** `<section>:<label>` in lower case; without a short label `task:~`, or `final-wave:~`, and 8 hex digits of the normalised title. */
  readonly key: string
  readonly label: string | null
  readonly title: string
  /** 8 hex digits of the normalised title: the same key with another hash is another task. */
  readonly titleHash: string
  readonly section: Section
  /** The text of the nearest heading above the row, or null. */
  readonly group: string | null
  readonly state: TaskState
  /** The marker as written between the brackets. */
  readonly marker: string
  /** 1-based line of the row; 0 in a plan without lines of its own (JSON). */
  readonly line: number
  /** 1-based last line that belongs to the task: its details and sub-items. */
  readonly endLine: number
  /** What the plan says about the task besides its title, if its lines do not show it as it is. */
  readonly body?: string
  /** An optional task does not delay completion. */
  readonly optional: boolean
  /** Open or in progress, with a known marker, and everything that it waits for is done. */
  readonly runnable: boolean
  /** Its marker is unknown: it counts as open, and is not run. */
  readonly unknown?: true
  /** Keys of tasks that come first. If the plan's references run in a circle, only those that a block holds up. */
  readonly dependsOn: readonly string[]
  /** False for a second task with the same key: its session is never offered again. */
  readonly reusable: boolean
  /** The row or a line of its details says `VERDICT: REJECT`: a tick on it means "ran", never "approved". */
  readonly rejected: boolean
  /** What its `BLOCKED:` lines say; missing if there are none. */
  readonly note?: BlockedNote
  /** The commands that must succeed before it is proven; missing if the plan names none. */
  readonly checks?: readonly Check[]
  /** Why it counts as open although it is ticked; never from the plan's text. */
  readonly held?: string
  /** What the plan's text says about it, if we treat it as something else: held or blocked. */
  readonly written?: Pick<Task, "state" | "runnable" | "note">
  /** For a heading that is a task: the boxes below it, which determine its state. */
  readonly steps?: readonly Step[]
  /** For such a heading: its `Status:` line; without steps it determines the state. */
  readonly status?: StatusWord
  /** The name of the file next to the plan by which its tasks are settled, all at once; missing if each has a mark of its own. */
  readonly settledBy?: string
  /** How the dialect writes this task's states, for `markTask`; the generic form if missing. */
  readonly dialect?: string
}

/** The `BLOCKED:` lines of a task, which may contradict its box. */
export interface BlockedNote {
  /** What the first one says; null if it has no words. */
  readonly words: string | null
  readonly lines: readonly number[]
}

/** A checkbox that belongs to a task: nested under its row, or numbered as its child. */
export interface SubItem {
  readonly line: number
  readonly parentKey: string
  readonly label: string | null
  readonly state: TaskState
}

/** A line that looks like a checkbox but is none of the plan's, with the reason in one word. */
export interface IgnoredLine {
  readonly line: number
  readonly reason: string
}

export interface PlanWarning {
  /** 1-based; 0 in a plan without lines of its own. */
  readonly line: number
  /** The task that it is about, if no line says so. */
  readonly key?: string
  readonly rule: string
  readonly message: string
}

export interface PlanCounts {
  readonly total: number
  readonly done: number
  readonly open: number
  readonly in_progress: number
  readonly blocked: number
  readonly cancelled: number
  readonly optional: number
}

/**
 * `rows-outside`: every task is settled, and open rows, or headings that say they are not done, stand outside them. `invalid`: there is no
 * task, so the plan is neither complete nor can it continue.
 */
export type PlanState = "open" | "complete" | "only-blocked" | "rows-outside" | "invalid"

/** What is known about a plan before its text is read. */
export interface ParseOptions {
  /** Where the plan lies, which hints at its dialect. */
  readonly path?: string
  /** The dialect's name, if known. */
  readonly dialect?: string
  /** Names of the files in the plan's folder. */
  readonly siblings?: readonly string[]
  /** The text's lines, from `splitLines`, if known. */
  readonly lines?: readonly string[]
}

/** What a plan's text says. Reading never throws: problems are `warnings` with a line and a rule. */
export interface Plan {
  readonly dialect: string
  /** Why this dialect was chosen, in words for a person. */
  readonly evidence: string
  readonly state: PlanState
  readonly counts: PlanCounts
  readonly next: Task | null
  readonly tasks: readonly Task[]
  readonly subItems: readonly SubItem[]
  readonly ignored: readonly IgnoredLine[]
  readonly warnings: readonly PlanWarning[]
}

/** A warning as a person reads it, with its line if there is one. */
export function warningWords({ line, message }: PlanWarning): string {
  return line === 0 ? message : `line ${line}: ${message}`
}

/** How many tasks need nothing more: the done and the cancelled ones. */
export function settledCount({ done, cancelled }: Pick<PlanCounts, "done" | "cancelled">): number {
  return done + cancelled
}

/** Done or cancelled: nothing more has to be done for this task. */
export function isSettled(task: Pick<Task, "state">): boolean {
  return isSettledState(task.state)
}

/** Whether something in this state needs nothing more. */
export function isSettledState(state: TaskState | null): state is "done" | "cancelled" {
  return state === "done" || state === "cancelled"
}

/** Whether something in this state may be worked on. */
export function isWorkable(state: TaskState | null): state is "open" | "in_progress" {
  return state === "open" || state === "in_progress"
}
