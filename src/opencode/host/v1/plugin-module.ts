// The default export, as hosts load it: one copy of the plugin works in a folder.
import process from "node:process"
import { fileURLToPath } from "node:url"
import type { Hooks, PluginInput, PluginModule } from "@opencode-ai/plugin"
import { cleanLine } from "../../../plan/model/foreign-text.ts"
import type { HostWords } from "../../../prompts/host-words.ts"
import { FOR_ONE_PLAN } from "../http/server-access.ts"
import type { Reactions } from "../reactions.ts"
import { type SetupContext, sayUnsupported } from "../say-unsupported.ts"
import type { SessionApi } from "../session-api.ts"
import { hooksOf } from "./hooks-of.ts"
import { type SentTo, servedAt } from "./served-at.ts"
import { sessionApiOf } from "./session-api-of.ts"
import { V1_WORDS } from "./v1-words.ts"

/** One project in a host. */
export interface Host {
  readonly worktree: string
  readonly directory: string
  readonly api: SessionApi
  readonly words: HostWords
  /** Whether it ends with one prompt or one plan: `opencode run`, or the server of our own `run`. */
  readonly isBrief: boolean
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
      const log = logOf(client, to, id)
      const host = { worktree, directory, api, words: V1_WORDS, isBrief: isBrief(process), log }
      const reactions = await open(host, options).catch((error: unknown) => {
        release()
        throw error
      })
      const hooks = hooksOf(reactions)
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

/** Whether a host ends with one prompt, `opencode run`, or with one plan. */
export function isBrief({ argv, env }: Pick<NodeJS.Process, "argv" | "env">): boolean {
  const command = argv.slice(2).find((word) => !word.startsWith("-"))
  return command === "run" || env[FOR_ONE_PLAN] !== undefined
}

function logOf(client: PluginInput["client"], to: () => SentTo, service: string): Host["log"] {
  return async (text) => {
    const message = cleanLine(`${service}: ${text}`)
    await client.app.log({ ...to(), body: { service, level: "error", message } })
  }
}

/** Where the copies of the plugin in a process find each other: each has its own modules. */
const COPIES = Symbol.for("opencode-boulder.copies")

/**
 * Takes a folder for the copy of the plugin at the URL `own`. A host that finds the plugin under two names, such as a package and a checkout,
 * loads both: everything would be said, and all spending counted, twice. A copy that is loaded again takes its own place, and is not
 * released by the one before.
 */
export function holdFolder(folder: string, own: string) {
  const copies = copiesByFolder()
  const holder = copies.get(folder)?.url ?? own
  if (holder !== own) return { other: holder, release: () => undefined }
  const copy = { url: own }
  copies.set(folder, copy)
  return {
    /** The URL of another copy that already works in the folder; null if this one does. */
    other: null,
    release: () => {
      if (copies.get(folder) === copy) copies.delete(folder)
    },
  }
}

function copiesByFolder(): Map<string, { readonly url: string }> {
  const found: unknown = Reflect.get(globalThis, COPIES)
  if (found instanceof Map) return found
  const made = new Map<string, { readonly url: string }>()
  Reflect.set(globalThis, COPIES, made)
  return made
}

/** The hooks of a copy that does not work: with the first event it tells the user which one does. */
export function hooksOfSpare(other: string, own: string, tell: (message: string) => void): Hooks {
  let isTold = false
  return {
    event: async () => {
      if (isTold) return
      isTold = true
      tell(
        `opencode-boulder is loaded twice: ${folderOf(other)} works, ${folderOf(own)} does not. Name it once in your configuration: opencode-boulder doctor shows where it is named.`,
      )
    },
  }
}

/** The package's folder, for a module in its sources or its build. */
function folderOf(url: string): string {
  return fileURLToPath(url).replace(/(.*)[/\\](?:dist|src)[/\\].*$/, "$1")
}
