// Finds the server that --attach names.
import { type ServerAccess, serverAccess } from "../../opencode/host/http/server-access.ts"
import { UsageError } from "./cli-error.ts"
import type { Terminal } from "./terminal.ts"

/** Where `opencode serve` listens by default. */
export const USUAL_SERVER = "http://127.0.0.1:4096"

/** The server at the given URL. Throws a `UsageError` that does not show the URL, since it may hold a password. */
export function attachable(given: string, env: Terminal["env"]): ServerAccess {
  const access = serverAccess(given, env)
  if (access !== null) return access
  throw new UsageError(
    `Expected --attach to be the URL of a server, such as ${USUAL_SERVER}; found another text, which is not shown: it may hold a password.`,
  )
}
