// One world: a folder, one to three opencode processes on it, a clock, and everything that has happened.
import process from "node:process"
import { type Boulder, boulderSchema, type Work } from "../../src/boulder/boulder.ts"
import { jsonOf } from "../../src/boulder/json-of.ts"
import { aTerminal } from "../support/cli-in-process.ts"
import { callerOf } from "./family.ts"
import type { Crossing, ModelAnswer, ModelRequest, PromptFate, ToolCall } from "./host-core.ts"
import { HostDatabase } from "./host-database.ts"
import { type CallNaming, Ledger } from "./ledger.ts"
import { clientAt, type LiveRun } from "./live-run.ts"
import { DISKS, MemoryDisk } from "./memory-disk.ts"
import { leaveOlderState, olderState } from "./older-state.ts"
import { Parking } from "./parking.ts"
import { loadCli, loadPlugin, setWorld } from "./replaced-modules.ts"
import { SimulatedHost } from "./simulated-host.ts"
import { witnessOf } from "./witness.ts"
import { WorldClock } from "./world-clock.ts"
import { FOLDER, NAME, PLAN, planText, SIDE, SIDE_TEXT } from "./world-plan.ts"
import { WorldProcesses } from "./world-processes.ts"

/** A request to a model that nothing has answered yet. */
export interface Waiting {
  readonly process: string
  readonly request: ModelRequest
  readonly answer: (answer: ModelAnswer) => void
}

/** How a world begins. */
export interface WorldBegin {
  readonly tasks: number
  readonly reviews: number
  readonly options: Record<string, unknown>
  /** Whether each task has a page of details. */
  readonly isWordy?: boolean
  /** Whether the provider counts the ids of calls from one in every session. */
  readonly repeatsIds: boolean
  /** Whether the folder of the plans is a link. */
  readonly isLinked: boolean
  /** Whether there is a second plan. */
  readonly hasSide: boolean
  /** State of the original plugin that is there from the start. */
  readonly older: "none" | "in-place" | "omo"
}

const STDERR = process.stderr.write
const FETCH = globalThis.fetch
const MOST_PROCESSES = 3
/** The time between the end of the turns and of the plugin if the host disposes of a folder (1.18.33: 65 to 140 ms). */
const DISPOSED_MS = 100

/** The number of a process: `p3` is the third. */
function numberOf(name: string): number {
  return Number(name.slice(1))
}

/** The servers of a world: one that never answers, and no other. */
function noServer(url: unknown, { signal }: { signal?: AbortSignal | null } = {}): Promise<never> {
  if (!String(url).includes("mute.test")) return Promise.reject(new TypeError("Unable to connect"))
  return new Promise((_, reject) => {
    const end = () => reject(signal?.reason)
    if (signal?.aborted) end()
    signal?.addEventListener("abort", end)
  })
}

/** A simulated folder and everything that lives in it. */
export class World {
  readonly clock = new WorldClock()
  readonly parking = new Parking()
  readonly #processes = new WorldProcesses()
  readonly ledger = new Ledger()
  readonly disk: MemoryDisk
  readonly db: HostDatabase
  /** The living processes. */
  readonly hosts = new Map<string, SimulatedHost>()
  /** The process in which a session was last used. */
  readonly homes = new Map<string, string>()
  waiting: Waiting[] = []
  /** The run that was begun last. */
  liveRun: LiveRun | null = null
  /** They get what crosses the border of each process, and null once a process has ended. */
  readonly followers = new Set<(process: string, seen: Crossing | null) => void>()
  /** What host or command line have thrown. */
  readonly failures: string[] = []
  /** What the words of a `task` call name, by its arguments. */
  readonly names = new WeakMap<object, CallNaming>()
  /** The fates of the plugin's next prompts. */
  readonly promptFates: PromptFate[] = []
  /** The fates of the next questions that the plugin asks the host. */
  readonly clientFates: ("refused" | "mute")[] = []
  /** The error codes that the next operations on files end in. */
  readonly faults: string[] = []
  /** Calls of each session, for a provider that counts them. */
  readonly counts = new Map<string, number>()
  /** How many of the next reads fail. */
  readFaults = 0
  movedPlan = ""
  /** Whether the provider no longer knows the model. */
  isModelGone = false
  isGitSilent = false
  isHoldingEvents = false
  /** What git says about the work tree. */
  tree = 0
  readonly begin: WorldBegin
  #started = 0

