import { setTimeout as sleep } from "node:timers/promises"
import { bulkyPlan, bulkyScript, textOf, tokensOf } from "../test/support/bulky-run.ts"
import type { ModelRequest } from "../test/support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../test/support/opencode-host.ts"
import { workOn } from "../test/support/work-on-disk.ts"

export interface LongRunFigures {
  readonly name: string
  readonly tasks: number
  readonly settled: number
  readonly requests: number
  /** Tokens of the largest request. */
  readonly largest: number
  /** Tokens of all requests together. */
  readonly sum: number
  /** What they cost: a prefix shared with one of the last requests 0.1, every other token 1.25. */
  readonly price: number
  readonly rounds: number
  readonly compactions: number
}

const PLAN = ".boulder/plans/demo.md"
const TASKS = 48
const OUTPUT_TOKENS = 8_000
const CONTEXT = 100_000
const CACHED = 0.1
const WRITTEN = 1.25
/** A provider keeps the prefixes of about so many of the last requests. */
const REMEMBERED = 8
const CHARS_A_TOKEN = 4
const LIMIT_MS = 300_000

/** Runs the same scripted model over the same plan, with the plugin or in plain opencode. */
export async function measureLongRun(
  name: string,
  longRun: object | null,
): Promise<LongRunFigures> {
  const script = bulkyScript({
    project: () => host.project,
    planPath: PLAN,
    outputTokens: OUTPUT_TOKENS,
  })
  const continuation = { cooldown_seconds: 0, max_per_hour: 1_000 }
  const host = await startHost({
    files: { [PLAN]: bulkyPlan(TASKS) },
    contextLimit: CONTEXT,
    script,
    ...(longRun === null ? { plugin: [] } : { pluginOptions: { continuation, long_run: longRun } }),
  })
  try {
    const session = await host.createSession()
    if (longRun === null) await host.prompt(session, `Work the plan ${PLAN} to its end.`)
    else await host.command(session, "start-work", "demo")
    await untilOver(host, session, longRun !== null)
    return figuresOf(name, host)
  } finally {
    await host.stop()
  }
}

async function untilOver(host: OpencodeHost, session: string, ours: boolean): Promise<void> {
  if (!ours) return host.waitIdle(session, { timeoutMs: LIMIT_MS, quietMs: 2_000 })
  const end = performance.now() + LIMIT_MS
  while (workOn(host, "demo")?.status === "active" && performance.now() < end) await sleep(100)
}

function figuresOf(name: string, host: OpencodeHost): LongRunFigures {
  const asked = host.model.requests.filter(({ kind }) => kind !== "title")
  const sizes = asked.map(tokensOf)
  return {
    name,
    tasks: TASKS,
    settled: host.readFile(PLAN).split("- [x]").length - 1,
    requests: asked.length,
    largest: Math.max(...sizes),
    sum: sizes.reduce((sum, size) => sum + size, 0),
    price: priceOf(asked),
    rounds: host.journal().filter(({ decision }) => decision === "end-round").length,
    compactions: asked.filter(({ kind }) => kind === "compaction").length,
  }
}

function priceOf(requests: readonly ModelRequest[]): number {
  const texts: string[] = []
  let price = 0
  for (const request of requests) {
    const text = textOf(request)
    const shared = Math.max(
      0,
      ...texts.slice(-REMEMBERED).map((other) => sharedPrefix(text, other)),
    )
    price += (shared * CACHED + (text.length - shared) * WRITTEN) / CHARS_A_TOKEN
    texts.push(text)
  }
  return Math.round(price)
}

function sharedPrefix(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (one.startsWith(other.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

if (import.meta.main) {
  const only = process.argv[2]
  const runs: readonly (readonly [string, object | null])[] =
    only === undefined
      ? [
          ["opencode-boulder", {}],
          ["plain opencode", null],
        ]
      : [[only, JSON.parse(only)]]
  for (const [name, longRun] of runs)
    process.stdout.write(`${JSON.stringify(await measureLongRun(name, longRun))}\n`)
}
