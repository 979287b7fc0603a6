// What is written down of a work's checks: runs, writes, results and ticks, in their order.

import { once } from "../plan/model/once.ts"
import { z } from "./z.ts"

/** One line of what is written down. Made where the first is read: most starts of a command meet none. */
export const proofEntrySchema = once(() => {
  const time = z.iso.datetime({ offset: true })
  const session = z.string().max(128)
  const task = z.object({ key: z.string().max(256), title_hash: z.string().max(64) })
  const fact = z.object({ at: time, session })
  /** The host's id of a call, in its session. */
  const call = z.string().max(256)

  /** A command of a shell or a write begins: what is told of it later stands here. */
  const began = fact.extend({ kind: z.literal("call"), task: z.null(), call })
  /** A check was run in a session that works for a task; null for one that works for none, as the lead itself. */
  const run = fact.extend({
    kind: z.literal("run"),
    task: task.nullable(),
    check: z.string().max(1_000),
    outcome: z.enum(["passed", "failed", "unavailable", "unknown"]),
    /** Null where the command was ended before it had one. */
    exit: z.int().nullable(),
    /** The content of the work tree behind it; null where git does not tell. */
    tree: z.string().max(64).nullable(),
    /** The call that has done it, where what began behind that may have been told before it. */
    call: call.optional(),
  })
  /**
   * A file was written, or all of a folder; the path is relative to the root, with `/`: "." for the whole work tree, and empty for
   * what is no file of it: one that lies outside or is our own, and a program of the lead's of which nobody knows what it does.
   */
  const write = fact.extend({
    kind: z.literal("write"),
    task: task.nullable(),
    path: z.string().max(512),
    /** The work tree behind it, where a check has passed before; null where git does not tell. */
    tree: z.string().max(64).nullable().optional(),
    call: call.optional(),
  })
  /** A delegation for a task begins, and has brought a result; with the content of the work tree, null where nobody asked. */
  const begun = fact.extend({ kind: z.literal("begun"), task, tree: z.string().max(64).nullable() })
  const back = fact.extend({
    kind: z.literal("back"),
    task,
    tree: z.string().max(64).nullable().optional(),
  })
  const tier = z.enum(["proven", "changed", "claimed", "failed", "unavailable"])
  /** A tick was seen for the first time, and how the task stood then; `before` the work began nobody has looked. */
  const tick = z.object({
    kind: z.literal("tick"),
    at: time,
    task,
    tier: tier.or(z.literal("before")),
  })
  /** A tick was taken back; or a person has said that the task is done. */
  const other = z.object({ kind: z.enum(["reopened", "approved"]), at: time, task })

  /** The checks that the plan names for a task, from here on; `by` says who has changed them. */
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
/** What a tick stands on. */
export type Tier = Exclude<Extract<ProofEntry, { readonly kind: "tick" }>["tier"], "before">

/** The option `ticks`, and what its values do. */
export const ticksSchema = z.enum(["trust", "observe", "require"])
export const TICKS =
  "What a tick of a task with checks (`Verify:` in the plan) is worth: `trust` takes it as it is, `observe` says once if its checks do not prove it, `require` holds the task until they do, or until you approve it."
