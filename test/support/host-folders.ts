import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DEFAULT_VERSION, isKilo, REPO } from "./host-version.ts"
import { temporaryFolder } from "./temporary-folder.ts"

type PluginEntry = string | readonly [string, Readonly<Record<string, unknown>>]

export type FolderOptions = {
  /** Files of the project, by path relative to it. They are committed before the host starts. */
  readonly files?: Readonly<Record<string, string>>
  /** A folder whose content is copied into the project first. */
  readonly copyFrom?: string
  /** False: a folder without git. */
  readonly git?: boolean
  /** What `plugin` of opencode.json lists. Default: this checkout as `file://`; `[]`: none. */
  readonly plugin?: PluginEntry | readonly PluginEntry[]
  /** Options of the default plugin entry. */
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly permission?: unknown
  /** Further keys of opencode.json; they override ours. */
  readonly config?: Readonly<Record<string, unknown>>
  /** The scripted model's id, "m" by default. If a model's id has `gpt-`, the host gives it other tools. */
  readonly modelId?: string
  readonly contextLimit?: number
  readonly outputLimit?: number
  /** What a million tokens of the model cost, in US dollars. Default: the host knows no price. */
  readonly price?: { readonly input: number; readonly output: number }
  readonly env?: Readonly<Record<string, string>>
  /** True: the host takes its git snapshot before and after each step, as for a user. That takes half of a step's time. */
  readonly snapshots?: boolean
  readonly version?: string
  /** False: the host installs `@opencode-ai/plugin` from the registry at start, as on a user's machine. */
  readonly offline?: boolean
}

export type HostHome = {
  /** Holds everything. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
}

export type HostFolders = HostHome & { readonly project: string }

/** A home with one project, in it or where it is said, for a program that starts opencode itself. */
export function makeHostFolders(
  modelUrl: string,
  options: FolderOptions,
  project?: string,
): HostFolders {
  const home = makeHome(options)
  const at = project ?? join(home.root, "project")
  return { ...home, project: makeProject(at, modelUrl, options) }
}

/** Makes a home and XDG folders for one process of the host. Nothing of the user's own is read or written. */
export function makeHome(options: FolderOptions): HostHome {
  const root = temporaryFolder("host")
  const folder = (name: string) => {
    mkdirSync(join(root, name))
    return join(root, name)
  }
  // Without this file the host reads its own list of all the world's models for each project, which takes 2 s of a first turn.
  const models = join(root, "models.json")
  writeFileSync(models, "{}")
  const own = {
    ...environmentToKeep(),
    HOME: folder("home"),
    XDG_CONFIG_HOME: folder("config"),
    XDG_DATA_HOME: folder("data"),
    XDG_CACHE_HOME: folder("cache"),
    XDG_STATE_HOME: folder("state"),
    TMPDIR: folder("tmp"),
    LANG: "C.UTF-8",
    TZ: "UTC",
    NO_COLOR: "1",
    OPENCODE_MODELS_PATH: models,
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    ...options.env,
  }
  const env = isKilo(options.version) ? { ...own, ...kiloEnvironment(own) } : own
  const name = isKilo(options.version) ? "kilo" : "opencode"
  seedConfigFolder(join(env.XDG_CONFIG_HOME, name), options)
  const { OPENCODE_CONFIG_DIR: custom } = options.env ?? {}
  if (custom !== undefined) seedConfigFolder(custom, options)
  return { root, env }
}

/** Kilo's names for the same variables. Nothing is sent to Kilo's makers. */
function kiloEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const renamed = Object.entries(own).flatMap(([name, value]) =>
    name.startsWith("OPENCODE_") ? [[name.replace("OPENCODE_", "KILO_"), value] as const] : [],
  )
  return {
    ...Object.fromEntries(renamed),
    KILO_TELEMETRY_LEVEL: "off",
    KILO_DISABLE_SESSION_INGEST: "1",
    KILO_DISABLE_PRESENCE: "1",
  }
}

/** Makes a project whose only model is the scripted one. Gives its folder. */
export function makeProject(project: string, modelUrl: string, options: FolderOptions): string {
  fillProject(project, modelUrl, options)
  // Kilo loads no plugin from `.opencode`.
  const local = join(project, isKilo(options.version) ? ".kilo" : ".opencode")
  if (existsSync(local)) seedConfigFolder(local, options)
  return project
}

/** The `opencode.json` of a project whose only model is the scripted one. */
function hostConfig(modelUrl: string, options: FolderOptions): Record<string, unknown> {
  const modelId = options.modelId ?? "m"
  return {
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    snapshot: options.snapshots ?? false,
    model: `lab/${modelId}`,
    plugin: pluginEntries(options),
    ...(options.permission === undefined ? {} : { permission: options.permission }),
    provider: {
      lab: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: modelUrl, apiKey: "scripted" },
        models: {
          [modelId]: {
            tool_call: true,
            ...(options.price === undefined ? {} : { cost: options.price }),
            limit: {
              context: options.contextLimit ?? 200_000,
              output: options.outputLimit ?? 8_000,
            },
          },
        },
      },
    },
    ...options.config,
  }
}

function pluginEntries({ plugin, pluginOptions }: FolderOptions): readonly PluginEntry[] {
  if (plugin === undefined) {
    const checkout = `file://${REPO}`
    return [pluginOptions === undefined ? checkout : [checkout, pluginOptions]]
  }
  return isEntry(plugin) ? [plugin] : plugin
}

/** `["name", {…}]` is one entry with its options; `["name", "name"]` is a list of two. */
function isEntry(plugin: PluginEntry | readonly PluginEntry[]): plugin is PluginEntry {
  if (typeof plugin === "string") return true
  const second = plugin[1]
  return typeof second === "object" && !Array.isArray(second)
}

function fillProject(project: string, modelUrl: string, options: FolderOptions): void {
  mkdirSync(project, { recursive: true })
  if (options.copyFrom !== undefined) cpSync(options.copyFrom, project, { recursive: true })
  const config = JSON.stringify(hostConfig(modelUrl, options), null, 2)
  for (const [named, text] of Object.entries({ "opencode.json": config, ...options.files })) {
    const path = isKilo(options.version) ? named.replace(/^\.opencode\//, ".kilo/") : named
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  if (options.git === false) return
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project, stdio: "pipe" })
  git("init", "-q", "-b", "main")
  git("config", "user.name", "Host test")
  git("config", "user.email", "host-test@example.invalid")
  git("add", "-A")
  // The host uses the first commit as the project's identity, so it must differ between projects.
  git("commit", "-q", "--allow-empty", "-m", `Start ${project}`)
}

/**
 * Without this, the host runs `npm install @opencode-ai/plugin` in each config folder at every start and waits for it: for more than a
 * minute if no registry answers.
 */
function seedConfigFolder(folder: string, options: FolderOptions): void {
  if (options.offline === false) return
  const version = options.version ?? DEFAULT_VERSION
  const dependencies = isKilo(version)
    ? { "@kilocode/plugin": version.replace("kilo ", "") }
    : { "@opencode-ai/plugin": version }
  mkdirSync(join(folder, "node_modules"), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies }))
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, packages: { "": { dependencies } } }),
  )
}

/** What a program needs to run and to reach a registry over TLS. No other variable of the developer reaches the host. */
function environmentToKeep(): Record<string, string> {
  const names = /^(PATH|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value]] : [],
    ),
  )
}