  constructor(begin: WorldBegin) {
    this.begin = begin
    this.db = new HostDatabase(() => this.clock.now)
    this.disk = new MemoryDisk({
      now: () => this.clock.now,
      before: (process, what) => this.parking.park(process, what),
      faultOf: (process, operation, path) => this.#fault(process, operation, path),
      onWrite: (process, path) => this.#written(process, path),
    })
    if (begin.isLinked) this.disk.link(FOLDER, "docs/plans")
    this.disk.write(
      begin.isLinked ? `docs/plans/${NAME}` : PLAN,
      planText(begin.tasks, begin.reviews, begin.isWordy),
    )
    this.disk.write(".git/HEAD", "ref: refs/heads/main\n")
    if (begin.hasSide) this.disk.write(SIDE, SIDE_TEXT)
    if (begin.older === "in-place") this.disk.write(".boulder/boulder.json", olderState(PLAN))
    if (begin.older === "omo") leaveOlderState(this.disk)
    this.#plan = this.plan
    this.recentPlans = [this.plan]
  }

  #plan = ""

  get plan(): string {
    return this.disk.textOf(PLAN) ?? ""
  }

  set plan(text: string) {
    this.recentPlans = [...this.recentPlans, this.plan].slice(-3)
    this.disk.write(PLAN, text)
    this.recentPlans = [...this.recentPlans, text].slice(-4)
    this.#plan = text
  }

  /** The plan as it was shortly before, and last as it is. */
  recentPlans: readonly string[] = []

