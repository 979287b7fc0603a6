// Reads what a host's configuration files say about plugins.
import { stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type ParseError, parse } from "jsonc-parser"
import { fieldOf } from "../../boulder/fields-of.ts"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import {
  type ConfigPlaces,
  configPlaces,
  type HostName,
  type ProjectPlace,
} from "../project/config-files.ts"
import type { Env } from "../project/home-folder.ts"

/** A plugin as named by a configuration. */
export interface ConfiguredPlugin {
  readonly file: string
  readonly part: "server" | "panel"
  /** A package's name, or a path. */
  readonly spec: string
  readonly options: unknown
}

interface BrokenFile {
  readonly says: string
  readonly todo: string
}

/** The existing folders of a host's configuration, and what their files say. */
export interface HostConfig extends Pick<ConfigPlaces, "folders" | "ofUser" | "packages"> {
  readonly plugins: readonly ConfiguredPlugin[]
  /** Interface configuration files that use `attention`. */
  readonly attention: readonly string[]
  /** What is wrong with files that a host does not take, and what to do about it. */
  readonly broken: readonly BrokenFile[]
}

/** Reads what the project and the user have configured for a host, or for every host if it is unknown; a missing file says nothing. */
export async function readHostConfig(
  at: ProjectPlace,
  env: Env,
  host: HostName | null,
): Promise<HostConfig> {
  const { folders, ofUser, packages, files, panelFiles } = configPlaces(at, env, host)
  const read = await Promise.all([
    ...files.map((file) => configIn(file, "server")),
    ...panelFiles.map((file) => configIn(file, "panel")),
  ])
  const there = await Promise.all(folders.map(isThere))
  return {
    folders: folders.filter((_, index) => there[index] === true),
    ofUser,
    packages,
    attention: read.flatMap(({ attention }) => attention ?? []),
    plugins: read.flatMap(({ plugins }) => plugins),
    broken: read.flatMap(({ broken }) => broken ?? []),
  }
}

async function configIn(file: string, part: ConfiguredPlugin["part"]) {
  const text = await readForeignText(file)
  const none = { plugins: [], attention: null, broken: null }
  if (text === null) return none
  const errors: ParseError[] = []
  const found: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) {
    const hasAttention = part === "panel" && fieldOf(found, "attention") !== undefined
    const plugins = pluginsIn(found, file, part)
    const broken = withoutName(found, file)
    return { ...none, plugins, broken, attention: hasAttention ? file : null }
  }
  const line = text.slice(0, first.offset).split("\n").length
  const says = `${file} (line ${line}) is no JSON`
  const follows = part === "server" ? "does not start with it" : "ignores the whole file"
  return { ...none, broken: { says, todo: `Fix it: opencode ${follows}.` } }
}

/** Options without a bracket around them and their plugin's name: the host refuses the file. */
function withoutName(config: unknown, file: string): BrokenFile | null {
  const entries = fieldOf(config, "plugin")
  const isNamed = (entry: unknown) =>
    typeof entry === "string" || (Array.isArray(entry) && typeof entry[0] === "string")
  if (!Array.isArray(entries) || entries.every(isNamed)) return null
  const says = `${file}: an entry of "plugin" is neither a name nor [name, options]`
  return {
    says,
    todo: 'Options stand in brackets with the name: "plugin": [["opencode-boulder", {…}]]. opencode refuses the whole file.',
  }
}

/** A host keeps a package under its configured name; one without a version under `@latest`. */
function packageFolder({ spec }: Pick<ConfiguredPlugin, "spec">): string {
  return spec.lastIndexOf("@") > 0 ? spec : `${spec}@latest`
}

/** Whether a plugin is named by a path rather than by a package's name. */
export function isPath({ spec }: Pick<ConfiguredPlugin, "spec">): boolean {
  return spec.startsWith("file://") || /^[./]/.test(spec)
}

/** The version of a configured package that lies on this machine; null if it is not known yet. */
export async function versionOf(
  plugin: ConfiguredPlugin,
  { folders, packages }: Pick<HostConfig, "folders" | "packages">,
): Promise<string | null> {
  const path = pathOf(plugin)
  const places =
    path === null
      ? [...packages.map((folder) => join(folder, packageFolder(plugin))), ...folders].map(
          (folder) => join(folder, "node_modules", "opencode-boulder"),
        )
      : [path, dirname(path), dirname(dirname(path))]
  for (const place of places) {
    const text = await readForeignText(join(place, "package.json"))
    const found: unknown = text === null ? null : parse(text)
    const version = fieldOf(found, "version")
    if (fieldOf(found, "name") === "opencode-boulder" && typeof version === "string") return version
  }
  return null
}

/** Whether a configured plugin is this one: named by its package, or by the path of a checkout in a folder of any name. */
export async function isOurs(plugin: ConfiguredPlugin): Promise<boolean> {
  if (plugin.spec.includes("opencode-boulder")) return true
  return isPath(plugin) && (await versionOf(plugin, { folders: [], packages: [] })) !== null
}

/** Whether a host has tried to fetch a package: if that failed, its folder stays empty. */
export async function wasTried(
  plugin: Pick<ConfiguredPlugin, "spec">,
  { packages }: Pick<HostConfig, "packages">,
): Promise<boolean> {
  const places = packages.map((folder) => join(folder, packageFolder(plugin)))
  return (await Promise.all(places.map(isThere))).includes(true)
}

/** Where a plugin lies that is named by a path; null if it is named by a package's name. */
export function pathOf({ spec, file }: Pick<ConfiguredPlugin, "spec" | "file">): string | null {
  if (!isPath({ spec })) return null
  return spec.startsWith("file://") ? pathOfUrl(spec) : resolve(dirname(file), spec)
}

/** The path of a `file:` URL, which may be percent-encoded; if it is no valid URL, whatever follows the scheme. */
function pathOfUrl(spec: string): string {
  try {
    return fileURLToPath(spec)
  } catch {
    return spec.slice("file://".length)
  }
}

/** The plugins that a configuration names; none if it is no configuration. */
export function pluginsIn(
  config: unknown,
  file: string,
  part: "server" | "panel",
): readonly ConfiguredPlugin[] {
  const entries = fieldOf(config, "plugin")
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown) => {
    const [spec, options] = Array.isArray(entry) ? entry : [entry, undefined]
    return typeof spec === "string" ? [{ file, part, spec, options }] : []
  })
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
