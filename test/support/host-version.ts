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

/** What a test of every supported host runs on: the pinned one, or by `npm run test:versions` the older ones. */
export const TESTED_VERSIONS: readonly string[] =
  process.env["HOST_VERSIONS"] === "older" ? OLDER_VERSIONS : [PINNED_VERSION]

/**
 * The path of that version's executable. The pinned version is a dependency of this checkout; any other is
 * installed from npm on first use and kept. Two processes may ask at once: each installs aside, one wins.
 */
export function hostBinary(version: string = PINNED_VERSION): Promise<string> {
  const known = found.get(version) ?? findBinary(version)
  found.set(version, known)
  return known
}

const found = new Map<string, Promise<string>>()

async function findBinary(version: string): Promise<string> {
  if (version === PINNED_VERSION) return firstWorking(REPO, version)
  const folder = join(CACHE, version)
  if (!existsSync(folder)) await install(version, folder)
  return firstWorking(folder, version)
}

async function install(version: string, folder: string): Promise<void> {
  const aside = `${folder}.${process.pid}.tmp`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true })
  try {
    await run(
      "npm",
      ["install", "--prefix", aside, "--no-audit", "--no-fund", `opencode-ai@${version}`],
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

/** The package's own script links the right build; without scripts the platform's packages are tried in turn. */
function firstWorking(folder: string, version: string): string {
  const modules = join(folder, "node_modules")
  const system = platform() === "win32" ? "windows" : platform()
  const base = join(modules, `opencode-${system}-${arch()}`)
  const candidates = [
    join(modules, "opencode-ai", "bin", "opencode.exe"),
    ...["", "-baseline", "-musl", "-baseline-musl"].map((suffix) =>
      join(`${base}${suffix}`, "bin", platform() === "win32" ? "opencode.exe" : "opencode"),
    ),
  ]
  const working = candidates.find((path) => isBinary(path) && printsVersion(path, version))
  if (working === undefined) throw new Error(`No opencode ${version} that runs is in ${modules}`)
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
