// What opencode 1 and Kilo call the tools, arguments and agents that our texts name.
import type { HostWords } from "../../../prompts/host-words.ts"

/** The names in opencode 1 and Kilo. */
export const V1_WORDS = {
  delegate: "task",
  resume: "task_id",
  ask: "question",
  agent: "general",
} as const satisfies HostWords
