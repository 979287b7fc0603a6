/**
 * A plan of 48 tasks, each with a command that prints 8,000 tokens, worked by the same scripted model in the real
 * opencode: with the plugin, and without it. `bun bench/long-run.ts '{"checkpoint_every":2}'` measures other options
 * of `long_run` only.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { bulkyPlan, bulkyScript } from "../test/support/bulky-run.ts"
import { type OpencodeHost, startHost } from "../test/support/opencode-host.ts"
import { figuresOf, type RequestFigures } from "../test/support/request-figures.ts"
import { workOn } from "../test/support/work-on-disk.ts"

interface Run extends RequestFigures {
  readonly settled: number
  readonly rounds: number
}

const PLAN = ".boulder/plans/demo.md"
const TASKS = 48
const OUTPUT_TOKENS = 8_000
const CONTEXT = 100_000
const MOST_TOKENS = 70_000
const LIMIT_MS = 900_000

/** Null for plain opencode. */
async function run(longRun: object | null): Promise<Run> {
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
    if (longRun === null) await host.promptAsync(session, `Work the plan ${PLAN} to its end.`)
    else await host.command(session, "start-work", "demo")
    await untilOver(host, session, longRun !== null)
    return {
      ...figuresOf(host.model.requests),
      settled: host.readFile(PLAN).split("- [x]").length - 1,
      rounds: host.journal().filter(({ decision }) => decision === "end-round").length,
    }
  } finally {
    await host.stop()
  }
}

async function untilOver(host: OpencodeHost, session: string, ours: boolean): Promise<void> {
  if (!ours) {
    const isTicked = () => !host.readFile(PLAN).includes("- [ ]")
    await host.waitFor(isTicked, { timeoutMs: LIMIT_MS, what: "every box is ticked" })
    return host.waitIdle(session, { timeoutMs: LIMIT_MS })
  }
  const end = performance.now() + LIMIT_MS
  while (workOn(host, "demo")?.status === "active" && performance.now() < end) await sleep(100)
}

function print(name: string, figures: Run): void {
  const { settled, largest, sum, price, rounds, compactions, requests } = figures
  const inTokens = (count: number) => count.toLocaleString("en-US")
  console.log(
    `${name}: ${settled} of ${TASKS} tasks; largest request ${inTokens(largest)} tokens; sum ${inTokens(sum)}; price ${inTokens(price)}; ${requests} requests, ${rounds} rounds, ${compactions} compactions`,
  )
}

const options = process.argv[2]
if (options === undefined) {
  const ours = await run({})
  print("48 bulky tasks with opencode-boulder", ours)
  const plain = await run(null)
  print("48 bulky tasks in plain opencode", plain)
  const share = (one: number, other: number) => (one / other).toFixed(2)
  console.log(
    `  largest ${ours.largest} (goal: ${MOST_TOKENS}); sum ${share(ours.sum, plain.sum)} of plain's (goal: 0.5); price ${share(ours.price, plain.price)} of plain's (goal: 1)`,
  )
} else print(options, await run(JSON.parse(options)))
