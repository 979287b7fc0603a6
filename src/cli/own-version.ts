// The package's version.
import { readFile } from "node:fs/promises"

/** The package's own, two folders up from here in the sources and when built. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8")
  const found: unknown = JSON.parse(text)
  const version = typeof found === "object" && found !== null ? Reflect.get(found, "version") : ""
  return String(version)
}
