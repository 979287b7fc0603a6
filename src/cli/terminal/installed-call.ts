// Finds how to call the command line that lies beside the plugin.
import process from "node:process"
import { fileURLToPath } from "node:url"
import { isThere, ownCall } from "./own-call.ts"

/** From here in `dist`, in its chunks and in the sources. */
const PLACES = ["./cli/main.js", "../cli/main.js", "../main.ts"]

/** What to type in `cwd` for this package's command line; its bare name if none lies beside the plugin. */
export function installedCall(cwd: string): string {
  const script = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(
    (path) => isThere(path),
  )
  if (script === undefined) return "opencode-boulder"
  return ownCall({ script, program: "node", cwd, env: process.env })
}
