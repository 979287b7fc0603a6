import { rm } from "node:fs/promises"
import process from "node:process"
import { type FolderOptions, type HostHome, makeHome } from "./host-folders.ts"
import { type HostProcess, startHostProcess } from "./host-process.ts"
import { DEFAULT_VERSION, hostBinary } from "./host-version.ts"

/** One `opencode serve` with its home. It serves any number of projects, each with a configuration of its own. */
export type HostServer = HostHome & {
  /** Changes with each start; throws while it is not running. */
  url(): string
  isRunning(): boolean
  start(): Promise<void>
  halt(how: "kill" | "graceful"): Promise<void>
  /** Where what it prints goes from now on. */
  printTo(take: (text: string) => void): void
  /** Keeps it for the next that asks for one of its kind; its projects are to be gone. */
  leave(): Promise<void>
  /** Ends it and removes its home. */
  remove(): Promise<void>
}

/**
 * The servers that were left last, the oldest first. A start of the host costs two seconds of processor time, a project in a
 * server that runs a fifth of that. The files that share a process share them (`--no-isolate`), and they end with that
 * process, by their guard; what is no test leaves none.
 */
const left: { readonly kind: string; readonly server: HostServer }[] = []
/** The one that most tests want, and the one that those in between do: each further one takes memory. */
const MOST_LEFT = 2
const leaves = process.env["NODE_ENV"] === "test"

/** A server of this version and environment: one that was left, where it is of the kind, else a new one. */
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
