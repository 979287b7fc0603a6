import { rm } from "node:fs/promises"
import process from "node:process"
import { type FolderOptions, type HostHome, makeHome } from "./host-folders.ts"
import { type HostProcess, startHostProcess } from "./host-process.ts"
import { DEFAULT_VERSION, hostBinary } from "./host-version.ts"

/** One `opencode serve` with its home. It serves any number of projects, each with its own configuration. */
export type HostServer = HostHome & {
  /** Changes with each start. Throws while it is not running. */
  url(): string
  isRunning(): boolean
  start(): Promise<void>
  halt(how: "kill" | "graceful"): Promise<void>
  /** Where its output goes from now on. */
  printTo(take: (text: string) => void): void
  /** Keeps it for the next caller that asks for one of its kind. Its projects must be gone. */
  leave(): Promise<void>
  /** Ends it and removes its home. */
  remove(): Promise<void>
}

/**
 * The servers left last, oldest first. A start of the host costs two seconds of processor time; a project in a running server costs a fifth
 * of that. Test files in one process share these servers (`--no-isolate`). The guard ends them with that process. Outside of tests, none
 * are left.
 */
const left: { readonly kind: string; readonly server: HostServer }[] = []
/** The server that most tests want, and one that the tests in between want. Each further one takes memory. */
const MOST_LEFT = 2
const leaves = process.env["NODE_ENV"] === "test"

/** A server of this version and environment: one that was left, if it is of the same kind, else a new one. */
export async function takeServer(options: FolderOptions): Promise<HostServer> {
  const kind = JSON.stringify([options.version ?? DEFAULT_VERSION, options.offline, options.env])
  const at = left.findIndex((one) => one.kind === kind)
  const [found] = at < 0 ? [] : left.splice(at, 1)
  return found?.server ?? newServer(kind, options)
}

async function newServer(kind: string, options: FolderOptions): Promise<HostServer> {
  const binary = await hostBinary(options.version)
  const home = makeHome(options)
  let running: HostProcess | undefined
  let take: (text: string) => void = () => undefined

  const server: HostServer = {
    ...home,
    url: () => {
      if (running === undefined) throw new Error("The host is not running")
      return running.url
    },
    isRunning: () => running !== undefined,
    start: async () => {
      running = await startHostProcess(binary, home, (text) => take(text))
    },
    halt: async (how) => {
      const ending = running
      running = undefined
      await ending?.stop(how)
    },
    printTo: (next) => {
      take = next
    },
    leave: async () => {
      left.push({ kind, server })
      const over = left.splice(0, left.length - (leaves ? MOST_LEFT : 0))
      for (const one of over) await one.server.remove()
    },
    remove: async () => {
      await server.halt("kill")
      await rm(home.root, { recursive: true, force: true })
    },
  }
  return server
}
