// The options, their schema and defaults.
// Over 250 lines: the schema is one list, and what falls back when an option is wrong belongs to it.
import { fieldOf } from "../../boulder/fields-of.ts"
import { LEASE_MINUTES } from "../../boulder/handoff.ts"
import { TICKS, ticksSchema } from "../../boulder/proof-entry.ts"
import { escalateSchema } from "../../boulder/setbacks.ts"
import { unsafePartOf } from "../../boulder/unsafe-part.ts"
import { z } from "../../boulder/z.ts"
import { NOTIFY_EVENTS } from "../../decide/notification.ts"
import type { Limits } from "../../decide/situation.ts"
import { expectedWords, foundWords, problemWords } from "../../prompts/option-words.ts"
import { fleetOption } from "../../store/fleet/fleet-option.ts"

const seconds = (value: number, about: string) =>
  z.number().min(0).max(86_400).default(value).describe(about)
const minutes = (value: number, about: string) =>
  z.number().min(0).max(10_080).default(value).describe(about)
const count = (value: number, about: string, [least, most] = [1, 100_000]) =>
  z.int().min(least).max(most).default(value).describe(about)
const flag = (value: boolean, about: string) => z.boolean().default(value).describe(about)
/** The first of the values is the default. */
const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]], about: string) =>
  z.enum(values).default(values[0]).describe(about)
const ceiling = (one: z.ZodNumber, error: string, about: string) =>
  z.union([one, z.null()], { error }).default(null).describe(about)

const tokens = (value: number, about: string) =>
  z
    .union([z.int().min(1_000).max(100_000_000), z.string().regex(/^[1-9][0-9]?%$/)], {
      error: 'expected a number of tokens from 1000, or a share such as "60%"',
    })
    .default(value)
    .describe(about)

const SOFT_LIMIT = 60_000

const longRunFields = z.strictObject({
  enabled: flag(
    true,
    "Rounds with checkpoints, token limits and shards. The window is shown either way.",
  ),
  window_size: count(3, "Tasks shown to the orchestrator at a time.", [1, 10]),
  checkpoint_every: count(
    3,
    "Tasks to settle before a checkpoint is written and the round ends. It ends sooner, between two tasks, once its turn has filled a quarter of the soft limit.",
    [1, 100],
  ),
  shard_size: count(
    12,
    "Tasks in a shard; the plan's sections may ask for a few more or less.",
    [10, 15],
  ),
  token_soft_limit: tokens(
    SOFT_LIMIT,
    "Context of the lead session at which the round ends early; tokens, or a share of the model's context. If the hard limit is below the default, three quarters of that.",
  ),
  token_hard_limit: tokens(
    90_000,
    "Context at which its tools are refused until the next round; tokens, or a share.",
  ),
  partial_plan_updates: flag(
    true,
    "Whether `save_task_progress` marks its task in the plan; if not, the agent has to.",
  ),
  blocker_skip: flag(
    true,
    "Whether a blocked task is skipped; if not, the work pauses at the first one.",
  ),
})

const longRun = longRunFields.superRefine(
  ({ token_soft_limit: soft, token_hard_limit: hard }, ctx) => {
    // The default is scaled down to a lower hard limit: token-limits.ts.
    if (soft === SOFT_LIMIT || !isAbove(soft, hard)) return
    const message = `expected at most token_hard_limit (${hard})`
    ctx.addIssue({ code: "custom", message, path: ["token_soft_limit"] })
  },
)

/** A number and a share cannot be compared before there is a model. */
function isAbove(soft: number | string, hard: number | string): boolean {
  return (
    typeof soft === typeof hard && Number.parseInt(`${soft}`, 10) > Number.parseInt(`${hard}`, 10)
  )
}

const handoff = z.strictObject({
  lease_minutes: z
    .number()
    .min(1)
    .max(10_080)
    .default(LEASE_MINUTES)
    .describe("How long a claim lasts without activity of its session."),
  scope: oneOf(
    ["project", "agent"],
    "Who is offered a handoff: every session of the project, or the same agent only.",
  ),
})

const continuation = z.strictObject({
  max_per_work: count(200, "Continuations of one work before it pauses."),
  max_per_hour: count(30, "Continuations of one work in an hour before it pauses."),
  max_tokens_per_work: ceiling(
    z.int().min(1_000).max(1_000_000_000_000),
    "expected a number of tokens from 1000, or null for no ceiling",
    "Tokens that one work may send and receive, subagents' and cached ones included, before it pauses.",
  ),
  max_cost_per_work: ceiling(
    z.number().min(0.01).max(1_000_000),
    "expected US dollars from 0.01, or null for no ceiling",
    "US dollars that one work may cost by opencode's own figures, subagents' included, before it pauses. Answers without a price count nothing.",
  ),
  child_silence_minutes: minutes(
    20,
    "Minutes after which a silent subagent with no running tool is ended; its siblings continue. So is one in the background. 0: never.",
  ),
  tool_silence_minutes: minutes(
    60,
    "Minutes after which a subagent's running tool is reported to you; it is left alone. 0: never.",
  ),
  no_progress_turns: count(2, "Consecutive turns without progress before the work pauses."),
  cooldown_seconds: seconds(5, "Shortest time between two continuations."),
  backoff_seconds: seconds(
    5,
    "Wait after a failed turn, doubled with each further failure; after five it is 60 times as long.",
  ),
  pause_after_failures: count(10, "Consecutive failed turns before the work pauses."),
})

