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
const safeKey = z
  .string()
  .min(1)
  .max(256)
  .refine((key) => !RESERVED_KEYS.has(key), "reserved key")
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
  /** Delegations that came back, this session or another. */
  attempts: count,
  /** Calls that failed in this session for this task: two make it no longer eligible. */
  failures: count,
  /** Distinct results without a mark, at most 2: the part of progress that a result can make. */
  results: count,
  result_hash: hashOrNull,
  status: z.enum(["running", "returned", "interrupted"]),
  /** The provider's limit that has ended its last turn; left out once it has come back. */
  interrupted: z
    .object({
      since: time,
      until: time,
      /** Calls for the task behind it that its provider has not answered; left out for none. */
      attempts: count.optional(),
    })
    .optional(),
  ...verifiedFields,
  cost: taskCostSchema,
  started_at: time,
  updated_at: time,
})

const dispatch = z.object({
  /** The captured task; null when this call may leave no mapping behind. */
  task_key: safeKey.nullable(),
  title_hash: hashOrNull,
  parent_session_id: sessionId,
  session_id: sessionId.nullable(),
  agent: words,
  /** The session that the caller itself asked to resume. */
  resumes: sessionId.nullable(),
  /** Other work was under way while it looked at the whole: its verdict will be older than that. */
  outdated: z.boolean().optional(),
  started_at: time,
  /** The host waits for the provider by itself: nothing goes on in it. */
  waits: z.object({ since: time, until: time }).optional(),
  cost: taskCostSchema,
})

const continuation = z.object({
  count,
  no_progress_streak: count,
  failures: count,
  failed_at: time.nullable(),
  /** The assistant message whose error was counted last: one turn, one failure. */
  failed_message_id: idOrNull,
  last_at: time.nullable(),
  /** Times of the continuations of the last hour, oldest first. */
  recent: z.array(time).max(1_000),
  /** Progress as it stood when the last prompt was sent. */
  fingerprint: wordsOrNull,
  /** The turn that the streak has counted last: one turn is held against the fingerprint once. */
  counted_message_id: idOrNull.default(null),
})

const waveRow = z.object({
  title_hash: hash,
  verdict: z.enum(["pass", "reject"]),
  session_id: sessionId.nullable(),
  at: time,
  /** What the plan was of when it came back; left out where that was not kept. */
  of: hash.optional(),
  /** The work has changed since: the row is to be run again. */
  outdated: z.boolean().optional(),
})

const roundEnd = z.enum(["checkpoint-due", "context-grown", "soft-limit", "hard-limit"])

/** The work between two checkpoints; a file of before there were rounds begins with the first. */
const round = z
  .object({
    number: count,
    /** Tasks settled at the last checkpoint, or when the work was started. */
    settled_at_checkpoint: count,
    /** Why it is over, the gravest reason; null while it goes on. */
    ended: roundEnd.nullable(),
    /** The host was asked to compact the session at its end: at most once a round. */
    compacted: z.boolean(),
  })
  .default({ number: 1, settled_at_checkpoint: 0, ended: null, compacted: false })

/** Compactions of the lead session; a file of before they were counted has had none. */
const compactions = z
  .object({
    /** All that have ended: a reservation of an earlier epoch is void. */
    epoch: count,
    /** Tasks settled when the last one ended. */
    settled_at_last: count,
    /** Those since a task was settled, or a person set the work going. */
    in_a_row: count,
  })
  .default({ epoch: 0, settled_at_last: 0, in_a_row: 0 })

/** The context of the lead session as it was last looked at, and the limits in force; in tokens. */
const context = z
  .object({ tokens: count, soft_limit: count, hard_limit: count, scaled: z.boolean() })
  .nullable()
  .default(null)

/** The ceiling that has paused a work; null unless it is paused as `budget-spent`. */
const spentBudget = z
  .object({
    of: z.enum(["continuations", "continuations-an-hour", "tokens", "dollars"]),
    used: z.number().nonnegative(),
    limit: z.number().nonnegative(),
  })
  .nullable()
  .default(null)

