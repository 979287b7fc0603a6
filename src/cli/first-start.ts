// Whether a version starts for the first time here.
import { mkdir, open } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { ownVersion } from "./own-version.ts"
import { homeFolder } from "./project/home-folder.ts"

/**
 * The package's version at this user's first start with it, else null: an empty file for each version remembers it,
 * made once however many processes start. Null too where it cannot be made: nobody is to be greeted at every start.
 */
export async function versionToGreet(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | null> {
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
