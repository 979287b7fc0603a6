// Checks that the server has the plugin and everything that was asked for.

import type { HostClient, StartRequest } from "../opencode/host/http/host-client.ts"
import { RunError } from "../opencode/host/http/run-error.ts"
import { SLASH } from "../prompts/typed-command.ts"
import { hostRoot } from "../store/disk/project-root.ts"

const MAX_LISTED = 12

/** Checks that the server works on this project, has the plugin, and has what was asked for. Throws an error that says what to do. */
export async function checkHost(
  client: HostClient,
  wanted: Pick<StartRequest, "model" | "agent"> & { readonly root: string; readonly url: string },
): Promise<void> {
  const { root, url, model, agent } = wanted
  const theirs = await hostRoot(await client.paths())
  if (theirs !== root)
    throw new RunError(
      `Expected opencode at ${url} to work in ${root}; found ${theirs}. Attach to a server that was started there, or run without --attach.`,
    )
  if (!(await client.commandNames()).includes(SLASH.start))
    throw new RunError(
      `Expected opencode at ${url} to have the plugin; found no command /${SLASH.start}. opencode.json in ${root} must name it, and opencode must have loaded it. To see what is wrong: opencode-boulder doctor`,
    )
  if (agent !== undefined) demand("agent", agent, await client.agentNames())
  if (model !== undefined) demand("model", model, await client.modelNames())
}

/** The host answers an unknown name with a bare "unexpected error", so we say it here. */
function demand(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const shown = known.slice(0, MAX_LISTED).join(", ")
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : ""
  throw new RunError(
    `Expected --${what} to name ${what === "agent" ? "an agent" : "a model"} that opencode knows here; found ${name}. Known: ${shown}${more}.`,
  )
}
