// What a running opencode shows of its works: the schema of its view file.

import { cleanLine } from "../plan/model/foreign-text.ts"
import { once } from "../plan/model/once.ts"
import { pauseReasonSchema } from "./boulder.ts"
import { isWithin } from "./iso-time.ts"
import { z } from "./z.ts"

/** The version of a view file's shape. */
export const VIEW_VERSION = 1

/** A view is written anew at least this often, in ms. */
export const HEARTBEAT_MS = 10_000
/** Behind so long a silence its process does not carry its works on. */
const SILENT_MS = 45_000

/** Anybody who may write into the folder may have written it. */
const text = z.string().max(2_000).transform(cleanLine)
const count = z.number().nonnegative()
const time = text

/** What a work is doing, or why it does nothing: the same for panel, `status` and whoever reads its JSON. */
export const workStateSchema = once(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("working") }),
    z.object({
      kind: z.literal("waiting-for-you"),
      for: z.enum(["question", "permission", "approval"]),
      /** What is asked, in the words of who asks; null where they are not known. */
      asks: text.nullable(),
      /** The session that asks. */
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
      /** What says more than the reason does. */
      more: text.nullable(),
      /** A ticked task is blocked until its check passes, or a person approves it; absent where none is. */
      has_held: z.literal(true).optional(),
    }),
    /** It goes on, but no opencode that runs has it. */
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
    /** The process that wrote the view has its lead. */
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
    /** The tasks that their own subagents' limits hold up: until when, null where it is for a person. */
    limited: z.array(z.object({ key: text, title: text, until: time.nullable() })).optional(),
    /** The calls under way. */
    running: z.array(
      z.object({
        /** Null for a call that names no task. */
        key: text.nullable(),
        agent: text.nullable(),
        session_id: text.nullable(),
        since: time.nullable(),
        /** When something was heard of it last. */
        heard_at: time.nullable(),
        /** The tool that it runs. */
        tool: text.nullable(),
      }),
    ),
    /** The ticked tasks with checks by what they stand on; null where the plan names no check. */
    proof: z
      .object({
        ticked: count,
        proven: count,
        unproven: z.array(z.object({ key: text, tier: text })),
      })
      .nullish(),
    /** The lead's context and the limits on it; null where it is not known. */
    context: z.object({ tokens: count, soft_limit: count, hard_limit: count }).nullable(),
    /** `since`: of these, what was spent before the budget was made fresh. */
    tokens: z.object({ spent: count, since: count.optional(), ceiling: count.nullable() }),
    cost: z.object({ usd: count, unpriced_tokens: count, unknown_answers: count.optional() }),
    blocked: z.array(
      z.object({ key: text, title: text, reason: text.nullable(), unblock: text.nullable() }),
    ),
  })
  return z.object({
    version: z.literal(VIEW_VERSION),
    /** The process that has written it, as `WriterIdentity` names it, and when. */
    writer: text,
    at: time,
    /** What was wrong with the plugin's options. */
    problems: z.array(text),
    works: z.array(workView),
  })
})

export type WorkState = WorkView["state"]
export type WorkView = LiveView["works"][number]
export type LiveView = z.infer<ReturnType<typeof liveView>>

/** A view file's text as a view; null for what is none, or of another version. */
export function liveViewOf(json: unknown): LiveView | null {
  const parsed = liveView().safeParse(json)
  return parsed.success ? parsed.data : null
}

/** Whether a view was written so lately that its process carries its works on. `now` in ms. */
export function isFresh({ at }: Pick<LiveView, "at">, now: number): boolean {
  return isWithin(at, SILENT_MS, now)
}

/** A view, and whether its process lives and is heard of. */
export interface ReadView {
  readonly view: LiveView
  readonly isAlive: boolean
}

/**
 * What several views show of the works, each once: as the living process that leads it has it, else as it was written
 * last. Of a work that no living process leads, what only that could tell is left out.
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
