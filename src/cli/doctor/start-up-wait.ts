// The wait at a start of the host where the npm registry cannot be reached, and what takes it away.

import { access, chmod, mkdir, rename, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { realPathOrSelf } from "../../store/disk/real-path.ts"
import { type Finding, fine, wants } from "./finding.ts"
import { fieldOf } from "./host-config.ts"
import type { FoundHost } from "./host-findings.ts"

/** What a host installs beside a plugin. */
const PACKAGES = { opencode: "@opencode-ai/plugin", kilo: "@kilocode/plugin" }

/**
 * With a plugin configured a host installs a package into each of its folders at every start, unless a lockfile there
 * names it. Without the registry that takes over a minute. Which package is known by the host's name, and what can be
 * put there by its version.
 */
export async function startUpFindings(
  folders: readonly string[],
  host: Pick<FoundHost, "name" | "release">,
): Promise<readonly Finding[]> {
  return Promise.all(folders.map((folder) => startUpFinding(folder, host)))
}

async function startUpFinding(
  folder: string,
  { name, release }: Pick<FoundHost, "name" | "release">,
): Promise<Finding> {
  const host = name === "kilo" ? "Kilo" : "opencode"
  const wanted = PACKAGES[name ?? "opencode"]
  const path = join(folder, "package-lock.json")
  const lock = await lockIn(path)
  const named = fieldOf(fieldOf(fieldOf(lock, "packages"), ""), "dependencies")
  if (typeof fieldOf(named, wanted) === "string")
    return fine("start-up", `${host} need not ask the npm registry at a start for ${folder}`)
  const todo =
    release === null
      ? `Put ${wanted} into ${path}, as the guide says under "A slow start".`
      : `Put ${wanted} ${release} into ${path}, as the guide says under "A slow start".`
  return wants(
    "start-up",
    "note",
    `${host} asks the npm registry at each start for ${folder}: over a minute where it cannot be reached`,
    todo,
    release === null || lock === "broken" ? null : () => add(folder, path, { [wanted]: release }),
  )
}

/** Adds the one entry to the lockfile that is there, or makes one; everything else of it stays as it is. */
async function add(
  folder: string,
  path: string,
  wanted: Readonly<Record<string, string>>,
): Promise<string> {
  const lock = await lockIn(path)
  if (lock === "broken") throw new Error(`Expected ${path} to be JSON; found something else.`)
  const packages = objectOf(fieldOf(lock, "packages"))
  const root = objectOf(fieldOf(packages, ""))
  const dependencies = { ...objectOf(fieldOf(root, "dependencies")), ...wanted }
  const merged = {
    lockfileVersion: 3,
    ...objectOf(lock),
    packages: { ...packages, "": { ...root, dependencies } },
  }
  await mkdir(join(folder, "node_modules"), { recursive: true })
  await replaceText(path, `${JSON.stringify(merged, null, 2)}\n`)
  const [[name, version] = []] = Object.entries(wanted)
  return `${path} names ${name} ${version}`
}

/** Replaces a file of the user's where it really lies, with the mode that it has. */
async function replaceText(path: string, text: string): Promise<void> {
  const real = await realPathOrSelf(path)
  const mode = await stat(real).then(
    (found) => found.mode & 0o777,
    () => null,
  )
  const temp = `${real}.${process.pid}.tmp`
  await writeFile(temp, text, { flag: "wx", ...(mode === null ? {} : { mode: 0o600 }) })
  if (mode !== null) await chmod(temp, mode)
  await rename(temp, real)
}

/** The lockfile as a value; an empty object where there is none, `broken` for what is no JSON object. */
async function lockIn(path: string): Promise<object | "broken"> {
  const text = await readForeignText(path)
  if (text === null)
    return access(path).then(
      () => "broken",
      () => ({}),
    )
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : "broken"
  } catch (error) {
    if (error instanceof SyntaxError) return "broken"
    throw error
  }
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}
}
