// The package's folder and version.
import { readFile } from "node:fs/promises"

/** The folder of the package, two up from here in the sources and when built. */
export const OWN_FOLDER = new URL("../../", import.meta.url)

/** The package's own version. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(new URL("package.json", OWN_FOLDER), "utf8")
  const found: unknown = JSON.parse(text)
  const version = typeof found === "object" && found !== null ? Reflect.get(found, "version") : ""
  return String(version)
}
