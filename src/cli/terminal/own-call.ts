// Finds how this installation of the command line is called in a shell.
import { accessSync, constants } from "node:fs"
import { basename, delimiter, dirname, relative, sep } from "node:path"
import { shellWord } from "../../prompts/shell-word.ts"

const NAME = "opencode-boulder"

/** What is known about the process: its script as it was started, its program, folder and environment. */
export interface OwnProcess {
  readonly script: string
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isExecutable?: (path: string) => boolean
}

/** The words to type instead of `opencode-boulder`, so that an advised command runs as printed. */
export function ownCall({
  script,
  program,
  cwd,
  env,
  isExecutable = (path) => isThere(path, constants.X_OK),
}: OwnProcess): string {
  const isNamed = basename(script) === NAME
  const isInModules = script.includes(`${sep}node_modules${sep}`)
  // Checked first: npx and npm scripts put the folder of a project's own programs on the PATH.
  if (isInModules && (isNamed || script.includes(`${sep}${NAME}${sep}`))) return `npx ${NAME}`
  if (isNamed && onPath(script, env)) return NAME
  const path = relative(cwd, script)
  const short = path.startsWith("..") || path === "" ? script : `.${sep}${path}`
  return isExecutable(script) ? shellWord(short) : `${basename(program)} ${shellWord(short)}`
}

/** Whether a file is there, and may be run if that is asked by `mode`. */
export function isThere(path: string, mode: number = constants.F_OK): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

function onPath(script: string, env: OwnProcess["env"]): boolean {
  return (env["PATH"] ?? "").split(delimiter).includes(dirname(script))
}
