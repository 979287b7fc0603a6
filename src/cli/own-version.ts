// The package's folder and version.
import { readFile } from "node:fs/promises"
import { fieldOf } from "../boulder/fields-of.ts"

/** The folder of the package, two up from here in the sources and when built. */
export const OWN_FOLDER = new URL("../../", import.meta.url)

/** The package's own version. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(new URL("package.json", OWN_FOLDER), "utf8")
  return String(fieldOf(JSON.parse(text), "version"))
}
