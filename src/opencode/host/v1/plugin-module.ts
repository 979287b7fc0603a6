// The default export, as hosts load it.
import type { PluginInput, PluginModule } from "@opencode-ai/plugin"
import { cleanLine } from "../../../plan/model/foreign-text.ts"
import type { Reactions } from "../reactions.ts"
import { type SetupContext, sayUnsupported } from "../say-unsupported.ts"
import { type SessionApi, sessionApiOf } from "../session-api.ts"
import { hooksOf } from "./hooks-of.ts"

/** One project in a host. */
export interface Host {
  readonly worktree: string
  readonly directory: string
  readonly api: SessionApi
  /** A line in the host's log. */
  readonly log: (message: string) => Promise<void>
}

/** The default export: `open` gives what is to be done in a project, with the options as they are given. */
export function pluginModule(
  id: string,
  open: (host: Host, options: unknown) => Promise<Reactions>,
): PluginModule & { setup(ctx: SetupContext): Promise<void> } {
  return {
    id,
    server: async ({ client, worktree, directory }, options) => {
      const host = { worktree, directory, api: sessionApiOf(client), log: logOf(client, id) }
      return hooksOf(await open(host, options))
    },
    setup: sayUnsupported,
  }
}

function logOf(client: PluginInput["client"], service: string): Host["log"] {
  return async (text) => {
    const message = cleanLine(`${service}: ${text}`)
    await client.app.log({ body: { service, level: "error", message } })
  }
}
