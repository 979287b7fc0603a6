// The schema of `boulder.json`.
// Over 250 lines: it is one list, with the few types that are read off it.
import { taskCostSchema, workCostSchema, workTokensSchema } from "./cost.ts"
import { verifiedFields } from "./setbacks.ts"
import type { Unchanging } from "./unchanging.ts"
import { RESERVED_KEYS, unsafePartOf } from "./unsafe-part.ts"
import { z } from "./z.ts"

export const SCHEMA_VERSION = 3

/** Ids as the host makes them; anything else is dropped before it is stored or shown. */
export const SESSION_ID = /^ses_[0-9A-Za-z_-]{1,64}$/

const time = z.iso.datetime({ offset: true })
const count = z.int().nonnegative()
const sessionId = z.string().regex(SESSION_ID)
const hash = z.string().max(64)
const hashOrNull = hash.nullable()
const id = z.string().max(128)
const idOrNull = id.nullable()
const words = z.string().max(256)
const wordsOrNull = words.nullable()
const safeKey = words.min(1).refine((key) => !RESERVED_KEYS.has(key), "reserved key")
const mapOf = <Value extends z.ZodType>(value: Value) => z.record(safeKey, value)

/** Why a work is paused. */
export const pauseReasonSchema = z.enum([
  "stopped-by-user",
  "aborted",
  "rejected-by-user",
  "no-progress",
  "backing-off",
  "budget-spent",
  "plan-unavailable",
  "plan-invalid",
  "only-blocked-left",
  "rows-outside",
  "task-blocked",
  "compaction-loop",
  "provider-refused",
  "usage-limited",
])

const taskSession = z.object({
  task_key: safeKey,
  task_label: wordsOrNull,
  task_title: z.string().max(512),
  title_hash: hash,
  session_id: sessionId,
  agent: words,
  /** Delegations that returned, of this session or another. */
  attempts: count,
  /** Calls that failed in this session for this task; after two the session is no longer offered. */
  failures: count,
  /** Distinct results without a mark, at most 2: the progress that results alone can make. */
  results: count,
  result_hash: hashOrNull,
  status: z.enum(["running", "returned", "interrupted"]),
  /** The provider's limit that ended its last turn; missing once the session has returned. */
  interrupted: z
    .object({
      since: time,
      until: time,
      /** Calls for the task after the limit that its provider has not answered; missing for none. */
      attempts: count.optional(),
    })
    .optional(),
  ...verifiedFields,
  cost: taskCostSchema,
  started_at: time,
  updated_at: time,
})

const dispatch = z.object({
  /** The captured task; null if this call must leave no mapping. */
  task_key: safeKey.nullable(),
  title_hash: hashOrNull,
  parent_session_id: sessionId,
  session_id: sessionId.nullable(),
  agent: words,
  /** The session that the caller itself asked to resume. */
  resumes: sessionId.nullable(),
  /** Other work was running while this call reviewed the whole, so its verdict will be outdated. */
  outdated: z.boolean().optional(),
  started_at: time,
  /** The host itself waits for the provider: nothing goes on in the call. */
  waits: z.object({ since: time, until: time }).optional(),
  cost: taskCostSchema,
})

const continuation = z.object({
  count,
  no_progress_streak: count,
  failures: count,
  failed_at: time.nullable(),
  /** The assistant message whose error was counted last: a turn fails once. */
  failed_message_id: idOrNull,
  last_at: time.nullable(),
  /** Times of the last hour's continuations, oldest first. */
  recent: z.array(time).max(1_000),
  /** The progress when the last prompt was sent. */
  fingerprint: wordsOrNull,
  /** The turn that the streak counted last: each turn is compared with the fingerprint once. */
  counted_message_id: idOrNull,
})

const waveRow = z.object({
  title_hash: hash,
  verdict: z.enum(["pass", "reject"]),
  session_id: sessionId.nullable(),
  at: time,
  /** What the wave covered when the row came back; missing if that was not recorded. */
  of: hash.optional(),
  /** The work has changed since: the row must run again. */
  outdated: z.boolean().optional(),
})

const roundEnd = z.enum(["checkpoint-due", "context-grown", "soft-limit", "hard-limit"])

/** The work between two checkpoints. */
const round = z.object({
  number: count,
  /** Tasks that were settled at the last checkpoint, or when the work started. */
  settled_at_checkpoint: count,
  /** The most serious reason why it ended; null while it goes on. */
  ended: roundEnd.nullable(),
  /** The host was asked to compact the session at the end of the round: at most once a round. */
  compacted: z.boolean(),
})

/** Compactions of the lead session. */
const compactions = z.object({
  /** How many have ended: a reservation made in an earlier epoch is void. */
  epoch: count,
  /** Tasks that were settled when the last one ended. */
  settled_at_last: count,
  /** Those since a task was settled or a person resumed the work. */
  in_a_row: count,
})

/** The context of the lead session at the last look, and the limits in force; in tokens. */
const context = z
  .object({ tokens: count, soft_limit: count, hard_limit: count, scaled: z.boolean() })
  .nullable()

/** The ceiling that paused the work; null unless it is paused as `budget-spent`. */
const spentBudget = z
  .object({
    of: z.enum(["continuations", "continuations-an-hour", "tokens", "dollars"]),
    used: z.number().nonnegative(),
    limit: z.number().nonnegative(),
  })
  .nullable()

