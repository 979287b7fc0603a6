// The default export, as hosts load it.
import type { PluginInput, PluginModule } from "@opencode-ai/plugin"
import { cleanLine } from "../../../plan/model/foreign-text.ts"
import type { HostWords } from "../../../prompts/host-words.ts"
import type { Reactions } from "../reactions.ts"
import { type SetupContext, sayUnsupported } from "../say-unsupported.ts"
import type { SessionApi } from "../session-api.ts"
import { hooksOf } from "./hooks-of.ts"
import { holdFolder, hooksOfSpare } from "./one-copy.ts"
import { type SentTo, servedAt } from "./served-at.ts"
import { sessionApiOf } from "./session-api-of.ts"
import { V1_WORDS } from "./v1-words.ts"

/** One project in a host. */
export interface Host {
  readonly worktree: string
  readonly directory: string
  readonly api: SessionApi
  readonly words: HostWords
  /** Writes a line to the host's log. */
  readonly log: (message: string) => Promise<void>
}

/** The default export. `open` gives what to do in a project, with the options as given. */
export function pluginModule(
  id: string,
  open: (host: Host, options: unknown) => Promise<Reactions>,
): PluginModule & { setup(ctx: SetupContext): Promise<void> } {
  return {
    id,
    server: async (input, options) => {
      const { client, worktree, directory } = input
      // The host may start serving later, so its address is asked for each time.
      const to = () => servedAt(input.serverUrl)
      const api = sessionApiOf(client, to)
      const own = import.meta.url
      const { other, release } = holdFolder(directory, own)
      if (other !== null)
        return hooksOfSpare(other, own, (message) => void api.toast(message, "warning"))
      const host = { worktree, directory, api, words: V1_WORDS, log: logOf(client, to, id) }
      const hooks = hooksOf(await open(host, options))
      return {
        ...hooks,
        dispose: async () => {
          release()
          await hooks.dispose?.()
        },
      }
    },
    setup: sayUnsupported,
  }
}

function logOf(client: PluginInput["client"], to: () => SentTo, service: string): Host["log"] {
  return async (text) => {
    const message = cleanLine(`${service}: ${text}`)
    await client.app.log({ ...to(), body: { service, level: "error", message } })
  }
}
