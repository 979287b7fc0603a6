import { type Recording, recordedTools, textsIn } from "./recording.ts"

/** A message in OpenAI's form. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly type: "function"
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/** The messages of a recording for a provider: each content as one text. */
export function messagesOf({ messages }: Recording): readonly Message[] {
  return messages.map((message) => ({ ...message, content: textsIn(message.content).join("\n") }))
}

/** The tools of a recording for a provider. */
export function toolsOf({ tools }: Recording): ReturnType<typeof recordedTools> {
  return recordedTools().filter((tool) => tools.includes(tool.function.name))
}
