// Defines the three handoff tools for every host.

import { MAX_REASON_CHARS, MAX_SUMMARY_CHARS, MAX_TASK_CHARS } from "../boulder/handoff.ts"
import { z } from "../boulder/z.ts"
import { numberWords } from "./budget-words.ts"
import { frame } from "./frame.ts"
import { quote } from "./quote.ts"

/**
 * The three tools as every host lists them: budget 350 tokens (o200k) together, as the host sends them. No host checks arguments for us:
 * they are parsed with `parseToolArgs`.
 */
export const HANDOFF_TOOLS = {
  save_task_progress: {
    description:
      "Settle a plan task (`complete` ticks its box), or leave one you cannot finish to a later session (`blocked`, `in_progress`).",
    args: {
      summary: textOf(MAX_SUMMARY_CHARS)
        .min(1, "must not be empty")
        .describe("Done, left, and what the next session must know"),
      status: z.enum(["in_progress", "blocked", "complete"]),
      blocked_reason: textOf(MAX_REASON_CHARS)
        .optional()
        .describe("Needed if blocked; add `Unblock: <condition>` if known"),
      task: textOf(MAX_TASK_CHARS)
        .optional()
        .describe("Handoff id, task key or free text; default: the task you hold"),
    },
  },
  list_blocked_tasks: {
    description: "List blocked and interrupted tasks, when you are to take one up.",
    args: {},
  },
  get_blocked_task: {
    description: "Read a handoff and claim it for this session.",
    args: {
      id: textOf(128)
        .min(1, "must not be empty")
        .describe("Handoff id, or a session id for its last record"),
      claim: z.boolean().optional().describe("Default true; false only reads"),
    },
  },
} as const

export type HandoffToolName = keyof typeof HANDOFF_TOOLS

/** The checked arguments of each tool. Null counts as missing, since models send it. */
export const handoffArgs = {
  save_task_progress: z.preprocess(
    withoutNulls,
    z
      .strictObject(HANDOFF_TOOLS.save_task_progress.args)
      .refine(({ status, blocked_reason: reason }) => status !== "blocked" || Boolean(reason), {
        path: ["blocked_reason"],
        message: "status blocked needs a reason: what stops you, and what would unblock it",
      }),
  ),
  list_blocked_tasks: z.object({}),
  get_blocked_task: z.preprocess(withoutNulls, z.strictObject(HANDOFF_TOOLS.get_blocked_task.args)),
}

const EXAMPLES: Readonly<Record<HandoffToolName, string>> = {
  save_task_progress:
    '{"summary":"…","status":"blocked","blocked_reason":"…","task":"todo:3"}; status is in_progress, blocked or complete; task may be left out',
  list_blocked_tasks: "{}",
  get_blocked_task: '{"id":"hnd_…"}, or {"id":"ses_…","claim":false}',
}

/** What to send instead of wrong arguments. Budget: 200 tokens. */
export function argumentsText(name: HandoffToolName, { issues }: z.ZodError): string {
  const problems = issues.slice(0, 3).map((issue) => {
    const where = issue.path.join(".") || "arguments"
    return `${quote(where, 12)}: ${quote(issue.message, 44)}.`
  })
  return frame([`Refused: ${problems.join(" ")}`, `Send ${name}(${EXAMPLES[name]}).`])
}

function withoutNulls(given: unknown): unknown {
  if (given === null || typeof given !== "object") return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

function textOf(most: number) {
  return z
    .string()
    .trim()
    .max(most, `at most ${numberWords(most)} characters: shorten it`)
}
