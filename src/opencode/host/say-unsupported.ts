// Tells OpenCode 2 that this version does not support it yet.
import process from "node:process"
import { SLASH } from "../../prompts/typed-command.ts"
import { withinLimit } from "./time-limit.ts"

/** What a host passes to `setup`, as far as we look at it. OpenCode 1 and Kilo pass less (docs/OPENCODE-2.md). */
export interface SetupContext {
  readonly tool?: { readonly hook?: unknown }
  readonly session?: {
    readonly hook?: unknown
    /** A message of ours in a session. The person sees the description; `resume: false` wakes no model. */
    readonly synthetic?: (message: {
      readonly sessionID: string
      readonly text: string
      readonly description: string
      readonly resume: false
    }) => Promise<unknown>
  }
  readonly event?: { readonly subscribe?: unknown }
  readonly command?: {
    readonly transform?: (edit: (editor: CommandEditor) => void) => Promise<unknown>
  }
}

interface CommandEditor {
  add?(command: {
    readonly name: string
    readonly description: string
    readonly execute: (called: { readonly sessionID: string }) => Promise<void>
  }): void
}

const UNSUPPORTED =
  "opencode-boulder does not support OpenCode 2 yet: no plan is started here. Use it with OpenCode 1 (npm install -g opencode-ai@1) or Kilo; nothing in .boulder is lost."

/** The limit for each call to the host, in ms. The host sets up its plugins one after another. */
const LIMIT_MS = 2_000

/**
 * The `setup` of the default export. OpenCode 2 calls nothing else: there `/start-work` says that it is not supported, and what to do.
 * Hosts that run `server` may call this too; for them it does nothing, whatever they pass. Never throws.
 */
export async function sayUnsupported(ctx?: SetupContext | null): Promise<void> {
  if (!ctx || (await tried(async () => isOpencode2(ctx))) !== true) return
  log(UNSUPPORTED)
  await tried(async () => ctx.command?.transform?.(addCommand(ctx)))
}

function addCommand(ctx: SetupContext): (editor: CommandEditor) => void {
  return (editor) =>
    editor.add?.({
      name: SLASH.start,
      description: "Says why opencode-boulder starts no plan here",
      execute: async ({ sessionID }) => {
        log(UNSUPPORTED)
        const said = {
          sessionID,
          text: UNSUPPORTED,
          description: UNSUPPORTED,
          resume: false,
        } as const
        await tried(async () => ctx.session?.synthetic?.(said))
      },
    })
}

/** Only OpenCode 2 lets a plugin see tools, sessions and events through its `setup`. */
function isOpencode2({ tool, session, event }: SetupContext): boolean {
  return [tool?.hook, session?.hook, event?.subscribe].every((one) => typeof one === "function")
}

/** What the host answers; null if it does not answer or throws: the line in its log is already there. */
async function tried<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  return withinLimit(ask(), LIMIT_MS, "setup").catch(() => null)
}

/** OpenCode 2 gives plugins no log, but its service keeps what they print. */
function log(message: string): void {
  process.stderr.write(`${message}\n`)
}
