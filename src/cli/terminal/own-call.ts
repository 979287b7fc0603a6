// Finds how the command line of this installation is called in a shell.
import { accessSync, constants, existsSync } from "node:fs"
import { basename, delimiter, dirname, relative, sep } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { shellWord } from "../../prompts/shell-word.ts"
import type { Env } from "../project/home-folder.ts"

const NAME = "opencode-boulder"

/** What is known about the process: its script as it was started, its program, folder and environment. */
interface OwnProcess {
  readonly script: string
  readonly program: string
  readonly cwd: string
  readonly env: Env
  readonly isExecutable?: (path: string) => boolean
}

/** The words to type instead of `opencode-boulder`, so that an advised command runs as printed. */
export function ownCall({ script, program, cwd, env, isExecutable = canRun }: OwnProcess): string {
  const isNamed = basename(script) === NAME
  const isInModules = script.includes(`${sep}node_modules${sep}`)
  // Checked first: npx and npm scripts put the folder of a project's own programs on the PATH.
  if (isInModules && (isNamed || script.includes(`${sep}${NAME}${sep}`))) return `npx ${NAME}`
  if (isNamed && (env["PATH"] ?? "").split(delimiter).includes(dirname(script))) return NAME
  const path = relative(cwd, script)
  const short = path.startsWith("..") || path === "" ? script : `.${sep}${path}`
  return isExecutable(script) ? shellWord(short) : `${basename(program)} ${shellWord(short)}`
}

/** Where the command line lies, from here in `dist`, in its chunks and in the sources. */
const PLACES = ["./cli/main.js", "../cli/main.js", "../main.ts"]

/** What the plugin tells people to type in `cwd` for this package's command line; its bare name if none lies beside the plugin. */
export function installedCall(cwd: string): string {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const script = places.find((path) => existsSync(path))
  return script === undefined ? NAME : ownCall({ script, program: "node", cwd, env: process.env })
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
