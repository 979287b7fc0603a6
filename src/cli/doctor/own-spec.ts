// What to write into a host's `plugin` list for this installation.
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { fieldOf } from "../../boulder/fields-of.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { OWN_FOLDER } from "../own-version.ts"

const NAME = "opencode-boulder"

/** The package's name if npm installed it from a registry, where a host finds it, too; else its path. */
export async function ownSpec(): Promise<string> {
  const folder = fileURLToPath(OWN_FOLDER).replace(/[/\\]$/, "")
  return (await isOfRegistry(folder)) ? NAME : pathToFileURL(folder).href
}

/** By npm's own list of what it has installed next to it. */
export async function isOfRegistry(folder: string): Promise<boolean> {
  const modules = dirname(folder)
  if (basename(modules) !== "node_modules") return false
  const text = await readForeignText(join(modules, ".package-lock.json"))
  const packages = fieldOf(text === null ? null : jsonOf(text), "packages")
  const resolved = fieldOf(fieldOf(packages, `node_modules/${NAME}`), "resolved")
  return typeof resolved === "string" && resolved.startsWith("http")
}
