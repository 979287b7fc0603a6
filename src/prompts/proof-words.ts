// Says in a line what a tick lacks.
import { type Tier, WHOLE_TREE } from "../boulder/proof-entry.ts"
import type { ChangedChecks, EditedJudges, ProofSummary, UnprovenTick } from "../decide/decision.ts"
import type { Task } from "../plan/model/plan.ts"
import { firstWithin } from "./first-within.ts"
import { PART_CHARS, quote, quoteKey, quoteWhole } from "./quote.ts"
import { linesInPlan } from "./task-lines.ts"

const CHECK_TOKENS = 20
const PATH_TOKENS = 20

const SHOWN = 2
const SHOWN_UNPROVEN = 5

/** `1 of 2 ticked tasks with checks; todo:2 failed`: at most five that are not proven, and how many more. */
export function summaryWords({ ticked, proven, unproven }: ProofSummary): string {
  const rows = unproven
    .slice(0, SHOWN_UNPROVEN)
    .map(({ key, tier }) => `${quoteKey(key)} ${TIER_WORDS[tier]}`)
  const more = unproven.length - rows.length
  const all = [`${proven} of ${ticked} ticked tasks with checks`, ...rows]
  return `${all.join("; ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** The tiers in words for a person. */
export const TIER_WORDS: Readonly<Record<Tier, string>> = {
  proven: "proven",
  changed: "checked, then changed",
  claimed: "claimed",
  failed: "failed",
  unavailable: "unavailable",
}

/**
 * A line for each of the first ones that fit into `tokens`, and how many more there are. They state facts only: what to do in the turn is
 * said once, by the text around them.
 */
export function unprovenLines(
  unproven: readonly UnprovenTick[],
  tokens: number,
): readonly string[] {
  return firstWithin(unproven.map(unprovenLine), { most: SHOWN, tokens, rest: restOfTicks })
}

function restOfTicks(left: number, shown: number): string {
  const tasks = `${left}${shown > 0 ? " more" : ""} ticked ${left === 1 ? "task is" : "tasks are"}`
  return `${tasks} not proven.`
}

const SHOWN_EDITED = 1
const FILES_TOKENS = 24

/** Who has edited the files that judge their task: a line for the first ones. Budget: 50 tokens (o200k). */
export function editedLines(edited: readonly EditedJudges[]): readonly string[] {
  return edited
    .slice(0, SHOWN_EDITED)
    .map(
      ({ taskKey, files }) =>
        `${quoteKey(taskKey)} has changed what its own check goes by: ${filesWords(files)}.`,
    )
}

/** The first files that fit, whole, and how many more there are. */
function filesWords(files: readonly string[]): string {
  for (let shown = files.length; shown > 0; shown -= 1) {
    const more = files.length - shown
    const words = `${files.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
    const whole = quoteWhole(words, FILES_TOKENS)
    if (whole !== null) return whole
  }
  return files.length === 1 ? "a file" : `${files.length} files`
}

const SHOWN_CHANGED = 2

/** Whose checks were changed in the plan. Budget: 90 tokens (o200k) a line. */
export function changedLines(changed: readonly ChangedChecks[], tokens: number): readonly string[] {
  const rest = (left: number, shown: number): string =>
    `The checks of ${left}${shown > 0 ? " more" : ""} ${left === 1 ? "task" : "tasks"} have changed in the plan.`
  return firstWithin(changed.map(changedLine), { most: SHOWN_CHANGED, tokens, rest })
}

function changedLine({ taskKey, before, now, isAsked }: ChangedChecks): string {
  const head = `The check of ${quoteKey(taskKey)}${before.length === 0 ? "" : `, ${shownChecks(before)},`}`
  if (isAsked)
    return `${head} was taken out of the plan: until the user approves the task, it is still asked for.`
  return now.length === 0
    ? `${head} was taken out of the plan.`
    : `${head} is now ${shownChecks(now)} in the plan: run that.`
}

function shownChecks([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`
  return `${isShown(first) ? `\`${first}\`` : "another"}${more}`
}

/** `todo:3 is ticked, but …`: why its checks do not prove it. Budget: 60 tokens (o200k). */
function unprovenLine({ task, standing, nothingDoneIn }: UnprovenTick): string {
  const why =
    nothingDoneIn === undefined
      ? whyUnproven(standing, whereIn(task))
      : "nothing was changed and no check was run"
  const word = (task.written ?? task).state === "cancelled" ? "cancelled" : "ticked"
  return `${quoteKey(task.key)} is ${word}, but ${why}.`
}

/** Why a task is not proven, as a clause; `where` its check can be read, if it is not shown. */
export function whyUnproven(
  { tier, check, run, changed, uncounted, isTakenOut }: UnprovenTick["standing"],
  where = "",
): string {
  const shown = isShown(check) ? `\`${check}\`` : `its check${where}`
  const command = isTakenOut ? `${shown} (taken out of the plan)` : shown
  const exit = run?.exit ?? null
  switch (tier) {
    case "failed":
      return `${command} last ended with ${exit}`
    case "unavailable":
      return exit === null
        ? `${command} did not end in time`
        : `${command} could not be run (exit code ${exit})`
    case "changed":
      return `${command} has not been run since ${changedWords(changed ?? "")} was changed`
    case "claimed":
      if (run !== null) return `another command hid the exit code of ${command}`
      return `${command} has not been run${uncounted === undefined ? "" : SINCE[uncounted]}`
    case "proven":
      return `${command} ended with 0`
  }
}

const SINCE = { "another's": " for it", "taken-back": " since its tick was taken back" } as const

function changedWords(path: string): string {
  return path === WHOLE_TREE ? "the work tree" : (quoteWhole(path, PATH_TOKENS) ?? "a file")
}

/**
 * A check is shown word for word, as it must be run, or not at all: runs are compared with it, and anything changed for our frame or for
 * room would be another command.
 */
function isShown(check: string): boolean {
  return check.length <= CHECK_TOKENS * PART_CHARS && quote(check, CHECK_TOKENS) === check
}

function whereIn(task: Task): string {
  const range = linesInPlan(task)
  return range === null ? "" : ` (lines ${range.from}-${range.to} of the plan)`
}
