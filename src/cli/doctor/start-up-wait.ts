// Finds the wait at each start of a host without access to the npm registry, and removes it.

import { existsSync } from "node:fs"
import { chmod, mkdir, readdir, rename, stat, writeFile } from "node:fs/promises"
import { join, sep } from "node:path"
import { fieldOf } from "../../boulder/fields-of.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import { isRecord } from "../../plan/data/json-lists.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { realPathOrSelf } from "../../store/disk/real-path.ts"
import { bad, type Finding, fine, note } from "./finding.ts"
import { type ConfiguredPlugin, type HostConfig, pathOf } from "./host-config.ts"
import type { FoundHost } from "./host-findings.ts"

/** The package that a host installs alongside plugins. */
const PACKAGES = { opencode: "@opencode-ai/plugin", kilo: "@kilocode/plugin" }

interface StartUp {
  readonly config: Pick<HostConfig, "folders" | "ofUser" | "plugins">
  readonly host: Pick<FoundHost, "name" | "release">
  /** The user has agreed to change the folders that all projects share. */
  readonly isGlobal: boolean
  readonly typed: Typed
}

/**
 * With a plugin configured, a host installs a package into each of its folders at every start, unless a lockfile there names it. Without
 * access to the registry that takes over a minute. The host's name tells which package it is, and the host's version which one to put
 * there. If something in the folder needs the package, it must really be installed: without it the host would start without any tool.
 */
export async function startUpFindings(given: StartUp): Promise<readonly Finding[]> {
  return Promise.all(given.config.folders.map((folder) => startUpFinding(folder, given)))
}

async function startUpFinding(
  folder: string,
  { config, host: { name, release }, isGlobal, typed }: StartUp,
): Promise<Finding> {
  const host = name === "kilo" ? "Kilo" : "opencode"
  const wanted = PACKAGES[name ?? "opencode"]
  const path = join(folder, "package-lock.json")
  const lock = await objectIn(path)
  const named = fieldOf(fieldOf(fieldOf(lock, "packages"), ""), "dependencies")
  const isNamed = typeof fieldOf(named, wanted) === "string"
  const user = await userOf(folder, wanted, config.plugins)
  const install = `Run once where there is a network: cd ${shellWord(folder)} && npm install ${wanted}${release === null ? "" : `@${release}`}`
  if (isNamed)
    return user === null
      ? fine("start-up", `${host} starts without asking the npm registry, ${folder}`)
      : bad(
          "start-up",
          `${path} names ${wanted}, so ${host} does not install it, and ${user} may need it: it starts without tools`,
          install,
        )
  const says = `${host} asks the npm registry at each start for ${folder}, which takes over a minute if it cannot be reached`
  if (user !== null) return note("start-up", `${says}. ${user} may need it`, install)
  const versioned = release === null ? wanted : `${wanted} ${release}`
  const put = `Put ${versioned} into ${path}, as the guide says under "A slow start".`
  const cost = `${host} does not install it then: a tool or plugin that you add there and that imports it needs it installed first`
  if (release === null || lock === "broken") return note("start-up", says, put)
  if (config.ofUser.includes(folder) && !isGlobal)
    return note(
      "start-up",
      says,
      `${put} For all of your projects: ${typed("doctor", { as: "--fix --global" })}`,
    )
  return note("start-up", says, `${put} ${cost}.`, async () => {
    await add(folder, path, { [wanted]: release })
    return `${path} names ${versioned}. ${cost}`
  })
}

/** Where a host loads code from its folder. */
const CODE = ["tool", "tools", "plugin", "plugins"]

const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]

/**
 * What in a folder may need a package that is not installed there: code that the host loads, or a package.json with other dependencies
 * (opencode itself writes one that has only the package). Null if nothing does, or if the package is there.
 */
async function userOf(
  folder: string,
  wanted: string,
  plugins: readonly ConfiguredPlugin[],
): Promise<string | null> {
  if (existsSync(join(folder, "node_modules", wanted, "package.json"))) return null
  for (const name of CODE) {
    const files = await readdir(join(folder, name)).catch(() => [])
    if (files.some((file) => /\.[cm]?[jt]sx?$/.test(file))) return join(folder, name)
  }
  const inside = plugins
    .flatMap((plugin) => pathOf(plugin) ?? [])
    .find((path) => path.startsWith(folder + sep) && !path.includes(`${sep}node_modules${sep}`))
  if (inside !== undefined) return inside
  const manifest = join(folder, "package.json")
  const named = await objectIn(manifest)
  if (named === "broken") return manifest
  const names = DEPENDENCIES.flatMap((kind) => Object.keys(objectOf(fieldOf(named, kind))))
  return names.some((name) => name !== wanted) ? manifest : null
}

/** Adds the one entry to the existing lockfile, or makes one; everything else in it stays as it is. */
async function add(
  folder: string,
  path: string,
  wanted: Readonly<Record<string, string>>,
): Promise<void> {
  const lock = await objectIn(path)
  if (lock === "broken") throw new Error(`Expected ${path} to be JSON; found something else.`)
  const packages = objectOf(fieldOf(lock, "packages"))
  const root = objectOf(fieldOf(packages, ""))
  const dependencies = { ...objectOf(fieldOf(root, "dependencies")), ...wanted }
  const merged = {
    lockfileVersion: 3,
    ...objectOf(lock),
    packages: { ...packages, "": { ...root, dependencies } },
  }
  await mkdir(join(folder, "node_modules"), { recursive: true })
  await replaceText(path, `${JSON.stringify(merged, null, 2)}\n`)
}

/** Replaces a file of the user where it really lies, and keeps its mode. */
async function replaceText(path: string, text: string): Promise<void> {
  const real = await realPathOrSelf(path)
  const mode = await stat(real).then(
    (found) => found.mode & 0o777,
    () => null,
  )
  const temp = `${real}.${process.pid}.tmp`
  await writeFile(temp, text, { flag: "wx", ...(mode === null ? {} : { mode: 0o600 }) })
  if (mode !== null) await chmod(temp, mode)
  await rename(temp, real)
}

/** A JSON file as a value; an empty object if there is none, `broken` if it is no JSON object. */
async function objectIn(path: string): Promise<object | "broken"> {
  const text = await readForeignText(path)
  if (text === null) return existsSync(path) ? "broken" : {}
  const found = jsonOf(text)
  return isRecord(found) ? found : "broken"
}

function objectOf(value: unknown): object {
  return isRecord(value) ? value : {}
}
