// Decides whether a session may write a file.
import { summaryOf } from "../plan/data/gsd-plan.ts"

/** Who wants to write: the lead session of a work, or a subagent below it. */
type Writer = "lead" | "subagent"

type WriteRefusal = "plan-by-subagent" | "shard-by-anyone" | "state-by-anyone" | "sources-by-lead"

/** Whether the write may happen; `remind` allows it and tells the orchestrator so once a round. */
export type WriteVerdict =
  | { readonly kind: "allow" }
  | { readonly kind: "remind" }
  | { readonly kind: "refuse"; readonly reason: WriteRefusal; readonly path: string }

/** What the host's own tools write, by the names that are judged (`writtenName` in the store). */
export interface WriteAttempt {
  readonly writer: Writer
  readonly paths: readonly string[]
  /** The plan of the writer's work. */
  readonly planPath: string
  readonly orchestratorWrites: "warn" | "block" | "allow"
}

/**
 * Nobody edits our state by hand, subagents do not edit the plan, and the orchestrator delegates instead of editing sources. Plans below
 * `.boulder/plans/` belong to the user.
 */
export function guardWrite({
  writer,
  paths,
  planPath,
  orchestratorWrites,
}: WriteAttempt): WriteVerdict {
  const state = paths.find((path) => isState(path))
  if (state !== undefined)
    return {
      kind: "refuse",
      reason: SHARD.test(state) ? "shard-by-anyone" : "state-by-anyone",
      path: state,
    }
  const plan = paths.find((path) => path === planPath || path.startsWith(".boulder/"))
  if (writer === "subagent" && plan !== undefined)
    return { kind: "refuse", reason: "plan-by-subagent", path: plan }
  if (writer === "subagent" || orchestratorWrites === "allow") return { kind: "allow" }
  const plans = [planPath, summaryBeside(planPath)]
  const source = paths.find((path) => !plans.includes(path) && !path.startsWith(".boulder/"))
  if (source === undefined) return { kind: "allow" }
  return orchestratorWrites === "block"
    ? { kind: "refuse", reason: "sources-by-lead", path: source }
    : { kind: "remind" }
}

/** The file beside a plan that settles its tasks is the plan's. */
function summaryBeside(planPath: string): string {
  return planPath.slice(0, planPath.lastIndexOf("/") + 1) + (summaryOf(planPath) ?? "")
}

const SHARD = /^\.boulder\/works\/[^/]+\/shards\//

function isState(path: string): boolean {
  return (
    path === ".boulder" || (path.startsWith(".boulder/") && !path.startsWith(".boulder/plans/"))
  )
}
