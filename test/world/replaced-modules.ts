// Replaces the system's disk, clock and git by the world's, only for paths of the world.
import { mock } from "bun:test"
import * as fs from "node:fs/promises"
import { homedir } from "node:os"
import * as timers from "node:timers/promises"
import type { PluginModule } from "@opencode-ai/plugin"
import * as hostClients from "../../src/opencode/host/http/host-client.ts"
import { DISKS, type MemoryDisk } from "./memory-disk.ts"

/** The world that is running now. */
export interface RunningWorld {
  readonly disk: MemoryDisk
  readonly sleep: (ms: number) => Promise<void>
  /** What git says about the work tree. */
  readonly tree: () => string | null
  /** The API of a server; null if the world has none at that address. */
  readonly clientAt: (url: string, over: AbortSignal) => hostClients.HostClient | null
}

const now: { world: RunningWorld | null } = { world: null }

/** Makes `world` the one that the plugin's files and sleeps go to; null removes it. */
export function setWorld(world: RunningWorld | null): void {
  now.world = world
}

const real = { ...fs }
const realClients = { ...hostClients }
const realTimers = { ...timers }

/** Runs `ofWorld` for a path of the world, and the system's own function for every other. */
function routed<Name extends keyof typeof fs>(name: Name, ofWorld: (disk: MemoryDisk) => unknown) {
  return (...given: unknown[]): unknown => {
    const [path] = given
    const { world } = now
    if (world !== null && String(path).startsWith(HOME)) return Promise.reject(nothingThere(path))
    const run = world !== null && isOfWorld(path) ? ofWorld(world.disk) : Reflect.get(real, name)
    return Reflect.apply(run as () => unknown, undefined, given)
  }
}

const OF_PROCESS = new RegExp(`^${DISKS}(?:p\\d+|cli)(?:/|$)`)

/** The home of whoever runs the tests. A world has no user with files of their own. */
const HOME = `${homedir()}/.`

function nothingThere(path: unknown): Error {
  return Object.assign(new Error(`ENOENT: ${String(path)}`), { code: "ENOENT" })
}

function isOfWorld(path: unknown): boolean {
  return typeof path === "string" && OF_PROCESS.test(path)
}

/** The folder above the processes exists and is no link. */
function aboveOrIn(run: (...given: unknown[]) => unknown) {
  return (...given: unknown[]): unknown =>
    now.world !== null && `${String(given[0])}/` === DISKS
      ? Promise.resolve(given[0])
      : run(...given)
}

/** The same for all processes: nothing in the world asks the real system. */
function ofSystem(name: "readFile" | "readlink", ofWorld: (disk: MemoryDisk) => unknown) {
  const run = routed(name, ofWorld)
  return (...given: unknown[]): unknown =>
    now.world !== null && String(given[0]).startsWith("/proc/")
      ? Promise.resolve("")
      : run(...given)
}

const OF_WORLD = {
  stat: routed("stat", (disk) => (path: string) => disk.stat(path)),
  lstat: routed("lstat", (disk) => (path: string) => disk.stat(path, false)),
  access: routed("access", (disk) => (path: string) => disk.stat(path)),
  realpath: aboveOrIn(routed("realpath", (disk) => disk.realpath)),
  readdir: routed("readdir", (disk) => disk.readdir),
  opendir: routed("opendir", (disk) => disk.opendir),
  mkdir: routed("mkdir", (disk) => disk.mkdir),
  rename: routed("rename", (disk) => disk.rename),
  link: routed("link", (disk) => disk.hardLink),
  unlink: routed("unlink", (disk) => disk.unlink),
  rm: routed("rm", (disk) => disk.rm),
  chmod: routed("chmod", (disk) => disk.chmod),
  open: routed("open", (disk) => disk.open),
  readFile: ofSystem("readFile", (disk) => disk.readFile),
  readlink: ofSystem("readlink", (disk) => disk.readlink),
}

mock.module("node:fs/promises", () => ({ ...real, ...OF_WORLD }))
/** The world's disk takes time for each operation; nothing there is done at once. */
mock.module("../../src/store/disk/quick-files.ts", () => ({
  ...OF_WORLD,
  statNow: () => undefined,
}))

mock.module("node:timers/promises", () => ({
  ...realTimers,
  setTimeout: (ms: number, ...given: [unknown?, object?]) =>
    now.world === null ? realTimers.setTimeout(ms, ...given) : now.world.sleep(ms),
}))

mock.module("../../src/opencode/host/http/host-client.ts", () => ({
  ...realClients,
  hostClient: (...given: Parameters<typeof realClients.hostClient>) => {
    const [{ url }, { signal }] = given
    return now.world?.clientAt(url, signal) ?? realClients.hostClient(...given)
  },
  expectAnswer: async (...given: Parameters<typeof realClients.expectAnswer>) => {
    const [{ url }, over] = given
    if (now.world?.clientAt(url, over) == null) await realClients.expectAnswer(...given)
  },
}))

mock.module("../../src/store/processes/git-state.ts", () => ({
  openGitState: () => ({ tree: async () => now.world?.tree() ?? null, moved: () => null }),
}))

/** The version that was greeted is remembered outside the project. */
mock.module("../../src/cli/first-start.ts", () => ({ versionToGreet: async () => null }))

/** The plugin and the command line, on the replaced modules. */
export async function loadPlugin(): Promise<PluginModule> {
  return (await import("../../src/index.ts")).default
}

/** Loads everything in advance: the first load reads from the system's disk, and no world waits for that. */
export async function loadAll(): Promise<void> {
  await Promise.all([
    loadPlugin(),
    loadCli(),
    import("../../src/cli/commands/run-command.ts"),
    import("../../src/cli/commands/work-commands.ts"),
    import("../../src/cli/commands/status-command.ts"),
    import("../../src/cli/commands/why-command.ts"),
    import("../../src/cli/commands/archive-commands.ts"),
    import("../../src/cli/project/fleet-option-in.ts"),
    import("../../src/store/fleet/open-handoffs.ts"),
    import("../../src/cli/own-version.ts"),
  ])
}

export async function loadCli(): Promise<typeof import("../../src/cli/run-cli.ts").runCli> {
  return (await import("../../src/cli/run-cli.ts")).runCli
}
