// The schema of a view file: what a running opencode shows of its works.

import { cleanLine } from "../plan/model/foreign-text.ts"
import { once } from "../plan/model/once.ts"
import { pauseReasonSchema } from "./boulder.ts"
import { isWithin } from "./iso-time.ts"
import { z } from "./z.ts"

/** The version of the shape of a view file. */
export const VIEW_VERSION = 1

/** A view is rewritten at least this often, in ms. */
export const HEARTBEAT_MS = 10_000
/** After this long without a new view, its process is not carrying its works on. */
export const SILENT_MS = 45_000

/** Anybody who can write to the folder may have written it. */
const text = z.string().max(2_000).transform(cleanLine)
const count = z.number().nonnegative()
const time = text

/** What a work is doing, or why it does nothing; the same for the panel, `status` and readers of its JSON. */
export const workStateSchema = once(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("working") }),
    z.object({
      kind: z.literal("waiting-for-you"),
      for: z.enum(["question", "permission", "approval", "agent"]),
      /** What is asked, in the words of the asker; null if unknown. */
      asks: text.nullable(),
      /** The session that asks, or that its user gave to another agent. */
      session: text.nullable(),
    }),
    z.object({
      kind: z.literal("waiting"),
      for: z.enum(["provider", "limit", "failures"]),
      until: time,
    }),
    z.object({
      kind: z.literal("paused"),
      reason: pauseReasonSchema,
      /** What adds to the reason. */
      more: text.nullable(),
      /** A ticked task is blocked until its check passes or a person approves it; missing if there is none. */
      has_held: z.literal(true).optional(),
    }),
    /** It could go on, but no running opencode has it. */
    z.object({ kind: z.literal("idle") }),
    z.object({ kind: z.literal("complete") }),
  ]),
)

const liveView = once(() => {
  const rowState = z.enum(["next", "running", "returned", "waits"])

  const workView = z.object({
    work_id: text,
    plan_name: text,
    /** Relative to the root. */
    plan: text,
    lead_session_id: text,
    /** The process that wrote the view runs its lead. */
    led: z.boolean(),
    state: workStateSchema(),
    counts: z.object({ total: count, settled: count, blocked: count }),
    updated_at: time,
    /** Null without the long-run mode. */
    round: z.object({ number: count, settled: count, ended: z.boolean() }).nullable(),
    checkpoint: count,
    /** The tasks to work on now, and those that wait for one of them. */
    window: z.array(
      z.object({ key: text, title: text, state: rowState, waits_for: z.array(text) }),
    ),
    /** The tasks held up by limits of their own subagents: until when; null if a person is needed. */
    limited: z.array(z.object({ key: text, title: text, until: time.nullable() })).optional(),
    /** The running calls. */
    running: z.array(
      z.object({
        /** Null for a call that names no task. */
        key: text.nullable(),
        agent: text.nullable(),
        session_id: text.nullable(),
        since: time.nullable(),
        /** When it last showed a sign of life. */
        heard_at: time.nullable(),
        /** The tool that it is running. */
        tool: text.nullable(),
      }),
    ),
    /** The ticked tasks with checks, by what they are based on; null if the plan names no check. */
    proof: z
      .object({
        ticked: count,
        proven: count,
        unproven: z.array(z.object({ key: text, tier: text })),
      })
      .nullish(),
    /** The lead's context and its limits; null if unknown. */
    context: z.object({ tokens: count, soft_limit: count, hard_limit: count }).nullable(),
    /** `since`: what had been spent before the budget was made fresh. */
    tokens: z.object({ spent: count, since: count.optional(), ceiling: count.nullable() }),
    cost: z.object({ usd: count, unpriced_tokens: count, unknown_answers: count.optional() }),
    blocked: z.array(
      z.object({ key: text, title: text, reason: text.nullable(), unblock: text.nullable() }),
    ),
  })
  return z.object({
    version: z.literal(VIEW_VERSION),
    /** The process that wrote it, as `WriterIdentity` names it, and when. */
    writer: text,
    at: time,
    /** What is wrong with the plugin's options. */
    problems: z.array(text),
    works: z.array(workView),
  })
})

export type WorkState = WorkView["state"]
export type WorkView = LiveView["works"][number]
export type LiveView = z.infer<ReturnType<typeof liveView>>

/** The view in a file's text; null if it is none, or of another version. */
export function liveViewOf(json: unknown): LiveView | null {
  const parsed = liveView().safeParse(json)
  return parsed.success ? parsed.data : null
}

/** Whether a view was written recently enough that its process carries its works on. `now` in ms. */
export function isFresh({ at }: Pick<LiveView, "at">, now: number): boolean {
  return isWithin(at, SILENT_MS, now)
}

/** A view, and whether its process is alive and was heard of. */
export interface ReadView {
  readonly view: LiveView
  readonly isAlive: boolean
}

/**
 * The works in several views, each once: from the living process that leads it, else from the last view that has it. For a work that no
 * living process leads, what only such a process could know is left out.
 */
export function joinViews(views: readonly ReadView[]): readonly WorkView[] {
  const newestFirst = views.toSorted((a, b) => b.view.at.localeCompare(a.view.at))
  const shown = newestFirst.flatMap(({ view, isAlive }) =>
    view.works.map((work) => ({ work, isLed: work.led && isAlive })),
  )
  const ids = new Set(shown.map(({ work }) => work.work_id))
  return [...ids].flatMap((id) => {
    const of = shown.filter(({ work }) => work.work_id === id)
    const led = of.find(({ isLed }) => isLed)
    if (led !== undefined) return [led.work]
    const [newest] = of
    return newest === undefined ? [] : [unled(newest.work)]
  })
}

function unled(work: WorkView): WorkView {
  return { ...work, led: false, running: [], state: stateUnled(work.state) }
}

/** The state of a work that no living process leads. */
function stateUnled(state: WorkState): WorkState {
  const isOfProcess =
    state.kind === "working" ||
    state.kind === "waiting" ||
    (state.kind === "waiting-for-you" && state.for !== "approval")
  return isOfProcess ? { kind: "idle" } : state
}
