// The opencode binary to start.
import { access, constants } from "node:fs/promises"
import { join } from "node:path"

/**
 * The opencode to start: what `OPENCODE_BIN` names, else the one that the project has installed, else the one on
 * the PATH. That it works is seen when it is started.
 */
export async function findOpencode(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { OPENCODE_BIN: named } = env
  if (named !== undefined && named !== "") return named
  const local = join(root, "node_modules", ".bin", "opencode")
  const isThere = await access(local, constants.X_OK).then(
    () => true,
    () => false,
  )
  return isThere ? local : "opencode"
}
