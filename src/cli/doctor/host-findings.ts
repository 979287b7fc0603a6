// The doctor's checks around opencode: node, the host, the plugin and its options, other continuers.
import { execFile } from "node:child_process"
import { realpath } from "node:fs/promises"
import { basename } from "node:path"
import { promisify } from "node:util"
import { rivalIn } from "../../decide/rivals.ts"
import { findOpencode } from "../../headless/find-opencode.ts"
import { TRIED_HOSTS } from "../../headless/tried-hosts.ts"
import { readOptions } from "../../opencode/host/options.ts"
import { ownVersion } from "../own-version.ts"
import type { HostName } from "../project/config-files.ts"
import type { Env } from "../project/home-folder.ts"
import { bad, type Finding, fine, note } from "./finding.ts"
import {
  type ConfiguredPlugin,
  type HostConfig,
  isOurs,
  isPath,
  versionOf,
  wasTried,
} from "./host-config.ts"
import { ownSpec } from "./own-spec.ts"

const NODE = [20, 15] as const
const OLDEST = [1, 14, 41] as const
const KNOWS_ATTENTION = [1, 15] as const
const ASK_MS = 20_000
const NOT_IN_TABLE = "not in the README's table of tested hosts"

/** Whether the node that runs this is new enough. */
export function nodeFinding(version: string): Finding {
  const least = NODE.join(".")
  return isOlder(version, NODE)
    ? bad("node", `node ${version} is older than ${least}`, `Install node ${least} or newer.`)
    : fine("node", `node ${version}`)
}

/** The host that would be started. */
export interface FoundHost {
  readonly finding: Finding
  /** Null if none answers. */
  readonly name: HostName | null
  /** Its version if that is a release; null for a pre-release, a development build, or if none answers. */
  readonly release: string | null
}

/** The host that would be started, and whether the README's table lists it. */
export async function hostFinding(root: string, env: Env): Promise<FoundHost> {
  const binary = await findOpencode(root, env)
  const { stdout: said } = await saidBy(binary, "--version", env)
  const version = /\d+\.\d+\.\d+(?:[-+][\w.+-]+)?/.exec(said)?.[0]
  const isDevelopment = version?.startsWith("0.0.0") ?? said.trim() === "local"
  if (version === undefined && !isDevelopment) {
    const todo = "Install it (https://opencode.ai), or name it in OPENCODE_BIN (for Kilo: kilo)."
    const finding = bad("opencode", `no opencode: nothing answers to ${binary} --version`, todo)
    return { finding, name: null, release: null }
  }
  const name = (await isKilo(binary, env)) ? "kilo" : "opencode"
  const place = /[/\\]/.test(binary) ? `at ${binary}` : "on the PATH"
  const says = `${name === "kilo" ? "Kilo" : "opencode"} ${version ?? "local"} ${place}`
  if (version === undefined || isDevelopment) {
    const finding = fine("opencode", `${says}: a development build, ${NOT_IN_TABLE}`)
    return { finding, name, release: null }
  }
  const release = /[-+]/.test(version) ? null : version
  return { finding: versionFinding(name, version, says), name, release }
}

function versionFinding(name: HostName, version: string, says: string): Finding {
  if (name === "kilo") return fine("opencode", `${says}${triedWords(`kilo ${version}`)}`)
  if (isOlder(version, OLDEST)) {
    const wrong = `${says}: older than ${OLDEST.join(".")}`
    return bad("opencode", wrong, "Update it: opencode upgrade")
  }
  return Number(version.split(".")[0]) > OLDEST[0]
    ? bad("opencode", `${says}: version 2 is not supported yet`, "Use opencode 1.")
    : fine("opencode", `${says}${triedWords(version)}`)
}

/** Decided by its file's name, even behind a link; a file of another name says in its help what it is. */
async function isKilo(binary: string, env: Env): Promise<boolean> {
  const real = await realpath(binary).catch(() => binary)
  const names = [binary, real].map((path) => basename(path.replaceAll("\\", "/")))
  if (names.some((name) => /^kilo/i.test(name))) return true
  const { stdout, stderr } = await saidBy(binary, "--help", env)
  return /^\s*kilo (?:run|serve)\b/m.test(`${stdout}\n${stderr}`)
}

/** What a program prints; nothing if it fails or takes too long. */
async function saidBy(
  binary: string,
  flag: string,
  env: Env,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const asked = promisify(execFile)(binary, [flag], { timeout: ASK_MS, env: { ...env } })
  return asked.catch(() => ({ stdout: "", stderr: "" }))
}

/** What the README's table of hosts says about a host. */
function triedWords(host: string): string {
  const tried = Object.hasOwn(TRIED_HOSTS, host) ? TRIED_HOSTS[host] : undefined
  if (tried === undefined) return `: ${NOT_IN_TABLE}`
  return `: ${tried.passed} of ${tried.passed + tried.failed} of our tests pass in it`
}

