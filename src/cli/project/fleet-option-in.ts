// Reads the option `handoffs` in the text of an opencode.json.
import { parse } from "jsonc-parser"
import { readOptions } from "../../opencode/host/options.ts"
import type { FleetOption } from "../../store/fleet/fleet-option.ts"
import { pluginsIn } from "../doctor/host-config.ts"

/**
 * What the plugin's entry asks for, as the plugin itself reads it: wrong values get their default. Null if there is no entry for the
 * plugin.
 */
export function fleetOptionIn(text: string): FleetOption | null {
  const plugins = pluginsIn(parse(text), "opencode.json", "server")
  const ours = plugins.find(({ spec }) => spec.includes("opencode-boulder"))
  return ours === undefined ? null : readOptions(ours.options).options.handoffs
}
