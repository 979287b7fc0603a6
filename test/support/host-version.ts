import { execFile, execFileSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { arch, platform } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

/** The root of this checkout. */
export const REPO = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")

const CACHE = join(REPO, "node_modules", ".cache", "opencode-hosts")

/** The version of opencode that package.json pins. */
export const PINNED_VERSION = readPinnedVersion()

/** The oldest supported host, and one with the newer form of the task tool's output. */
const OLDER_VERSIONS = ["1.14.41", "1.15.13"] as const

/** A fork of opencode with the same plugins, in the newest version whose build for Linux is on npm. */
export const KILO = "kilo 7.7.7"

const { HOST_VERSIONS } = process.env

/** The host of a test that names none: the pinned version, or Kilo with `npm run test:kilo`. */
export const DEFAULT_VERSION = HOST_VERSIONS === "kilo" ? KILO : PINNED_VERSION

/** The hosts of a test for every supported host: the default one, or the older ones with `npm run test:versions`. */
export const TESTED_VERSIONS: readonly string[] =
  HOST_VERSIONS === "older" ? OLDER_VERSIONS : [DEFAULT_VERSION]

/** Whether a version is one of Kilo. */
export function isKilo(version: string = DEFAULT_VERSION): boolean {
  return version.startsWith("kilo ")
}

/**
 * The path of the executable of that version of opencode, or of `KILO`. The pinned version is a dependency of this checkout; any other is
 * installed from npm on first use and kept. Two processes may ask at once: each installs into a folder of its own, and one wins.
 */
export function hostBinary(version: string = DEFAULT_VERSION): Promise<string> {
  const known = found.get(version) ?? findBinary(version)
  found.set(version, known)
  return known
}

const found = new Map<string, Promise<string>>()

async function findBinary(version: string): Promise<string> {
  if (version === PINNED_VERSION) return firstWorking(REPO, version)
  const folder = join(CACHE, version.replace(" ", "-"))
  if (!existsSync(folder)) await install(version, folder)
  return firstWorking(folder, version)
}

/** A host's package on npm, the start of its builds' names, and its executable. */
function packageOf(version: string) {
  const number = version.replace("kilo ", "")
  return isKilo(version)
    ? { name: "@kilocode/cli", builds: "@kilocode/cli", binary: "kilo", number }
    : { name: "opencode-ai", builds: "opencode", binary: "opencode", number }
}

async function install(version: string, folder: string): Promise<void> {
  const { name, number } = packageOf(version)
  const aside = `${folder}.${process.pid}.tmp`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true })
  try {
    await run(
      "npm",
      ["install", "--prefix", aside, "--no-audit", "--no-fund", `${name}@${number}`],
      { cwd: aside, timeout: 300_000 },
    )
    firstWorking(aside, version)
    await rename(aside, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** The package's own script links the right build. Without scripts, the platform's packages are tried in turn. */
function firstWorking(folder: string, version: string): string {
  const modules = join(folder, "node_modules")
  const { builds, binary, number } = packageOf(version)
  const system = platform() === "win32" ? "windows" : platform()
  const base = join(modules, `${builds}-${system}-${arch()}`)
  const candidates = [
    join(modules, "opencode-ai", "bin", "opencode.exe"),
    ...["", "-baseline", "-musl", "-baseline-musl"].map((suffix) =>
      join(`${base}${suffix}`, "bin", platform() === "win32" ? `${binary}.exe` : binary),
    ),
  ]
  const working = candidates.find((path) => isBinary(path) && printsVersion(path, number))
  if (working === undefined) throw new Error(`No ${binary} ${number} that runs is in ${modules}`)
  return working
}

/** The executable is over 100 MB; a placeholder or a script in its place is not. */
function isBinary(path: string): boolean {
  return existsSync(path) && statSync(path).size > 1_000_000
}

function printsVersion(path: string, version: string): boolean {
  try {
    return execFileSync(path, ["--version"], { encoding: "utf8" }).trim() === version
  } catch {
    return false
  }
}

function readPinnedVersion(): string {
  const text = readFileSync(join(REPO, "node_modules", "opencode-ai", "package.json"), "utf8")
  return (JSON.parse(text) as { version: string }).version
}
