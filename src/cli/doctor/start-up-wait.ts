// The wait at a start of opencode where the npm registry cannot be reached, and what takes it away.

import { access, mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { type Finding, fine, wants } from "./finding.ts"
import { fieldOf } from "./host-config.ts"

/** What opencode installs beside a plugin. */
const PACKAGE = "@opencode-ai/plugin"

/**
 * With a plugin configured opencode installs a package into each of its folders at every start, unless a lockfile there
 * names it. Without the registry that takes over a minute. `version` is opencode's; null where it is not known.
 */
export async function startUpFindings(
  folders: readonly string[],
  version: string | null,
): Promise<readonly Finding[]> {
  return Promise.all(folders.map((folder) => startUpFinding(folder, version)))
}

async function startUpFinding(folder: string, version: string | null): Promise<Finding> {
  const path = join(folder, "package-lock.json")
  const lock = await lockIn(path)
  const named = fieldOf(fieldOf(fieldOf(lock, "packages"), ""), "dependencies")
  if (typeof fieldOf(named, PACKAGE) === "string")
    return fine("start-up", `opencode need not ask the npm registry at a start for ${folder}`)
  const todo =
    version === null
      ? `Put ${PACKAGE} into ${path}, as the guide says under "A slow start".`
      : `Put ${PACKAGE} ${version} into ${path}, as the guide says under "A slow start".`
  return wants(
    "start-up",
    "note",
    `opencode asks the npm registry at each start for ${folder}: over a minute where it cannot be reached`,
    todo,
    version === null || lock === "broken" ? null : () => name(folder, path, version),
  )
}

/** Adds the one entry to the lockfile that is there, or makes one; everything else of it stays as it is. */
async function name(folder: string, path: string, version: string): Promise<string> {
  const lock = await lockIn(path)
  if (lock === "broken") throw new Error(`Expected ${path} to be JSON; found something else.`)
  const packages = objectOf(fieldOf(lock, "packages"))
  const root = objectOf(fieldOf(packages, ""))
  const dependencies = { ...objectOf(fieldOf(root, "dependencies")), [PACKAGE]: version }
  const merged = {
    lockfileVersion: 3,
    ...objectOf(lock),
    packages: { ...packages, "": { ...root, dependencies } },
  }
  await mkdir(join(folder, "node_modules"), { recursive: true })
  const temp = `${path}.${process.pid}.tmp`
  await writeFile(temp, `${JSON.stringify(merged, null, 2)}\n`, { flag: "wx" })
  await rename(temp, path)
  return `${path} names ${PACKAGE} ${version}`
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