function isOlder(version: string, oldest: readonly number[]): boolean {
  const parts = version.split(/[.+-]/).map(Number)
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
}

/** Where the plugin is configured, in which version, and whether its options are right. */
export async function pluginFindings(config: HostConfig): Promise<readonly Finding[]> {
  const areOurs = await Promise.all(config.plugins.map(isOurs))
  const ours = config.plugins.filter((_, index) => areOurs[index])
  const server = ours.filter(({ part }) => part === "server")
  const panel = ours.filter(({ part }) => part === "panel")
  const broken = config.broken.map(({ says, todo }) => bad("config", says, todo))
  const loaded = await Promise.all(ours.map((plugin) => loadedFinding(plugin, config)))
  const [first, second] = server
  if (first === undefined) {
    const todo = `Add "plugin": [${JSON.stringify(await ownSpec())}] to opencode.json, and restart opencode.`
    const says = "neither your own opencode.json nor this project's names the plugin"
    return [...broken, bad("plugin", says, todo), ...loaded]
  }
  const isLoaded = loaded[ours.indexOf(first)]?.level === "ok"
  const withoutPanel = note(
    "panel",
    "no tui.json names the plugin, so its panel is not shown",
    `Add "plugin": [${JSON.stringify(first.spec)}] to tui.json next to opencode.json.`,
  )
  const files = server.map(({ file }) => file).join(", ")
  const twice = note(
    "plugin",
    `the plugin is named ${server.length} times: ${files}`,
    "Keep one of them.",
  )
  return [
    ...broken,
    ...loaded,
    ...(panel.length > 0 || !isLoaded ? [] : [withoutPanel]),
    ...(second === undefined ? [] : [twice]),
    ...optionFindings(server),
  ]
}

/** A host before 1.15 rejects an interface configuration file with a field that it does not know. */
export function attentionFindings(
  { attention }: Pick<HostConfig, "attention">,
  { release }: Pick<FoundHost, "release">,
): readonly Finding[] {
  if (!release?.startsWith("1.") || !isOlder(release, KNOWS_ATTENTION)) return []
  return attention.map((file) =>
    bad(
      "panel",
      `opencode ${release} ignores all of ${file}, and so the panel: it does not know "attention"`,
      'Take "attention" out of it, or update opencode to 1.15 or newer.',
    ),
  )
}

async function loadedFinding(plugin: ConfiguredPlugin, config: HostConfig): Promise<Finding> {
  const version = await versionOf(plugin, config)
  const own = await ownVersion()
  const says = `${plugin.part === "server" ? "plugin" : "panel"}${version === null ? "" : ` ${version}`}, ${plugin.spec} in ${plugin.file}`
  if (isPath(plugin) && version === null)
    return bad("plugin", `${says}: there is no package there`, "Fix the path.")
  if (version === null) return fetchFinding(says, await wasTried(plugin, config))
  return version === own
    ? fine("plugin", says)
    : note(
        "plugin",
        `${says}; this command line is ${own}`,
        "Use the same version of both: the files that they write may differ.",
      )
}

/** A package that is not here yet. An installation that npm did not take from a registry may not be in one. */
async function fetchFinding(says: string, wasTriedBefore: boolean): Promise<Finding> {
  const spec = await ownSpec()
  const isOwn = spec.startsWith("file:")
  const todo = isOwn
    ? `Name this installation in its place, "plugin": [${JSON.stringify(spec)}], and restart opencode.`
    : `See whether npm can fetch it (npm view ${spec}), and restart opencode.`
  if (wasTriedBefore) return bad("plugin", `${says}: opencode could not fetch it`, todo)
  const yet = `${says}: opencode has not fetched it yet`
  return isOwn ? note("plugin", yet, todo) : fine("plugin", yet)
}

function optionFindings(plugins: readonly ConfiguredPlugin[]): readonly Finding[] {
  return plugins.flatMap(({ options, file }) => {
    const { problems } = readOptions(options)
    return problems.length === 0
      ? [
          fine(
            "options",
            `${options === undefined ? "no options are set" : "options are valid"}, ${file}`,
          ),
        ]
      : problems.map((problem) =>
          bad("options", problem, `Fix it in ${file}. docs/OPTIONS.md lists all options.`),
        )
  })
}

/** Other plugins that continue sessions by themselves. */
export function rivalFinding({ plugins }: HostConfig): Finding {
  const rival = rivalIn(plugins.map(({ spec }) => spec))
  return rival === null
    ? fine("continuers", "no other plugin that continues sessions is configured")
    : bad(
        "continuers",
        `${rival} continues sessions as well, and the two would fight`,
        "Take one of the two out of opencode.json.",
      )
}
