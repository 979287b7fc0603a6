// Guards a tool that writes.
import { guardWrite, type WriteVerdict } from "../../decide/guard-write.ts"
import { isUsersOwn } from "../../decide/memory/users-turn.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { lateRefusal, refusalText } from "../../prompts/refusal-text.ts"
import { writtenName } from "../../store/plans/written-name.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { Remembering, Shell } from "../host/shell.ts"
import { ToolRefusal } from "../host/tool-refusal.ts"
import type { PlaceAsked } from "../work/place-of.ts"

/** A call of a writing tool. */
interface Writing {
  readonly call: Pick<ToolCall, "sessionId" | "paths">
  readonly place: PlaceAsked
}

/** Looks at a write before it happens. Throws a `ToolRefusal` if it is not allowed. */
export async function checkWrite(shell: Shell, writing: Writing): Promise<void> {
  const verdict = await judgeWrite(shell, writing)
  const { work } = await writing.place()
  if (verdict.kind === "refuse" && work !== null)
    throw new ToolRefusal(refusalText(verdict.reason, verdict.path, work.active_plan))
}

/** What the guard says about a write, which may already have happened. */
export async function judgeWrite(shell: Shell, { call, place }: Writing): Promise<WriteVerdict> {
  const { role, work } = await place()
  if (work === null || work.status === "completed" || role === "former-lead")
    return { kind: "allow" }
  const paths = await writtenNames(shell, call, work.active_plan)
  return guardWrite({
    writer: role === "lead" ? "lead" : "subagent",
    paths,
    planPath: work.active_plan,
    // While a work is paused, its session belongs to its user, who may write anything. So does a turn that the user began.
    orchestratorWrites:
      work.status === "active" && !isUsersOwn(shell.sessions.of(call.sessionId), work)
        ? shell.options.orchestrator_writes
        : "allow",
  })
}

/** Refuses a write that the guard did not answer in time, if this process knows that its session belongs to a work. */
export function refuseLate(shell: Remembering, sessionId: string): void {
  const chain = [sessionId, ...ancestorsOf(shell, sessionId)]
  if (chain.some((id) => shell.sessions.of(id).leads)) throw new ToolRefusal(lateRefusal())
}

/** The files that a call of a writing tool names, by the names under which they are judged. */
export async function writtenNames(
  { root, directory }: Pick<Shell, "root" | "directory">,
  call: Pick<ToolCall, "paths">,
  planPath: string,
): Promise<readonly string[]> {
  return Promise.all(call.paths().map((path) => writtenName({ root, directory, path, planPath })))
}
