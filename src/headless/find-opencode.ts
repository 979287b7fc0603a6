// Finds the opencode binary to start.
import { access, constants } from "node:fs/promises"
import { join } from "node:path"

/**
 * The opencode to start: the one that `OPENCODE_BIN` names, else the one installed in the project, else the one on the PATH. Whether it
 * works shows when it is started.
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
