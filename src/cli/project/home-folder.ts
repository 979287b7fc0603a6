// The folders of the user who runs us.
import { homedir } from "node:os"
import { join } from "node:path"

/**
 * The user's own folder. The root of the file system where nobody knows one, as for a user of a container that has no name
 * there: nothing of a user's lies in it.
 */
export function homeFolder(
  env: Readonly<Record<string, string | undefined>>,
  ask: () => string = homedir,
): string {
  if (env["HOME"]) return env["HOME"]
  try {
    return ask()
  } catch {
    return "/"
  }
}

/** Where what can be made again is kept for the user, by the XDG Base Directory Specification. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env["XDG_CACHE_HOME"] || join(homeFolder(env), ".cache")
}
