// Knows where a host reads its configuration.
import { join, relative, resolve, sep } from "node:path"
import { cacheFolder, type Env, homeFolder } from "./home-folder.ts"

/** A host that runs the plugin, by its own name. */
export type HostName = "opencode" | "kilo"

/** Where a host would be started. */
export interface ProjectPlace {
  readonly root: string
  /** Inside the project, or `root` itself. */
  readonly cwd: string
}

const OPENCODE = {
  /** Its folder in the user's configuration folder. */
  user: "opencode",
  /** More of its folders in the user's home. */
  inHome: [],
  inProject: [".opencode"],
  /** The variable that names one more folder. */
  namedBy: "OPENCODE_CONFIG_DIR",
  /** Its files, without `.json` or `.jsonc`. */
  files: ["opencode"],
} as const

/** Kilo reads opencode's files in its own folders, but none of opencode's folders (docs/HOST.md). */
const KILO = {
  user: "kilo",
  inHome: [".kilo", ".kilocode"],
  inProject: [".kilo", ".kilocode"],
  namedBy: "KILO_CONFIG_DIR",
  files: ["opencode", "kilo"],
} as const

/** Where the configuration of a host lies. */
export type ConfigPlaces = ReturnType<typeof configPlaces>

/**
 * The places of one host's configuration, from where it starts up to the root; of both hosts if it is not known which one runs: the folders
 * that the host installs into, nearest first, those of them that apply to other projects, too, the folders of packages installed by name,
 * and the files that name plugins, in all these folders and in the project itself, of which the first that names a plugin counts.
 */
export function configPlaces({ root, cwd }: ProjectPlace, env: Env, host: HostName | null) {
  const hosts = [OPENCODE, KILO].filter(({ user }) => host === null || user === host)
  const home = homeFolder(env)
  const configs = env["XDG_CONFIG_HOME"] || join(home, ".config")
  const up = foldersUp(cwd, root)
  const packages = hosts.map(({ user }) => join(cacheFolder(env), user, "packages"))
  const inProject = hosts.flatMap(({ inProject: names }) =>
    up.flatMap((at) => names.map((name) => join(at, name))),
  )
  const ofUser = [
    ...hosts.flatMap(({ namedBy }) => env[namedBy] || []),
    ...hosts.map(({ user }) => join(configs, user)),
    ...hosts.flatMap(({ inHome }) => inHome.map((name) => join(home, name))),
  ]
  const folders = [...new Set([...inProject, ...ofUser])]
  const filesOf = (names: readonly string[]) =>
    [...inProject, ...up, ...ofUser].flatMap((folder) =>
      names.flatMap((name) => [join(folder, `${name}.jsonc`), join(folder, `${name}.json`)]),
    )
  const names = new Set(hosts.flatMap(({ files }) => files))
  const named = env["OPENCODE_CONFIG"]
  // Read by opencode alone.
  const more = [join(configs, "opencode", "config.json"), ...(named ? [resolve(cwd, named)] : [])]
  const files = new Set([...filesOf([...names]), ...(hosts.includes(OPENCODE) ? more : [])])
  return { folders, ofUser, packages, files: [...files], panelFiles: filesOf(["tui"]) }
}

/** A folder and those above it up to the root; only the root if the folder is not inside it. */
function foldersUp(cwd: string, root: string): readonly string[] {
  const way = relative(root, cwd)
  if (way === "" || way.split(sep).includes("..")) return [root]
  const names = way.split(sep)
  return [...names.map((_, index) => join(root, ...names.slice(0, names.length - index))), root]
}
