// Where a host reads its configuration.
import { homedir } from "node:os"
import { join } from "node:path"

/** A host that runs the plugin, by its own name. */
export type HostName = "opencode" | "kilo"

type Env = Readonly<Record<string, string | undefined>>

interface HostPlaces {
  /** Its folder among the user's configurations. */
  readonly user: HostName
  /** Its folders in the user's home beside that. */
  readonly inHome: readonly string[]
  readonly inProject: readonly string[]
  /** The variable that names one more. */
  readonly namedBy: string
  /** Its files, without `.json` or `.jsonc`. */
  readonly files: readonly string[]
}

const OPENCODE: HostPlaces = {
  user: "opencode",
  inHome: [],
  inProject: [".opencode"],
  namedBy: "OPENCODE_CONFIG_DIR",
  files: ["opencode"],
}

/** It reads opencode's files in its own folders, and none of opencode's folders (docs/HOST.md). */
const KILO: HostPlaces = {
  user: "kilo",
  inHome: [".kilo", ".kilocode"],
  inProject: [".kilo", ".kilocode"],
  namedBy: "KILO_CONFIG_DIR",
  files: ["opencode", "kilo"],
}

/** The places of one host's configuration; of both where it is not known which one runs. */
export function configPlaces(
  root: string,
  env: Env,
  host: HostName | null,
): {
  /** The folders that the host installs into, the nearest first. */
  readonly folders: readonly string[]
  /** The files that name plugins, in those and in the project itself. */
  readonly files: readonly string[]
  /** The files that name panels. */
  readonly panelFiles: readonly string[]
} {
  const hosts = [OPENCODE, KILO].filter(({ user }) => host === null || user === host)
  const home = env["HOME"] ?? homedir()
  const configs = env["XDG_CONFIG_HOME"] || join(home, ".config")
  const found = [
    ...hosts.flatMap(({ inProject }) => inProject.map((name) => join(root, name))),
    ...hosts.flatMap(({ namedBy }) => env[namedBy] || []),
    ...hosts.map(({ user }) => join(configs, user)),
    ...hosts.flatMap(({ inHome }) => inHome.map((name) => join(home, name))),
  ]
  const folders = [...new Set(found)]
  const filesOf = (names: readonly string[]) =>
    [root, ...folders].flatMap((folder) =>
      names.flatMap((name) => [join(folder, `${name}.json`), join(folder, `${name}.jsonc`)]),
    )
  const names = new Set(hosts.flatMap(({ files }) => files))
  return { folders, files: filesOf([...names]), panelFiles: filesOf(["tui"]) }
}
