// Reads the option `handoffs` in the text of an opencode.json.
import { parse } from "jsonc-parser"
import { readOptions } from "../../opencode/host/options.ts"
import type { FleetOption } from "../../store/fleet/fleet-option.ts"
import { isOurs, pluginsIn } from "../doctor/host-config.ts"

/**
 * What the plugin's entry in a file asks for, as the plugin itself reads it: wrong values get their default. Null if there is no entry for
 * the plugin.
 */
export async function fleetOptionIn(text: string, file: string): Promise<FleetOption | null> {
  for (const plugin of pluginsIn(parse(text), file, "server"))
    if (await isOurs(plugin)) return readOptions(plugin.options).options.handoffs
  return null
}
