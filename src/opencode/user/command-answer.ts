// What a slash command has done, for the model and for the person.
import { TOLD, type ToldAs } from "../../prompts/notice-text.ts"
import { sayText } from "../../prompts/say-text.ts"
import type { Shell } from "../host/shell.ts"

/** What a command has done. */
export interface CommandAnswer {
  /** For the model, and through it for the user. */
  readonly text: string
  /** Why it has done nothing: the person is told without the model, which may not answer. Absent where it was done. */
  readonly refusal?: Refusal
  /** What is put in order behind it, on what it reads itself: where that fails, the command has not. */
  readonly tidy?: (shell: Shell) => Promise<void>
}

interface Refusal {
  readonly lines: readonly string[]
  /** What the panel makes of it. */
  readonly title: ToldAs
}

/** The answer of a command that has done nothing, with the reason. */
export function refused(lines: readonly string[], title: ToldAs = TOLD.refused): CommandAnswer {
  return { text: sayText(lines), refusal: { lines, title } }
}
