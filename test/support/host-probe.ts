import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { OpencodeHost } from "./opencode-host.ts"

/** One call of a hook of the probe plugin: what it was given, and what the host had filled in before. */
export type ProbeCall = {
  readonly hook: string
  readonly input: Readonly<Record<string, unknown>>
  readonly output?: Readonly<Record<string, unknown>>
}

/**
 * Beside the project, never in it: the host puts the diffs of a turn's changed files into its events, so a log of events in the project
 * would be written into itself.
 */
const LOG = "probe.jsonl"

/** Options for `startHost`: a plugin that changes nothing and writes down each call of the hooks that we rely on. */
export const PROBE = {
  plugin: "./.probe/probe.js",
  files: {
    ".probe/probe.js": `
import { appendFileSync } from "node:fs"
import { join } from "node:path"
export default {
  id: "probe",
  server: async ({ directory, worktree, client }, options) => {
    const log = (hook, input, output) =>
      appendFileSync(join(directory, "..", "${LOG}"), JSON.stringify({ hook, input, output }) + "\\n")
    log("server", { directory, worktree }, options)
    return {
      config: async (config) => {
        config.command = { ...config.command, probe: { template: "PROBE $ARGUMENTS", description: "probe" } }
      },
      event: async ({ event }) => log("event", event),
      "chat.message": async (input, output) => log("chat.message", input, output),
      "command.execute.before": async (input, output) => log("command.execute.before", input, output),
      "tool.execute.before": async (input, output) => log("tool.execute.before", input, output),
      "tool.execute.after": async (input, output) => log("tool.execute.after", input, output),
    }
  },
}
`,
  },
} as const

/** The probe's calls so far, oldest first; of one hook or of all. */
export function probeCalls(host: OpencodeHost, hook?: string): readonly ProbeCall[] {
  const log = join(host.root, LOG)
  if (!existsSync(log)) return []
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ProbeCall)
    .filter((call) => hook === undefined || call.hook === hook)
}
