// The answer of a slash command, for the model and for the person.
import { TOLD, type ToldAs } from "../../prompts/notice-text.ts"
import { sayText } from "../../prompts/say-text.ts"
import type { Shell } from "../host/shell.ts"

/** What a command has done. */
export interface CommandAnswer {
  /** For the model, and through it for the user. */
  readonly text: string
  /** Why the command has done nothing. The person is told directly, since the model may not answer. Absent if it was done. */
  readonly refusal?: Refusal
  /** What is tidied up afterwards, on its own reading. If that fails, the command has not failed. */
  readonly tidy?: (shell: Shell) => Promise<void>
}

interface Refusal {
  readonly lines: readonly string[]
  /** How the panel shows it. */
  readonly title: ToldAs
}

/** The answer of a command that has done nothing, with the reason. */
export function refused(lines: readonly string[], title: ToldAs = TOLD.refused): CommandAnswer {
  return { text: sayText(lines), refusal: { lines, title } }
}
