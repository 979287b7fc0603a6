import { inShell } from "../../src/prompts/typed-command.ts"

/** Advised commands by the program's own name, as texts have them. */
export const BY_NAME = inShell("opencode-boulder")
