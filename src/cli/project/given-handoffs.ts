// Opens the handoff store that the project's configuration asks for.
import process from "node:process"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import type { HandoffStore } from "../../store/handoffs/handoff-store.ts"
import { configPlaces } from "./config-files.ts"

/**
 * Opens the handoffs of a project as its plugin does: files, or the PostgreSQL that the option `handoffs` names in the first file that
 * names the plugin. PostgreSQL code is loaded only if a configuration asks for it.
 */
export async function openGivenHandoffs(given: {
  readonly root: string
  readonly cwd: string
  readonly now: () => number
}): Promise<HandoffStore> {
  const texts: string[] = []
  for (const file of configPlaces(given, process.env, null).files) {
    const text = (await readForeignText(file)) ?? ""
    if (text.includes("opencode-boulder")) texts.push(text)
  }
  if (!texts.some((text) => text.includes("postgres"))) return openFileHandoffStore(given)
  const { fleetOptionIn } = await import("./fleet-option-in.ts")
  const option = texts.map(fleetOptionIn).find((found) => found !== null)
  if (option === undefined || option.store !== "postgres") return openFileHandoffStore(given)
  const { openFleetHandoffs } = await import("../../store/fleet/open-handoffs.ts")
  return openFleetHandoffs(option, given)
}
