// The records about a work's checks: runs, writes, results and ticks, in their order.

import { once } from "../plan/model/once.ts"
import { z } from "./z.ts"

/** One line of the records. Made on demand, since most starts of a command need none. */
export const proofEntrySchema = once(() => {
  const time = z.iso.datetime({ offset: true })
  const session = z.string().max(128)
  const task = z.object({ key: z.string().max(256), title_hash: z.string().max(64) })
  const fact = z.object({ at: time, session })
  /** The host's id of a call, in its session. */
  const call = z.string().max(256)

  /** A shell command or a write begins: what is reported about it later belongs at this place. */
  const began = fact.extend({ kind: z.literal("call"), task: z.null(), call })
  /** A check ran in a session that works for a task; null for a session that works for none, such as the lead itself. */
  const run = fact.extend({
    kind: z.literal("run"),
    task: task.nullable(),
    check: z.string().max(1_000),
    outcome: z.enum(["passed", "failed", "unavailable", "unknown"]),
    /** Null if the command was ended before it had one. */
    exit: z.int().nullable(),
    /** The content of the work tree afterwards; null if git does not tell. */
    tree: z.string().max(64).nullable(),
    /** The call that did it, if something that began later may have been reported earlier. */
    call: call.optional(),
  })
  /**
   * A file or a whole folder was written. The path is relative to the root, with `/`: "." for the whole work tree, empty for a write
   * outside it or to our own files, and for a program of the lead whose effect nobody knows.
   */
  const write = fact.extend({
    kind: z.literal("write"),
    task: task.nullable(),
    path: z.string().max(512),
    /** The work tree afterwards, if a check had passed before; null if git does not tell. */
    tree: z.string().max(64).nullable().optional(),
    call: call.optional(),
  })
  /** A delegation for a task begins, or has returned a result; with the content of the work tree, null if nobody asked. */
  const begun = fact.extend({ kind: z.literal("begun"), task, tree: z.string().max(64).nullable() })
  const back = fact.extend({
    kind: z.literal("back"),
    task,
    tree: z.string().max(64).nullable().optional(),
  })
  const tier = z.enum(["proven", "changed", "claimed", "failed", "unavailable"])
  /** A tick was seen for the first time, and how the task stood then; `before`: nobody had looked before the work began. */
  const tick = z.object({
    kind: z.literal("tick"),
    at: time,
    task,
    tier: tier.or(z.literal("before")),
  })
  /** A tick was taken back, or a person has said that the task is done. */
  const other = z.object({ kind: z.enum(["reopened", "approved"]), at: time, task })

  /** The checks that the plan names for a task from here on; `by` says who changed them. */
  const checks = z.object({
    kind: z.literal("checks"),
    at: time,
    task,
    checks: z.array(z.string().max(1_000)).max(64),
    by: z.enum(["agent", "person"]).optional(),
  })

  return z.discriminatedUnion("kind", [began, run, write, begun, back, tick, other, checks])
})

/** The path of a write that may have touched any file. */
export const WHOLE_TREE = "."

export type ProofEntry = z.infer<ReturnType<typeof proofEntrySchema>>
export type CheckRun = Extract<ProofEntry, { readonly kind: "run" }>
/** What a tick is based on. */
export type Tier = Exclude<Extract<ProofEntry, { readonly kind: "tick" }>["tier"], "before">

/** The option `ticks`, and what its values do. */
export const ticksSchema = z.enum(["trust", "observe", "require"])
export const TICKS =
  "What a tick of a task with checks (`Verify:` in the plan) is worth: `trust` takes it as it is, `observe` says once if its checks do not prove it, `require` holds the task until they do, or until you approve it."
