import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { handoffIdOf } from "../../src/store/handoffs/handoff-id.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { aHandoff } from "./handoff-builders.ts"
import { openPlugin, type PluginInProcess } from "./plugin-in-process.ts"

/** What has happened in a project before its hooks are measured. */
export interface History {
  readonly root: string
  /** Tasks of the plan. The first `settled` are settled, and the last `delegated` of those were delegated one by one. */
  readonly tasks: number
  readonly settled: number
  readonly delegated: number
  /** Sessions that have led the work before, and works that were finished before. */
  readonly sessions: number
  readonly works: number
  /** Records of progress that past sessions have left open. */
  readonly handoffs: number
}

/** Bytes of one hook, as the kernel counts them for this process: all files, whoever reads or writes them. */
interface Bytes {
  readonly read: number
  readonly written: number
}

export interface HookBytes {
  readonly task: Bytes
  readonly idle: Bytes
}

const PLAN = "plans/main.md"
const ROUNDS = 21
/** Three minutes a step: no cooldown, and the same number of continuations in each hour from then on. */
const STEP_MS = 180_000
const WARM_UP = 25
const SHARD_SIZE = 12

if (import.meta.main) {
  const history: History = JSON.parse(process.argv[2] ?? "null")
  process.stdout.write(JSON.stringify(await measure(history)))
}

async function measure(history: History): Promise<HookBytes> {
  const { root, settled } = history
  let nowMs = Date.now()
  const plugin = openPlugin(root, { now: () => nowMs })
  await bringAbout(plugin, history, (ms) => {
    nowMs += ms
  })
  await plugin.startWork("ses_lead", PLAN)
  let calls = 0
  const delegate = () => {
    calls += 1
    const key = `todo:${settled + 1 + (calls % 3)}`
    return plugin.delegate({ lead: "ses_lead", key, child: `ses_child${calls % 3}` })
  }
  const fallIdle = () => {
    nowMs += STEP_MS
    return plugin.fallIdle("ses_lead")
  }
  for (let round = 0; round < WARM_UP; round++) {
    await delegate()
    await fallIdle()
  }
  const prompted = plugin.prompts.length
  const bytes = { task: await bytesOf(delegate), idle: await bytesOf(fallIdle) }
  if (plugin.prompts.length !== prompted + ROUNDS) throw new Error("Not every idle went on")
  if (plugin.logs.length > 0) throw new Error(plugin.logs.join("\n"))
  return bytes
}

async function bringAbout(
  plugin: PluginInProcess,
  history: History,
  pass: (ms: number) => void,
): Promise<void> {
  const { root, tasks, settled, delegated, sessions, works } = history
  for (let work = 1; work <= works; work++) {
    pass(2 * STEP_MS)
    const path = `plans/w${work}.md`
    put(root, path, planOf(1, 0))
    await plugin.startWork("ses_other", path)
    put(root, path, planOf(1, 1))
    await plugin.fallIdle("ses_other")
  }
  const store = openFileHandoffStore({ root })
  for (let record = 1; record <= history.handoffs; record++)
    await store.create(() => aLeftHandoff(root, record))
  const before = settled - delegated
  put(root, PLAN, planOf(tasks, before))
  pass(STEP_MS)
  await plugin.startWork(pastSession(1), PLAN)
  for (let task = before + 1; task <= settled; task++) {
    if (task % SHARD_SIZE === 1) put(root, PLAN, planOf(tasks, task - 1))
    await plugin.delegate({ lead: pastSession(1), key: `todo:${task}`, child: `ses_c${task}` })
  }
  put(root, PLAN, planOf(tasks, settled))
  for (let session = 2; session <= sessions; session++)
    await plugin.startWork(pastSession(session), PLAN)
}

function aLeftHandoff(root: string, record: number) {
  const scope = { project: projectScope(root), agent: null }
  return aHandoff({ id: handoffIdOf(`past ${record}`, 0), scope, session_id: pastSession(record) })
}

/** A session id as long as the host's. */
function pastSession(number: number): string {
  return `ses_past${number}`.padEnd(30, "x")
}

/** The median of several runs: whatever else the process reads or writes happens only now and then. */
async function bytesOf(run: () => Promise<unknown>): Promise<Bytes> {
  const all: Bytes[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = countedBytes()
    await run()
    const after = countedBytes()
    all.push({ read: after.read - before.read, written: after.written - before.written })
  }
  return {
    read: median(all.map(({ read }) => read)),
    written: median(all.map((one) => one.written)),
  }
}

function countedBytes(): Bytes {
  const text = readFileSync("/proc/self/io", "utf8")
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1])
  return { read: count("rchar"), written: count("wchar") }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

/** Writes a file as if it had been written a while ago, so that its reading is kept. */
function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(root, path), past, past)
}

function planOf(tasks: number, settled: number): string {
  const rows = Array.from({ length: tasks }, (_, index) => {
    const number = index + 1
    return `- [${index < settled ? "x" : " "}] ${number}. Task number ${number}`
  })
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
}
