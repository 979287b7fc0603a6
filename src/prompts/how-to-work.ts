// Says how the orchestrator works a window, and how it settles a task.
import { blocksWords, isSettledByBox, settlesWords } from "../plan/formats.ts"
import type { Task } from "../plan/model/plan.ts"
import type { HostWords } from "./host-words.ts"

/** Whether `save_task_progress` marks the plan; if it does not, the orchestrator ticks the boxes itself. */
export type Settling = "by-tool" | "by-hand"

/** How to settle a task, as the end of a sentence. */
export function settleWords(task: Task | undefined, settling: Settling): string {
  return isMarked(task, settling) ? "save it as `complete`" : settlesWords(task)
}

/** How to leave a task that cannot go on, as the end of a sentence. If no tool marks the plan, a save alone stops nothing. */
export function blockWords(
  whose: "it" | "the task",
  task: Task | undefined,
  settling: Settling,
): string {
  return isMarked(task, settling)
    ? `save ${whose} as \`blocked\``
    : blocksWords(task, whose === "it" ? "its" : "the task's")
}

/** Whether `save_task_progress` marks the task: a file next to the plan settles all of its tasks at once. */
function isMarked(task: Task | undefined, settling: Settling): boolean {
  return settling === "by-tool" && task?.settledBy === undefined
}

/**
 * How the orchestrator works a window: said at the start, and again if a compaction may have removed it. The window's first task knows how
 * its format settles one.
 */
export function howToWork(
  task: Task | undefined,
  settling: Settling,
  words: HostWords,
  isApprovalLapsed = false,
): string {
  if (isOfWave(task)) return workTheWave(words, isApprovalLapsed)
  const [done, undo] = isSettledByBox(task)
    ? ["ticks its box", "untick the box"]
    : ["marks it as done", "set it back"]
  const settle = isMarked(task, settling)
    ? `then settle it: \`save_task_progress\` as \`complete\` ${done} and unblocks it if it was blocked. To undo it, ${undo} in the plan`
    : `then ${settlesWords(task)}`
  return `Delegate each task with \`${words.delegate}\`, its key first in the description, several at once only if they are independent. Verify the result yourself, ${settle}. ${askWith(words, task, settling)} ${CONTINUE}`
}

/**
 * Whether a text for a window that begins with this task says how to work: the final wave has rules of its own, and without a task to work
 * on there is nothing to say.
 */
export function saysHowToWork(first: Task | undefined, waveApproved: boolean): boolean {
  return first !== undefined && !waveApproved && !isOfWave(first)
}

/** Whether a window that begins with this task is the final wave's. */
export function isOfWave(task: Task | undefined): boolean {
  return task?.section === "final-wave"
}

/**
 * How to work the rows of a final wave: the user settles them, and no other rule of work applies. An earlier approval is mentioned, so that
 * no older text is followed.
 */
function workTheWave({ delegate }: HostWords, isApprovalLapsed: boolean): string {
  const ask = isApprovalLapsed
    ? "The user's approval has lapsed: once every review is back without an objection, you will be told how to ask again."
    : "once every review is back without an objection, you will be told how to ask the user to approve."
  return `Delegate each row with \`${delegate}\`, its key first in the description. Leave the boxes as they are${isApprovalLapsed ? "." : ":"} ${ask}`
}

const CONTINUE =
  "Continue until the tasks below are settled or you are told to end your turn; you will get the next ones automatically."

function askWith({ ask }: HostWords, task: Task | undefined, settling: Settling): string {
  return `Ask the user with \`${ask}\`: words alone stop nothing. Without that tool, ${blockWords("the task", task, settling)}.`
}