/** A limit of the provider's; null once it has answered the lead, or a person has set the work going. */
const limited = z
  .object({
    /** When it began; by the clock of now, where that was set back meanwhile. */
    since: time,
    until: time,
    /** When it was told, by the clock of then; left out where that is `since`. */
    told_at: time.optional(),
    /** When we go on by ourselves; null where a person is to, or the host waits itself. */
    goes_on_at: time.nullable(),
    /** Requests of ours behind it that it has not answered. */
    attempts: count,
  })
  .nullable()
  .default(null)

/** A ticked task that its checks do not prove, where that is asked for: it counts as open. */
const hold = z.object({
  title_hash: hash,
  why: z.string().max(400),
  /** How often it was held; at three it is blocked. */
  times: count,
  /** A prompt has asked for its check, and no model has answered behind that: it counts once one has. */
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
  /** What the provider has refused with, or failed last, in its own words; that the prompts were not answered, for `backing-off`. */
  refusal: wordsOrNull.default(null),
  limited,
  /** The limit that a person has set it going behind, by when it was told; left out before the first. */
  lifted_limit: time.optional(),
  started_at: time,
  updated_at: time,
  /** When a person last set the work going: an abort before this moment is an old one. */
  resumed_at: time,
  /** When its user last said no, by the session, none of which has gone on behind that; left out for none. */
  rejections: mapOf(time).optional(),
  lead_session_id: sessionId,
  /** The process in which opencode changed it last; null before there was one. */
  driver: idOrNull.default(null),
  session_ids: z.array(sessionId).max(1_000),
  /** The agent that ran /start-work; null until the host has told it. */
  agent: wordsOrNull,
  completed_count: count,
  total_count: count,
  blocked_count: count,
  /** Tasks that were done when it was started; a file of before it was kept does not know. */
  done_at_start: count.optional(),
  active_shard: count,
  current_window: z.array(safeKey).max(64),
  /** The hashes of their titles; a file of before they were kept has none. */
  window_titles: z.array(hash).max(64).optional(),
  checkpoint_seq: count,
  round,
  compactions,
  context,
  tokens: workTokensSchema,
  cost: workCostSchema,
  task_sessions: mapOf(taskSession),
  blocked: mapOf(id),
  held: mapOf(hold).optional(),
  dispatches: mapOf(dispatch),
  continuation,
  /** Rows of the final wave that were delegated and came back. */
  final_wave: mapOf(waveRow),
  awaiting_approval: z.object({ fingerprint: hash, since: time }).nullable(),
  /** The wave that the user has approved. */
  approved_wave: hashOrNull,
  /** The user had approved a wave that was worked on since: they are asked again. Left out where not. */
  approval_lapsed: z.literal(true).optional(),
  /** The wave, with rows still open, in whose wait the user has spoken: ticked in the turn that began there, they end it. */
  spoken_wave: hashOrNull.default(null),
})

const boulder = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  revision: count,
  works: mapOf(work),
  /** Files of older formats whose works were taken over, each with the hash of what it held then. */
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

/** The same forms, where fields that we do not know are kept: another version of ours may have written them. */
const keptWork = work
  .extend({
    task_sessions: mapOf(taskSession.loose()),
    dispatches: mapOf(dispatch.loose()),
    continuation: continuation.loose(),
    final_wave: mapOf(waveRow.loose()),
  })
  .loose()

/** zod passes over an own `__proto__`, so it is looked for before. */
const safe = z.unknown().superRefine((value, context) => {
  const unsafe = unsafePartOf(value)
  if (unsafe !== null) context.addIssue({ code: "custom", message: unsafe })
})

/** What a `boulder.json` holds. Unknown fields stay. */
export const boulderSchema: z.ZodType<Boulder> = safe.pipe(
  boulder.extend({ works: mapOf(keptWork) }).loose(),
)

/** The fields of a work, each by itself; what else a work holds may be anything that `unsafePartOf` has nothing against. */
export const WORK_FIELDS: Readonly<Record<string, z.ZodType>> = keptWork.shape

/** A pure change of what is remembered. Returning the very same object means "nothing to write". */
export type Change = (boulder: Boulder) => Boulder

/** The state of a project in which no work was ever started. */
export function emptyBoulder(): Boulder {
  return { schema_version: SCHEMA_VERSION, revision: 0, works: {} }
}
