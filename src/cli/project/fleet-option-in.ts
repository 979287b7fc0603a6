// The option `handoffs` in the text of an opencode.json.
import { parse } from "jsonc-parser"
import { type FleetOption, fleetOption } from "../../store/fleet/fleet-option.ts"
import { fieldOf, pluginsIn } from "../doctor/host-config.ts"

/** What the plugin's entry asks for; null where it has none, keeps to files, or is wrong: then the plugin keeps to files. */
export function fleetOptionIn(text: string): FleetOption | null {
  for (const { spec, options } of pluginsIn(parse(text), "opencode.json", "server")) {
    if (!spec.includes("opencode-boulder")) continue
    const parsed = fleetOption.safeParse(fieldOf(options, "handoffs"))
    if (parsed.success && parsed.data.store === "postgres") return parsed.data
  }
  return null
}
