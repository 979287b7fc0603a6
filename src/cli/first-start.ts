// Tells whether a version starts for the first time here.
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { ownVersion } from "./own-version.ts"
import { type Env, homeFolder } from "./project/home-folder.ts"

/**
 * The package's version if this is the user's first start with it, else null. An empty file for each version remembers that, created once
 * however many processes start. Null also if it cannot be created, so that nobody is greeted at every start.
 */
export async function versionToGreet(env: Env = process.env): Promise<string | null> {
  const version = await ownVersion()
  const state = env["XDG_STATE_HOME"] || join(homeFolder(env), ".local", "state")
  try {
    const folder = join(state, "opencode-boulder")
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await (await open(join(folder, `greeted-${version}`), "wx", 0o600)).close()
    return version
  } catch {
    return null
  }
}