  /** What is remembered on disk; null before there is anything, and if it cannot be read. */
  get boulder(): Boulder | null {
    const text = this.disk.textOf(".boulder/boulder.json")
    if (text === this.#seen.text) return this.#seen.boulder
    const boulder = text === null ? null : (boulderSchema.safeParse(jsonOf(text)).data ?? null)
    this.#seen = { text, boulder }
    return boulder
  }

  #seen: { text: string | null; boulder: Boulder | null } = { text: null, boulder: null }

  /** The work of the plan that the world is about. */
  get work(): Work | null {
    return this.works.find(({ active_plan: path }) => path.endsWith(`/${NAME}`)) ?? null
  }

  get works(): readonly Work[] {
    return Object.values(this.boulder?.works ?? {})
  }

  get isStopped(): boolean {
    return this.work?.pause_reason === "stopped-by-user"
  }

  open(): void {
    this.clock.install()
    this.#processes.install()
    globalThis.fetch = Object.assign(noServer, { preconnect: () => undefined })
    process.stderr.write = () => true
    setWorld({
      disk: this.disk,
      sleep: (ms) => new Promise((resolve) => this.clock.set(resolve, ms)),
      tree: () => (this.isGitSilent ? null : `tree${this.tree}`),
      clientAt: (url, over) => clientAt(this, url, over),
    })
  }

  close(): void {
    setWorld(null)
    this.clock.remove()
    this.#processes.remove()
    process.stderr.write = STDERR
    globalThis.fetch = FETCH
  }

  /** Starts another process; null if three are running already. */
  async start(): Promise<string | null> {
    if (this.hosts.size === MOST_PROCESSES) return null
    this.ledger.doubtCalls()
    this.#started += 1
    // Each has its own name, so that what an earlier one was doing stays dead.
    const name = `p${this.#started}`
    const { options } = this.begin
    const witness = witnessOf(this, name)
    const host = new SimulatedHost({
      db: this.db,
      directory: `${DISKS}${name}`,
      model: (request) =>
        new Promise((answer) => this.waiting.push({ process: name, request, answer })),
      runTool: async (call) => this.#runTool(call),
      pass: (what) => this.parking.park(name, what),
      fateOfPrompt: () => this.promptFates.shift() ?? "taken",
      fateOf: () => this.clientFates.shift() ?? "answered",
      isHeld: () => this.isHoldingEvents,
      hasModel: () => !this.isModelGone,
      witness: (seen) => {
        witness(seen)
        for (const follow of this.followers) follow(name, seen)
      },
    })
    this.hosts.set(name, host)
    const plugin = await loadPlugin()
    await this.#processes.within(this.#started, async () => {
      const loaded = host.load(plugin, options)
      await this.parking.settle()
      await loaded
    })
    return name
  }

  /** Ends what the plugin of a process is doing, and loads it anew: what it remembered is gone. */
  async reload(name: string): Promise<void> {
    const host = this.hosts.get(name)
    if (host === undefined) return
    const plugin = await loadPlugin()
    await this.#endTurns(name, host)
    await this.#processes.within(numberOf(name), async () => {
      const reloaded = host.reload(plugin, this.begin.options)
      this.waiting = this.waiting.filter(({ process }) => process !== name)
      await this.parking.settle()
      await reloaded
    })
    this.ledger.forget(name)
  }

  /** Ends a process in good order, with a signal or by closing its interface. */
  async stop(name: string): Promise<void> {
    const host = this.hosts.get(name)
    if (host === undefined) return
    await this.#endTurns(name, host)
    await this.#processes.within(numberOf(name), async () => {
      const stopped = host.stop()
      await this.parking.settle()
      await stopped
    })
    this.kill(name)
  }

  /**
   * The turns of a process end, which is reported; the plugin itself ends a moment later. A host reports its events in order and ends the
   * plugin last, so late events come before that.
   */
  async #endTurns(name: string, host: SimulatedHost): Promise<void> {
    this.tellEvents()
    for (const { sessionId, process, failed } of this.ledger.prompts)
      if (process === name && failed === "no" && host.isBusy(sessionId)) this.doubt(sessionId)
    host.endTurns()
    this.waiting = this.waiting.filter(({ process }) => process !== name)
    await this.pass(DISPOSED_MS)
  }

  /** Nobody can say what a turn that is cut off would have moved. */
  doubt(sessionId: string): void {
    const prompt = this.ledger.prompts.findLast((one) => one.sessionId === sessionId)
    if (prompt?.failed === "no") prompt.failed = "unsure"
  }

  /** SIGKILL, whatever the process was doing. Gives that. */
  kill(name: string): readonly string[] {
    const host = this.hosts.get(name)
    host?.die()
    this.#processes.end(numberOf(name))
    // Its timers would go on; nothing else of it does.
    this.run(host?.core.hooks.dispose?.() ?? Promise.resolve())
    this.hosts.delete(name)
    for (const follow of this.followers) follow(name, null)
    this.waiting = this.waiting.filter(({ process }) => process !== name)
    for (const call of this.ledger.calls)
      if (call.process === name && call.state === "running") call.state = "lost"
    for (const prompt of this.ledger.prompts)
      if (prompt.process === name && prompt.failed === "no") prompt.failed = "unsure"
    return this.parking.kill(name)
  }

  /** The process of a session: where it was last used, or any living one. */
  hostOf(sessionId: string): { name: string; host: SimulatedHost } | null {
    const home = this.homes.get(sessionId)
    const names = [...this.hosts.keys()]
    const name = home !== undefined && this.hosts.has(home) ? home : names[0]
    const host = name === undefined ? undefined : this.hosts.get(name)
    if (name === undefined || host === undefined) return null
    this.homes.set(sessionId, name)
    return { name, host }
  }

  /** Runs the command line in the folder. Gives what it has printed and its exit code. */
  async runCli(
    args: readonly string[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ said: string; code: number }> {
    let said = ""
    const add = (text: string) => {
      said += text
    }
    const runCli = await loadCli()
    const code = await runCli(
      [...args],
      aTerminal({ out: add, err: add, cwd: `${DISKS}cli`, now: () => this.clock.now, signal }),
    )
    return { said, code }
  }

  /** Begins what a host does by itself from here on. Its hooks report what it throws. */
  run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.failures.push(String(error)))
  }

  /** Late events come now. */
  tellEvents(): void {
    this.isHoldingEvents = false
    for (const host of this.hosts.values()) host.core.tellHeld()
  }

  /** Lets everything that waits be done. */
  async settle(): Promise<void> {
    await this.parking.settle()
  }

  /** Time passes after everything that waits is done: no disk is slow for seconds. */
  async pass(ms: number): Promise<void> {
    await this.settle()
    await this.clock.pass(ms, () => this.parking.settle())
  }

  /** Edits of the plan, and of sources. */
  #runTool({ tool, args, sessionId }: ToolCall & { readonly sessionId: string }): string {
    if (tool !== "edit" && tool !== "write") return "done"
    if (args["filePath"] !== "src/a.ts" && this.#runsForWork(sessionId))
      this.ledger.editedBelow.push(sessionId)
    const path = String(args["filePath"])
    const change = (text: string) =>
      text.replace(String(args["oldString"]), String(args["newString"]))
    if (path.endsWith(`/${NAME}`)) this.plan = change(this.plan)
    else if (path.endsWith(".md")) this.disk.write(path, change(this.disk.textOf(path) ?? ""))
    else this.tree += 1
    return "Edit applied successfully."
  }

  /** Whether a session is below one that leads, or has led, a work that is not complete. */
  #runsForWork(sessionId: string): boolean {
    const { work } = this
    if (work === null || work.status === "completed") return false
    const caller = callerOf(this, sessionId)
    return caller !== null && (work.session_ids.includes(caller) || this.#runsForWork(caller))
  }

  #fault(process: string, operation: string, path: string): string | null {
    const isRead = operation === "open" && (path === PLAN || path.endsWith("boulder.json"))
    if (isRead && process !== "cli" && this.readFaults > 0) {
      this.readFaults -= 1
      return "EIO"
    }
    const isWrite = ["open", "write", "rename", "link", "sync"].includes(operation)
    if (process === "cli" || !isWrite || !path.startsWith(".boulder") || path === PLAN) return null
    return this.faults.shift() ?? null
  }

  #written(process: string, path: string): void {
    if (!path.endsWith(NAME)) return
    const before = this.#plan
    this.#plan = this.plan
    this.recentPlans = [...this.recentPlans, this.#plan].slice(-4)
    if (this.#plan !== before) this.ledger.planWrites.push({ process, before, after: this.#plan })
  }
}
