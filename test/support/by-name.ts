import { inOpencode, inShell } from "../../src/prompts/typed-command.ts"

/** Advised commands with the program's own name, as texts have them. */
export const BY_NAME = inShell("opencode-boulder")

/** The same as the plugin's own texts have them. */
export const IN_OPENCODE = inOpencode("opencode-boulder")
