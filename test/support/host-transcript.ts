import { type ModelMessage, texts } from "./host-model-request.ts"

/** A tool call of the model with its result; `result` is "" while there is none. */
export interface ToolUse {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly result: string
}

/** Every tool call in these messages, oldest first. */
export function toolUsesOf(messages: readonly ModelMessage[]): readonly ToolUse[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.tool_call_id === undefined
        ? []
        : [[message.tool_call_id, texts(message).join("\n")] as const],
    ),
  )
  return messages.flatMap((message) =>
    (message.tool_calls ?? []).map((call) => ({
      name: call.function.name,
      args: argsOf(call.function.arguments),
      result: results.get(call.id) ?? "",
    })),
  )
}

/** The texts of all messages of one role. */
export function textsOf(messages: readonly ModelMessage[], role: string): readonly string[] {
  return messages.filter((message) => message.role === role).flatMap((message) => texts(message))
}

function argsOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return typeof value === "object" && value !== null ? { ...value } : {}
}
