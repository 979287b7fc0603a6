// The option `handoffs` in the text of an opencode.json.
import { parse } from "jsonc-parser"
import { type FleetOption, fleetOption } from "../../store/fleet/fleet-option.ts"

/** What the plugin's entry asks for; null where it has none, keeps to files, or is wrong: then the plugin keeps to files. */
export function fleetOptionIn(text: string): FleetOption | null {
  const config: unknown = parse(text)
  const plugins = partOf(config, "plugin")
  for (const entry of Array.isArray(plugins) ? plugins : []) {
    const [name, given]: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
    if (typeof name !== "string" || !name.includes("opencode-boulder")) continue
    const parsed = fleetOption.safeParse(partOf(given, "handoffs"))
    if (parsed.success && parsed.data.store === "postgres") return parsed.data
  }
  return null
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