/** A limit of the provider; null once it has answered the lead, or a person has resumed the work. */
const limited = z
  .object({
    /** When it began, by today's clock if the clock was set back meanwhile. */
    since: time,
    until: time,
    /** When it was reported, by the clock of that moment; missing if that is `since`. */
    told_at: time.optional(),
    /** When we resume by ourselves; null if a person must, or the host itself waits. */
    goes_on_at: time.nullable(),
    /** Our requests after it that were not answered. */
    attempts: count,
  })
  .nullable()

/** A ticked task that its checks do not prove, if the options require proof: it counts as open. */
const hold = z.object({
  title_hash: hash,
  why: z.string().max(400),
  /** How often it was held; the third time it is blocked. */
  times: count,
  /** A prompt has asked for its check and no model has answered yet: it counts once one has. */
  asked: z.boolean().optional(),
  /** A person has said that it is done. */
  approved: z.boolean().optional(),
})

const work = z.object({
  work_id: safeKey,
  /** Relative to the root, with `/`. */
  active_plan: z.string().min(1).max(4_096),
  plan_name: z.string().min(1).max(512),
  plan_fingerprint: z.object({ size: count, mtime_ms: z.number(), hash }).nullable(),
  status: z.enum(["active", "paused", "completed"]),
  pause_reason: pauseReasonSchema.nullable(),
  spent_budget: spentBudget,
  /** The provider's own words when it refused or failed last; for `backing-off`, that the prompts were not answered. */
  refusal: wordsOrNull,
  limited,
  /** The reported time of the last limit after which a person resumed the work; missing before the first. */
  lifted_limit: time.optional(),
  started_at: time,
  updated_at: time,
  /** When a person last resumed the work: an abort before that is an old one. */
  resumed_at: time,
  /** When its user last said no, for each session that has not gone on since. */
  rejections: mapOf(time).default({}),
  lead_session_id: sessionId,
  /** The opencode process that changed it last; null before there was one. */
  driver: idOrNull,
  session_ids: z.array(sessionId).max(1_000),
  /** The agent that ran /start-work; null until the host has reported it. */
  agent: wordsOrNull,
  completed_count: count,
  total_count: count,
  blocked_count: count,
  /** Tasks that were done when the work started; missing before the plan was read, as for a work of an older plugin. */
  done_at_start: count.optional(),
  active_shard: count,
  current_window: z.array(safeKey).max(64),
  /** The hashes of their titles; none for a taken-over work whose plan was not read yet. */
  window_titles: z.array(hash).max(64).default([]),
  checkpoint_seq: count,
  round,
  compactions,
  context,
  tokens: workTokensSchema,
  cost: workCostSchema,
  task_sessions: mapOf(taskSession),
  blocked: mapOf(id),
  held: mapOf(hold).default({}),
  dispatches: mapOf(dispatch),
  continuation,
  /** Rows of the final wave that were delegated and came back. */
  final_wave: mapOf(waveRow),
  awaiting_approval: z
    .object({
      fingerprint: hash,
      since: time,
      /** Keys of its rows that were ticked without a review; missing if there are none. */
      unreviewed: z.array(safeKey).optional(),
    })
    .nullable(),
  /** The wave that the user has approved. */
  approved_wave: hashOrNull,
  /** The user had approved a wave before more work was done: they are asked again. Missing if not. */
  approval_lapsed: z.literal(true).optional(),
  /** The wave during whose wait the user has spoken: if its open rows are ticked in the turn that followed, the wait ends. */
  spoken_wave: hashOrNull,
})

const boulder = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  revision: count,
  works: mapOf(work),
  /** Files of older formats whose works were taken over, each with the hash of its content at that time. */
  taken_over: mapOf(hash).optional(),
})

export type Boulder = Unchanging<z.infer<typeof boulder>>
export type Work = Unchanging<z.infer<typeof work>>
export type TaskSession = Unchanging<z.infer<typeof taskSession>>
export type Dispatch = Unchanging<z.infer<typeof dispatch>>
export type Round = Work["round"]
export type RoundEnd = z.infer<typeof roundEnd>
export type SpentBudget = NonNullable<Work["spent_budget"]>
export type PauseReason = z.infer<typeof pauseReasonSchema>

/** The same forms with unknown fields kept: another version of ours may have written them. */
const keptWork = work
  .extend({
    task_sessions: mapOf(taskSession.loose()),
    dispatches: mapOf(dispatch.loose()),
    continuation: continuation.loose(),
    final_wave: mapOf(waveRow.loose()),
  })
  .loose()

/** zod ignores an own `__proto__`, so that is looked for first. */
const safe = z.unknown().superRefine((value, context) => {
  const unsafe = unsafePartOf(value)
  if (unsafe !== null) context.addIssue({ code: "custom", message: unsafe })
})

/** The content of `boulder.json`. Unknown fields stay. */
export const boulderSchema: z.ZodType<Boulder> = safe.pipe(
  boulder.extend({ works: mapOf(keptWork) }).loose(),
)

/** The fields of a work, one by one; its other fields may be anything that `unsafePartOf` allows. */
export const WORK_FIELDS: Readonly<Record<string, z.ZodType>> = keptWork.shape

/** A pure change of what is remembered. Returning the same object means "nothing to write". */
export type Change = (boulder: Boulder) => Boulder

/** The state of a project in which no work was ever started. */
export function emptyBoulder(): Boulder {
  return { schema_version: SCHEMA_VERSION, revision: 0, works: {} }
}
