// The folder of the user who runs us.
import { homedir } from "node:os"

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
