import { afterEach, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"
import type { ModelRequest } from "../support/host-model-request.ts"
import { toolUsesOf } from "../support/host-transcript.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick } from "../support/plans.ts"
import { tokensOf } from "../support/request-figures.ts"
import type { Reply } from "../support/scripted-model.ts"
import { randomBy } from "../support/seeded-random.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { untilCompleted, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const TASKS = 48
const KILLS = 20
const MOST_REQUESTS = 8
const MOST_MS = 150
/** Settled tasks between two checkpoints; one more for each kill that came between a tick and its count. */
const MOST_A_ROUND = 3
const SEED = Number(process.env["KILLS_SEED"] ?? Math.floor(Math.random() * 2 ** 32))
const TITLES = Array.from({ length: TASKS }, (_, index) => `Write ${index + 1}.txt`)

let host: OpencodeHost
let lead = ""
/** What the model did to tasks that were settled then: it goes by our windows alone, so that a stale one shows here. */
const repeated: string[] = []
/** How many tasks were settled at each kill. */
const settledAtKill: number[] = []
afterEach(() => host.stop())

test(`killed ${KILLS} times, 48 tasks come to the end that they come to without a kill (KILLS_SEED=${SEED})`, async () => {
  host = await startHost({
    files: { [PLAN]: planOf(...TITLES) },
    // So low that most rounds end with a compaction, of which some are killed too.
    pluginOptions: {
      continuation: { cooldown_seconds: 0, max_per_hour: 1_000 },
      long_run: { token_soft_limit: 20_000 },
    },
    script: withUsage,
  })
  lead = await host.createSession()
  startWork()
  const random = randomBy(SEED)
  for (let kill = 1; kill <= KILLS; kill++) {
    const requests = host.model.requests.length + 1 + Math.floor(random() * MOST_REQUESTS)
    await host.waitFor(() => host.model.requests.length >= requests, {
      what: `the run goes on to kill ${kill}`,
      timeoutMs: 60_000,
    })
    await wait(random() * MOST_MS)
    expect(workOn(host, "demo")?.status ?? "active").toBe("active")
    await host.restart("kill")
    settledAtKill.push(host.readFile(PLAN).split("- [x]").length - 1)
    startWork()
  }
  await untilCompleted(host, "demo")
  expect(host.readFile(PLAN)).toBe(planOf(...TITLES).replaceAll("[ ]", "[x]"))
  expect(workOn(host, "demo")).toMatchObject({
    completed_count: TASKS,
    total_count: TASKS,
    blocked_count: 0,
    dispatches: {},
  })
  expect(repeated).toEqual([])
  const compactions = host.model.requests.filter(({ kind }) => kind === "compaction")
  expect(compactions.length).toBeGreaterThan(3)
  const ticks = await ticksOf(lead)
  expect(ticks.filter((label, at) => ticks.indexOf(label) !== at)).toEqual([])
  expectCheckpointsInOrder()
  const left = readdirSync(join(host.project, ".boulder"))
  expect(left.filter((name) => /\.(tmp|copy|rotating)$|corrupt/.test(name))).toEqual([])
}, 900_000)

/** None is missing, none counts less than the one before it, and each counts at most a round more. */
function expectCheckpointsInOrder(): void {
  const folder = join(
    host.project,
    ".boulder/works",
    workOn(host, "demo")?.work_id ?? "",
    "checkpoints",
  )
  const checkpoints = readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Checkpoint)
  expect(checkpoints.map(({ checkpoint }) => checkpoint)).toEqual(
    checkpoints.map((_, at) => at + 1),
  )
  const counted = checkpoints.map(({ counts }) => counts.done)
  const odd = counted.flatMap((done, at) => {
    const before = counted[at - 1] ?? 0
    const kills = settledAtKill.filter((settled) => settled > before && settled <= done).length
    return done < before || done - before > MOST_A_ROUND + kills ? [`${before} to ${done}`] : []
  })
  expect(odd).toEqual([])
  expect(counted.at(-1)).toBeGreaterThanOrEqual(TASKS - MOST_A_ROUND)
}

/** As a user does after a crash. The kill ends the turn and the answer with it. */
function startWork(): void {
  host.command(lead, "start-work", "demo").catch(() => undefined)
}

async function withUsage(request: ModelRequest): Promise<Reply | undefined> {
  const usage = { input: tokensOf(request), output: 20 }
  if (request.kind === "compaction") return { text: compactionAnswer(aTaskState()), usage }
  const reply = await script(request)
  return reply === undefined ? undefined : { ...reply, usage }
}

const script = roles({ lead: nextOf })

/** Delegates and ticks the tasks of the newest window in their order. What is on the disk it does not look at. */
function nextOf(request: ModelRequest): Reply {
  const begin = request.messages.findLastIndex(({ role }) => role === "user")
  const turn = toolUsesOf(request.messages.slice(begin + 1))
  if (turn.some(({ result }) => result.includes("nd this turn"))) return { text: "round over" }
  const window = [...request.lastUserText.matchAll(/^- todo:(\d+) /gm)].map(
    ([, label = ""]) => label,
  )
  const label = window.find((one) => !turn.some((use) => use.args["oldString"] === `- [ ] ${one}.`))
  if (label === undefined) return { text: "window over" }
  const isDelegated = turn.some(({ args }) => args["description"] === `todo:${label}`)
  const call = isDelegated ? tick(host, PLAN, label) : delegate(`todo:${label}`)
  if (!host.readFile(PLAN).includes(`- [ ] ${label}.`)) repeated.push(`${call.name} ${label}`)
  return { toolCalls: [call] }
}

/** The labels of all ticks that the host has run for a session, also those before its compactions. */
async function ticksOf(session: string): Promise<readonly string[]> {
  const parts = (await host.messages(session)).flatMap((message) => message.parts)
  return parts.flatMap((part) => {
    if (part.type !== "tool" || part.tool !== "edit" || part.state.status !== "completed") return []
    return [String(part.state.input["oldString"])]
  })
}

interface Checkpoint {
  readonly checkpoint: number
  readonly counts: { readonly done: number }
}
