import { heapStats } from "bun:jsc"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { join } from "node:path"
import type { Hooks } from "@opencode-ai/plugin"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { temporaryFolder } from "../test/support/temporary-folder.ts"

/**
 * The plugin's hooks around plans of growing size, through the port that the host calls: medians of rounds, each of
 * which does everything once, with two bare durable writes of 4 kB beside it. Any
 * plugin can be given by its module. Run alone it is one of the modes below, and prints JSON.
 */
export interface HookTimes {
  readonly tasks: number
  /** Each in ms, in the order of the rounds; empty where the plugin has prompted nothing. */
  readonly times: Readonly<Record<HookRow, readonly number[]>>
}

/** What a process holds after many calls, in MB. */
export interface Soaked {
  readonly calls: number
  readonly heapBefore: number
  readonly heapAfter: number
  readonly resident: number
}

const ROWS = [
  "bare",
  "edit",
  "task",
  "task-edited",
  "idle",
  "idle-edited",
  "other",
  "start",
  "scan",
] as const
export type HookRow = (typeof ROWS)[number]

const LEAD = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"
const CHILD = "ses_e02a05cf0ffeiVkhL7Rr1p5CHI"
const OURS = join(import.meta.dir, "../dist/index.js")
/** Longer than the steps in which file systems keep times. */
const STEP_MS = 130
const PROMPT_LIMIT_MS = 3_000
const OTHERS_PAUSE_MS = 60_000
/** Another plugin looks only at sessions whose last message is of an agent of its own, in a host that has a database. */
const OF_LEADING_AGENT = {
  info: {
    ...{ id: "msg_e02a05cf0ffeiVkhL7Rr1p5C1e", role: "user", agent: "atlas", sessionID: LEAD },
    ...{ model: { providerID: "p", modelID: "m" }, time: { created: 1 } },
  },
  parts: [],
}

/** The host's answers, without a host: what is measured is the plugin's own work. */
class Host {
  readonly #messages: readonly object[]

  /** What is in every session. */
  constructor(messages: readonly object[]) {
    this.#messages = messages
  }

  #prompted: (() => void) | null = null

  readonly client = createOpencodeClient({
    baseUrl: "http://127.0.0.1:1",
    fetch: async (request: Request) => this.#answer(request),
  })

  /** Resolves with the next prompt; false where none comes in time. */
  prompt(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), PROMPT_LIMIT_MS)
    this.#prompted = () => {
      clearTimeout(timer)
      resolve(true)
    }
    return promise
  }

  #answer(request: Request): Response {
    const { pathname } = new URL(request.url)
    const id = pathname.split("/")[2] ?? ""
    if (
      /\/prompt(_async)?$/.test(pathname) ||
      (request.method === "POST" && /\/message$/.test(pathname))
    ) {
      this.#prompted?.()
      return new Response(null, { status: 204 })
    }
    if (pathname.endsWith("/status")) return Response.json({})
    if (pathname.endsWith("/message")) return Response.json(this.#messages)
    if (/\/(todo|children)$/.test(pathname)) return Response.json([])
    if (pathname.startsWith("/session/"))
      return Response.json({ id, title: id, ...(id === CHILD ? { parentID: LEAD } : {}) })
    return Response.json(pathname === "/config/providers" ? { providers: [], default: {} } : {})
  }
}

async function hooksOf(entry: string, project: string, host: Host): Promise<Hooks> {
  const loaded = await import(entry)
  const server = loaded.default?.server ?? loaded.default
  const input = {
    client: host.client,
    directory: project,
    worktree: project,
    // That of a host that serves nothing: there calls go to the client.
    serverUrl: new URL("http://localhost:4096/"),
    project: { id: "bench", worktree: project },
    experimental_workspace: {},
    $: Bun.$,
  }
  const options = {
    continuation: { cooldown_seconds: 0, max_per_hour: 10_000, max_per_work: 100_000 },
  }
  return server(input, entry === OURS ? options : undefined)
}

