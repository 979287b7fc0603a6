// Puts the host's tools and their arguments into our words.
import { fieldOf } from "../../../boulder/fields-of.ts"
import { z } from "../../../boulder/z.ts"
import type { Delegation, ToolCall } from "../../../decide/tool-call.ts"
import type { ToolResult } from "../reactions.ts"
import { childOfCall } from "./child-of-call.ts"
import { pathsInArgs, wordsInArgs } from "./paths-in-args.ts"
import { V1_WORDS } from "./v1-words.ts"

const KINDS: Readonly<Record<string, ToolCall["kind"]>> = {
  [V1_WORDS.delegate]: "delegate",
  write: "write",
  edit: "write",
  multiedit: "write",
  patch: "write",
  apply_patch: "write",
  [V1_WORDS.ask]: "ask",
}

/** The words of a `task` call. The host does not validate arguments for us. */
const taskSchema = z
  .object({
    description: z.string().catch(""),
    prompt: z.string().catch(""),
    subagent_type: z.string().max(256).catch(""),
    [V1_WORDS.resume]: z.string().optional().catch(undefined),
    session_id: z.string().optional().catch(undefined),
  })
  .catch({ description: "", prompt: "", subagent_type: "" })

/** A tool call, as the host's hooks report it. */
export function toolCallOf(
  {
    tool,
    sessionID,
    callID,
  }: { readonly tool: string; readonly sessionID: string; readonly callID: string },
  args: unknown,
): ToolCall {
  return {
    sessionId: sessionID,
    callId: callID,
    name: tool,
    kind: (Object.hasOwn(KINDS, tool) ? KINDS[tool] : undefined) ?? "other",
    paths: () => pathsInArgs(args),
    words: () => wordsInArgs(args),
    command: () => (tool === "bash" ? textAt(args, "command") : null),
    folder: () => (tool === "bash" ? (textAt(args, "workdir") ?? "") : ""),
    delegation: () => delegationOf(args),
  }
}

/** What a tool has returned; its text may be changed. */
export function toolResultOf(output: { output: string; readonly metadata: unknown }): ToolResult {
  const { metadata } = output
  return {
    get text() {
      return output.output
    },
    set text(text) {
      output.output = text
    },
    isBackground: fieldOf(metadata, "background") === true,
    exit() {
      const exit = fieldOf(metadata, "exit")
      return typeof exit === "number" && Number.isSafeInteger(exit) ? exit : null
    },
    childOf: (toldByHost) => childOfCall({ metadata, toldByHost, output: output.output }),
  }
}

/** Changes are made in the arguments themselves: that is where the host reads them. */
function delegationOf(args: unknown): Delegation {
  const { description, prompt, subagent_type, task_id, session_id } = taskSchema.parse(args)
  const set = (name: string, value: string): void => {
    if (typeof args === "object" && args !== null) Reflect.set(args, name, value)
  }
  return {
    description,
    prompt,
    agent: subagent_type,
    resumes: task_id ?? session_id,
    resume: (sessionId) => set(V1_WORDS.resume, sessionId),
    say: (text) => set("prompt", text),
  }
}

function textAt(args: unknown, name: string): string {
  const value = fieldOf(args, name)
  return typeof value === "string" ? value : ""
}
