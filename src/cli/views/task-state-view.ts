// Shows a task state to a person: on the terminal, or as markdown.
import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { StoredTaskState, TaskState } from "../../boulder/task-state.ts"
import type { WorkFacts } from "../../boulder/work-facts.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { fitLine } from "./columns.ts"
import { ago } from "./status-view.ts"

const HEADINGS: readonly (readonly [field: keyof TaskState, heading: string])[] = [
  ["goal", "Goal"],
  ["user_constraints", "The user's constraints"],
  ["decisions", "Decisions"],
  ["next_step", "Next step"],
  ["blockers", "Blockers"],
  ["open_items", "Open"],
  ["key_artifacts", "Artifacts"],
  ["progress", "Progress"],
]

/** A whole task state for a terminal: its fields with their items, without empty ones. */
export function taskStateView(stored: StoredTaskState, now: number): string {
  const lines = sectionsOf(stored.task_state).flatMap(({ heading, items }) => [
    `${heading}:`,
    ...items.map((item) => `  ${item}`),
  ])
  return `${[headOf(stored, now), ...lines].join("\n")}\n`
}

/** The sessions that have a task state, one line each, for a terminal with this many columns. */
export function taskStatesView(
  stored: readonly StoredTaskState[],
  now: number,
  columns: number,
): string {
  if (stored.length === 0)
    return "No session has a task state yet: the first compaction creates it.\n"
  const lines = stored.map((one) =>
    fitLine(`${headOf(one, now)}: ${cleanLine(one.task_state.goal)}`, columns),
  )
  return `${lines.join("\n")}\n`
}

/** A task state and the facts about its work as markdown, for a person who takes over. */
export function taskStateMarkdown(stored: StoredTaskState, facts: WorkFacts | null): string {
  const sections = sectionsOf(stored.task_state).flatMap(({ heading, items, isList }) =>
    part(heading, items.map(escaped), isList),
  )
  return `${[
    "# Handover",
    `Session \`${stored.session_id}\`, as it stood at its last compaction, ${stored.updated_at}.`,
    ...sections,
    ...(facts === null ? [] : factParts(facts)),
  ].join("\n\n")}\n`
}

function factParts(facts: WorkFacts): readonly string[] {
  const { window, blocked, sessions, begun } = facts
  const progress = `${facts.settled} of ${facts.total} tasks settled`
  const title = (task: { readonly key: string; readonly title: string }) =>
    `${code(task.key)} ${escaped(task.title)}`
  const agentOf = (one: { readonly agent: string }) => `(${escaped(one.agent)})`
  return [
    `## The plan\n\n${code(facts.planPath)}: ${progress}.`,
    ...part("Next tasks", window.map(title), true),
    ...part("Blocked tasks", blocked.map(blockedWords), true),
    ...part(
      "Subagent sessions of open tasks",
      sessions.map((one) => `${code(one.task_key)} in ${code(one.session_id)} ${agentOf(one)}`),
      true,
    ),
    ...part(
      "Begun and not back",
      begun.map((one) => `${code(one.taskKey)} ${agentOf(one)}`),
      true,
    ),
  ]
}

function blockedWords({ key, title, reason, unblock }: BlockedTask): string {
  const why = reason === null ? "" : `: ${escaped(reason)}`
  const until = unblock === null ? "" : `. Unblock when: ${escaped(unblock)}`
  return `${code(key)} ${escaped(title)}${why}${until}`
}

/** Nothing without items. */
function part(heading: string, items: readonly string[], isList: boolean): readonly string[] {
  const lines = items.map((item) => (isList ? `- ${item}` : item))
  return lines.length === 0 ? [] : [`## ${heading}\n\n${lines.join("\n")}`]
}

function sectionsOf(state: TaskState) {
  return HEADINGS.map(([field, heading]) => {
    const value = state[field]
    const isList = typeof value !== "string"
    const items = (isList ? value : [value]).map(cleanLine).filter((item) => item !== "")
    return { heading, items, isList }
  }).filter(({ items }) => items.length > 0)
}

function headOf({ session_id, updated_at }: StoredTaskState, now: number): string {
  return `${session_id}, changed ${ago(elapsedMs(updated_at, now))}`
}

/** A foreign name as code, without anything that would end the code early. */
function code(name: string): string {
  return `\`${cleanLine(name).replaceAll("`", "'")}\``
}

/** Foreign text that becomes no tag and loads no picture where the document is shown. */
function escaped(text: string): string {
  return cleanLine(text).replaceAll("<", "\\<").replaceAll("![", "!\\[")
}