/** The first `done` tasks are ticked; nine lines a task. */
function planOf(tasks: number, done: number): string {
  const rows = Array.from({ length: tasks }, (_, at) => {
    const steps = Array.from(
      { length: 7 },
      (_, step) =>
        `  - Step ${step + 1}: change the handler of part ${at + 1}, keep its old answer`,
    )
    const row = `- [${at < done ? "x" : " "}] ${at + 1}. Move part ${at + 1} behind the border`
    return [row, "", ...steps, ""].join("\n")
  })
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
}

/** Lets the clock on the wall go on, without a wait. */
function letPass(ms: number): void {
  const now = Date.now
  Date.now = () => now() + ms
}

const BOX = /^[ \t]*[-*+] \[.\] /
function scanLines(text: string): number {
  let boxes = 0
  for (const line of text.split("\n")) if (BOX.test(line)) boxes += 1
  return boxes
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A temp file, fsync, rename, fsync of the folder: what one durable write costs at the least. */
async function bareWrite(folder: string, run: number): Promise<void> {
  const temp = join(folder, `temp-${run}`)
  const file = await open(temp, "w")
  await file.writeFile("x".repeat(4_096))
  await file.sync()
  await file.close()
  await rename(temp, join(folder, "bare.json"))
  const directory = await open(folder, "r")
  await directory.sync()
  await directory.close()
}

/** A project with a plan, and the plugin in it, driven as a host drives it. */
class Driven {
  readonly project = temporaryFolder("bench")
  readonly plan: string
  readonly text: string
  readonly tasks: number
  readonly #host: Host
  #hooks: Hooks = {}
  #calls = 0
  #done: number
  /** The plan as it lies there. */
  #now: string

  readonly #entry: string

  /** The plan lies where the plugin keeps its own. */
  constructor(entry: string, tasks: number) {
    this.#entry = entry
    this.#host = new Host(entry === OURS ? [] : [OF_LEADING_AGENT])
    this.tasks = tasks
    const folder = join(this.project, entry === OURS ? ".boulder" : ".omo", "plans")
    this.plan = join(folder, "demo.md")
    this.#done = Math.floor(tasks / 2)
    this.text = planOf(tasks, this.#done)
    this.#now = this.text
    mkdirSync(folder, { recursive: true })
    writeFileSync(this.plan, this.text)
  }

  /** Gives the ms of the first `/start-work`. */
  async start(): Promise<number> {
    this.#hooks = await hooksOf(this.#entry, this.project, this.#host)
    const input = { command: "start-work", sessionID: LEAD, arguments: "demo" }
    const output = { parts: [{ type: "text", text: await this.#promptOfStart() }] } as never
    return timed(() => this.#hooks["command.execute.before"]?.(input, output))
  }

  /** What the host makes of the command by the template that the plugin has given it. */
  async #promptOfStart(): Promise<string> {
    const config: Parameters<NonNullable<Hooks["config"]>>[0] = {}
    await this.#hooks.config?.(config)
    const template = config.command?.["start-work"]?.template ?? "$ARGUMENTS"
    return template.replaceAll("$ARGUMENTS", "demo")
  }

  /**
   * Ticks one task more as a tool for edits does it: in the text that it has, which it writes whole. A small plan begins anew when it
   * runs out of tasks.
   */
  tick(): void {
    const isOut = this.#done >= this.tasks - 2
    this.#done = isOut ? Math.floor(this.tasks / 2) : this.#done + 1
    const row = (mark: string): string => `\n- [${mark}] ${this.#done}. `
    this.#now = isOut ? this.text : this.#now.replace(row(" "), row("x"))
    writeFileSync(this.plan, this.#now)
  }

  /** One call of a tool; `act` is what the tool itself does. Gives the ms of its two hooks. */
  async use(tool: string, args: object, act?: () => void, child = CHILD): Promise<number> {
    const call = { tool, sessionID: LEAD, callID: `call_${++this.#calls}` }
    const before = await timed(() => this.#hooks["tool.execute.before"]?.(call, { args }))
    act?.()
    const metadata = tool === "task" ? { sessionId: child } : {}
    const output = { title: "", output: `done ${this.#calls}`, metadata }
    const after = await timed(() => this.#hooks["tool.execute.after"]?.({ ...call, args }, output))
    return before + after
  }

  edit(): Promise<number> {
    const args = { filePath: this.plan, oldString: "- [ ]", newString: "- [x]" }
    return this.use("edit", args, () => this.tick())
  }

  delegate(child = CHILD): Promise<number> {
    const description = `todo:${this.#done + 1 + (this.#calls % 2)} work on it`
    const args = { description, prompt: "do it", subagent_type: "general" }
    return this.use("task", args, undefined, child)
  }

  /** Gives the ms from an idle to its prompt; null where none comes. Ours is set to pause between none; others' pauses pass at once. */
  async idle(): Promise<number | null> {
    if (this.#entry !== OURS) letPass(OTHERS_PAUSE_MS)
    await this.#tell("session.status", { status: { type: "busy" } })
    const prompted = this.#host.prompt()
    const start = performance.now()
    void this.#tell("session.idle", {})
    const isPrompted = await prompted
    const ms = performance.now() - start
    // The hook may still be at work behind its prompt.
    await Bun.sleep(30)
    await this.#tell("session.status", { status: { type: "busy" } })
    return isPrompted ? ms : null
  }

  async #tell(type: string, properties: object): Promise<void> {
    await this.#hooks.event?.({
      event: { type, properties: { sessionID: LEAD, ...properties } } as never,
    })
  }

  async end(): Promise<void> {
    await this.#hooks.dispose?.()
  }
}

/** All rows at one size. */
async function measure(entry: string, tasks: number, rounds: number): Promise<HookTimes> {
  const driven = new Driven(entry, tasks)
  const bare = temporaryFolder("bare")
  const times = Object.fromEntries(ROWS.map((row) => [row, [] as number[]])) as Record<
    HookRow,
    number[]
  >
  try {
    await Bun.sleep(STEP_MS)
    times.start.push(await driven.start())
    for (let run = 0; run < 9; run++) times.scan.push(await timed(() => scanLines(driven.text)))
    // The first rounds warm the machine.
    for (let round = -2; round < rounds; round++) {
      const ms = await oneRound(driven, bare, round)
      for (const row of ROWS) if (round >= 0 && ms[row] != null) times[row].push(ms[row])
    }
    // A plugin that fails is quick.
    if (entry === OURS && times.idle.length < rounds)
      throw new Error(`Expected a prompt at each of ${rounds} idles; found ${times.idle.length}.`)
    await Bun.sleep(STEP_MS)
    await driven.use("read", {})
    for (let run = 0; run < 9; run++) {
      const spent = await timed(async () => {
        for (let at = 0; at < 1_000; at++) await driven.use("read", {})
      })
      times.other.push(spent / 1_000)
    }
    return { tasks, times }
  } finally {
    await driven.end()
  }
}

async function oneRound(
  driven: Driven,
  bare: string,
  round: number,
): Promise<Partial<Record<HookRow, number | null>>> {
  const edit = await driven.edit()
  await Bun.sleep(STEP_MS)
  await driven.delegate()
  const task = await driven.delegate()
  const two = await timed(async () => {
    await bareWrite(bare, 2 * round)
    await bareWrite(bare, 2 * round + 1)
  })
  const idle = await driven.idle()
  driven.tick()
  const edited = idle === null ? null : await driven.idle()
  await Bun.sleep(STEP_MS)
  await driven.delegate()
  driven.tick()
  const after = await driven.delegate()
  return { edit, task, bare: two, idle, "idle-edited": edited, "task-edited": after }
}

/** Many calls, sessions and edits of one plan in one process. */
async function soak(entry: string, tasks: number, calls: number): Promise<Soaked> {
  const driven = new Driven(entry, tasks)
  try {
    await driven.start()
    const heap = () => {
      Bun.gc(true)
      return heapStats().heapSize / 1e6
    }
    await driven.edit()
    const heapBefore = heap()
    for (let call = 0; call < calls; call++) {
      if (call % 10 === 0) await driven.edit()
      await driven.delegate(`${CHILD.slice(0, -4)}${String(call % 1_000).padStart(4, "0")}`)
    }
    return { calls, heapBefore, heapAfter: heap(), resident: process.memoryUsage().rss / 1e6 }
  } finally {
    await driven.end()
  }
}

/** One `task` call between two marks in what a tracer of the system sees. */
async function traced(entry: string): Promise<string> {
  const driven = new Driven(entry, 100)
  try {
    await Bun.sleep(STEP_MS)
    await driven.start()
    for (let call = 0; call < 4; call++) await driven.delegate()
    existsSync("/boulder-begins")
    await driven.delegate()
    existsSync("/boulder-ends")
    return driven.project
  } finally {
    await driven.end()
  }
}

/** Runs a mode of this file in a process of its own, so that the first start is the first; throws where that fails. */
function inProcess(args: readonly string[], before: readonly string[] = []): unknown {
  const [program = "", ...rest] = [...before, process.execPath, import.meta.path, ...args]
  // What another plugin keeps of its user is none of this user's.
  const home = temporaryFolder("home")
  mkdirSync(join(home, "opencode"))
  writeFileSync(join(home, "opencode", "opencode.db"), "")
  const homes = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
  const out = execFileSync(program, rest, {
    encoding: "utf8",
    env: {
      ...process.env,
      ...Object.fromEntries(homes.map((name) => [name, home])),
      DO_NOT_TRACK: "1",
      // Without git: that has a row of its own.
      PATH: "/nowhere",
    },
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ["ignore", "pipe", "ignore"],
  })
  return JSON.parse(out.trim().split("\n").at(-1) ?? "")
}

/** Measures a plugin at one size; `entry` is its module, null for ours as it was built. */
export function measureHooks(entry: string | null, tasks: number, rounds: number): HookTimes {
  return inProcess(["times", entry ?? OURS, String(tasks), String(rounds)]) as HookTimes
}

/** Many calls on a plan that is edited throughout. */
export function measureSoak(entry: string | null, tasks: number, calls: number): Soaked {
  return inProcess(["soak", entry ?? OURS, String(tasks), String(calls)]) as Soaked
}

/** What one `task` call does in the project: reads of files, files brought into place, fsyncs; null without strace. */
export function traceTask(entry: string | null) {
  const strace = Bun.which("strace")
  if (strace === null) return null
  const folder = temporaryFolder("trace")
  const log = join(folder, "trace")
  const options = ["-f", "-y", "-e", "trace=file,read,pread64,fsync", "-o", log]
  const project = String(inProcess(["trace", entry ?? OURS], [strace, ...options]))
  const lines = readFileSync(log, "utf8").split("\n")
  const at = (mark: string) => lines.findIndex((line) => line.includes(`"/boulder-${mark}"`))
  const inside = lines.slice(at("begins"), at("ends")).filter((line) => line.includes(project))
  const count = (call: RegExp) => inside.filter((line) => call.test(line)).length
  return {
    reads: count(/\bopenat\(.*O_RDONLY(?!.*(?:O_PATH|O_DIRECTORY))/),
    placed: count(/\brename\w*\(/),
    fsyncs: count(/\bfsync\(\d/),
  }
}

if (import.meta.main) {
  const [, , mode = "", entry = OURS, tasks = "1000", count = "21"] = process.argv
  const modes: Readonly<Record<string, () => Promise<unknown>>> = {
    times: () => measure(entry, Number(tasks), Number(count)),
    soak: () => soak(entry, Number(tasks), Number(count)),
    trace: () => traced(entry),
  }
  process.stdout.write(`${JSON.stringify(await modes[mode]?.())}\n`)
  // Timers of the plugin's may still run.
  process.exit(0)
}