const limits = z.strictObject({
  wait: z
    .enum(["off", "day", "any"])
    .default("day")
    .describe(
      "After which of the provider's usage limits the work resumes by itself: none, those that end within 26 hours, or any.",
    ),
})

const notify = z.strictObject({
  command: z
    .array(z.string().min(1).max(4_096))
    .max(32)
    .default([])
    .describe(
      "A program with its arguments that runs, without a shell, when you are needed. It gets one JSON object on stdin (docs/NOTIFY.md). Empty: none.",
    ),
  on: z
    .array(z.enum(NOTIFY_EVENTS))
    .max(16)
    .default([...NOTIFY_EVENTS])
    .describe("The events that it runs for."),
})

/** Every option with its default. No other place knows them. */
export const optionsSchema = z.strictObject({
  reuse: oneOf(
    ["hint", "auto", "off"],
    "`hint` shows the session to reuse, `auto` sets it in the `task` call, `off` does neither.",
  ),
  escalate_agent: escalateSchema(),
  orchestrator_writes: oneOf(
    ["warn", "block", "allow"],
    "What happens when the orchestrator edits sources itself: one reminder per round, a refusal, nothing.",
  ),
  ticks: ticksSchema.default("observe").describe(TICKS),
  task_state: oneOf(
    ["works", "always", "off"],
    "Whose task state survives compaction: sessions that lead or led a work that is not complete, every session, none.",
  ),
  micro_compaction: oneOf(
    ["on", "off"],
    "Old outputs of `read`, `grep`, `glob` and `list` become one line, beyond the last two rounds.",
  ),
  long_run: longRun.default(longRun.parse({})),
  handoff: handoff.default(handoff.parse({})),
  handoffs: fleetOption.default(fleetOption.parse({})),
  continuation: continuation.default(continuation.parse({})),
  limits: limits.default(limits.parse({})),
  notify: notify.default(notify.parse({})),
})

export type Options = z.infer<typeof optionsSchema>

/** The options in force, and a message for each wrong one, which gets its default; the others hold. None stops opencode. */
export function readOptions(given: unknown): {
  readonly options: Options
  readonly problems: readonly string[]
} {
  const problems: string[] = []
  let left: unknown = given ?? {}
  // Some mistakes show only beside another option, such as a limit beside the other limit. They are seen once that one is right.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = optionsSchema.safeParse(left)
    if (parsed.success) return { options: parsed.data, problems }
    const wrong = parsed.error.issues.flatMap(wrongIn)
    problems.push(...wrong.map((one) => problem(given, one)))
    left = without(
      left,
      wrong.map(({ path }) => path),
    )
  }
  return { options: optionsSchema.parse({}), problems }
}

const MAX_ROUNDS = 4

interface Wrong {
  readonly path: readonly PropertyKey[]
  readonly expected: string
  /** There is no such option, so it has no default. */
  readonly isUnknown?: boolean
}

function wrongIn(issue: z.core.$ZodIssue): readonly Wrong[] {
  const { path } = issue
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key],
      expected: unknownAt(path),
      isUnknown: true,
    }))
  return [{ path, expected: expectedWords(issue) }]
}

/** The options without these paths; each option is looked at once. If an item of a list is wrong, the whole list goes. */
function without(options: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const isWhole = paths.some((path) => path.length === 0)
  if (isWhole || typeof options !== "object" || options === null) return {}
  const within = new Map<string, (readonly PropertyKey[])[]>()
  for (const [name, ...below] of paths) {
    const others = within.get(String(name))
    if (others === undefined) within.set(String(name), [below])
    else others.push(below)
  }
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => {
      const below = within.get(name)
      if (below?.some(([next]) => next === undefined || typeof next === "number")) return []
      return [[name, below === undefined ? value : without(value, below)]]
    }),
  )
}

/** The numbers that decisions are made with. */
export function limitsOf({ continuation: given, long_run, limits: { wait } }: Options): Limits {
  return {
    maxPerWork: given.max_per_work,
    maxPerHour: given.max_per_hour,
    maxTokens: given.max_tokens_per_work,
    maxUsd: given.max_cost_per_work,
    noProgressTurns: given.no_progress_turns,
    cooldownMs: given.cooldown_seconds * 1_000,
    backoffMs: given.backoff_seconds * 1_000,
    pauseAfterFailures: given.pause_after_failures,
    waitForLimits: wait,
    blockerSkip: long_run.blocker_skip,
  }
}

function problem(given: unknown, { path, ...wrong }: Wrong): string {
  const value = valueAt(given, path)
  // JSON.stringify takes seconds for a value nested thousands deep.
  const found = unsafePartOf(value) ?? foundWords(value)
  return problemWords(path.join(".").slice(0, 80) || "options", wrong, found)
}

function unknownAt(path: readonly PropertyKey[]): string {
  const known = Object.keys(Object(valueAt(optionsSchema.parse({}), path)))
  return `expected one of ${known.join(", ")}`
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => fieldOf(value, String(key)), given)
}
