// Writes the facts about a work, one line for each.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { WorkFacts } from "../boulder/work-facts.ts"
import { frame } from "./frame.ts"
import { planWords } from "./plan-words.ts"
import { TIER_WORDS } from "./proof-words.ts"
import { quote, quoteKey } from "./quote.ts"
import { taskLines } from "./task-lines.ts"

const SHOWN = 3
const PLAN_TOKENS = 90
const AGENT_TOKENS = 8
const TITLE_TOKENS = 24
const REASON_TOKENS = 28

/**
 * What our records know about a work, for a model that has lost the conversation. If the host repeats a turn, `resumedBy` is the argument
 * that resumes a session, else null. Budget: 1,000 tokens (o200k).
 */
export function workFactsLines(facts: WorkFacts, resumedBy: string | null): readonly string[] {
  const { window, blocked, unproven = [] } = facts
  return [
    `${planWords("Plan", facts, PLAN_TOKENS)}: ${facts.settled} of ${facts.total} tasks settled.`,
    ...section("Window (lines of the plan):", taskLines(window.slice(0, SHOWN)), window.length),
    ...sessionLines(facts, resumedBy),
    ...inFlightLines(facts),
    ...section(
      "Ticked, but not proven by their checks:",
      unproven.slice(0, SHOWN).map(({ key, tier }) => `- ${quoteKey(key)}: ${TIER_WORDS[tier]}`),
      unproven.length,
    ),
    ...section("Blocked:", blocked.slice(0, SHOWN).map(blockedLine), blocked.length),
  ]
}

/**
 * Beside the model's own summary: what must not be started again; null if there is nothing. A turn that the host repeats was written before
 * its delegations, and nothing else tells of them. Budget: 500 tokens (o200k).
 */
export function begunText(facts: WorkFacts, resumedBy: string | null): string | null {
  const lines = [
    ...(resumedBy === null ? [] : sessionLines(facts, resumedBy)),
    ...(facts.running.length === 0 ? [] : inFlightLines(facts)),
  ]
  return lines.length === 0 ? null : frame(lines)
}

function blockedLine({ key, title, reason }: BlockedTask): string {
  const why = reason === null ? "" : `: ${quote(reason, REASON_TOKENS)}`
  return `- ${quoteKey(key)} "${quote(title, TITLE_TOKENS)}"${why}`
}

function sessionLines({ sessions }: WorkFacts, resumedBy: string | null): readonly string[] {
  const lines = sessions
    .slice(0, SHOWN)
    .map(
      (task) =>
        `- ${quoteKey(task.task_key)}: ${task.session_id} (${quote(task.agent, AGENT_TOKENS)})`,
    )
  const heading =
    resumedBy === null
      ? "Sessions of open tasks:"
      : `The message below is older than these delegations of open tasks. Do not start them again, resume their sessions (${resumedBy}):`
  return section(heading, lines, sessions.length)
}

function inFlightLines({ begun, running }: WorkFacts): readonly string[] {
  const calls = begun
    .slice(0, SHOWN)
    .map(({ taskKey, agent }) => `- ${quoteKey(taskKey)} (${quote(agent, AGENT_TOKENS)})`)
  if (running.length === 0) return section("Begun, but cut off:", calls, begun.length)
  const children = running
    .slice(0, SHOWN)
    .map(({ sessionId, title }) => `- ${sessionId} "${quote(title, TITLE_TOKENS)}"`)
  return section(
    "Still running, do not start it again; its result will arrive:",
    [...children, ...calls],
    running.length + begun.length,
  )
}

function section(heading: string, lines: readonly string[], count: number): readonly string[] {
  if (count === 0) return []
  return [
    heading,
    ...lines,
    ...(count > lines.length ? [`- and ${count - lines.length} more`] : []),
  ]
}
