// Finds the folders of the user who runs us.
import { homedir } from "node:os"
import { join } from "node:path"

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * The user's home folder. If nobody knows one, as for a user without a name in a container, the root of the file system, where nothing of a
 * user's lies.
 */
export function homeFolder(env: Env, ask: () => string = homedir): string {
  if (env["HOME"]) return env["HOME"]
  try {
    return ask()
  } catch {
    return "/"
  }
}

/** Where the user's cached files go, by the XDG Base Directory Specification. */
export function cacheFolder(env: Env): string {
  return env["XDG_CACHE_HOME"] || join(homeFolder(env), ".cache")
}
