// The option `handoffs` in the text of an opencode.json.
import { parse } from "jsonc-parser"
import { readOptions } from "../../opencode/host/options.ts"
import type { FleetOption } from "../../store/fleet/fleet-option.ts"
import { pluginsIn } from "../doctor/host-config.ts"

/** What the plugin's entry asks for, as the plugin reads it: what is wrong in it has its default. Null where that is files. */
export function fleetOptionIn(text: string): FleetOption | null {
  for (const { spec, options } of pluginsIn(parse(text), "opencode.json", "server")) {
    if (!spec.includes("opencode-boulder")) continue
    const { handoffs } = readOptions(options).options
    if (handoffs.store === "postgres") return handoffs
  }
  return null
}
