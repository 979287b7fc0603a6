import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { compact, compactions } from "../support/compactions.ts"
import type { ModelMessage, ModelRequest } from "../support/host-model-request.ts"
import { REPO } from "../support/host-version.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, tick } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { untilWork } from "../support/work-on-disk.ts"

setDefaultTimeout(180_000)

const PLAN = ".boulder/plans/demo.md"
const TASKS = 6
const FILE = "a line of a long file that fills the context of its reader\n".repeat(60)
const STUB = "[boulder: old output of read"

let host: OpencodeHost
afterEach(() => host.stop())

/** Reads a file of the task, runs a command, ticks the box, and ends its turn: a round a task. */
function lead(request: ModelRequest): Reply {
  const open = /- \[ \] (\d)\./.exec(host.readFile(PLAN))?.[1]
  if (!/(Start|Resume|Continue) the plan/.test(request.lastUserText)) return { text: "over" }
  if (request.stepOfTurn > 2 || open === undefined) return { text: "the round is over" }
  const steps = [
    { name: "read", args: { filePath: `${host.project}/data/${open}.txt` } },
    { name: "bash", args: { command: "seq 1 500", description: "count" } },
    tick(host, PLAN, open),
  ]
  return { toolCalls: [steps[request.stepOfTurn] ?? tick(host, PLAN, open)] }
}

/** A session that leads the plan; with a task state once it was compacted. */
async function begun(options: HostOptions, isCompacted: boolean): Promise<string> {
  const model = compactions((request) => (request.kind === "main" ? lead(request) : undefined))
  model.answers(compactionAnswer(aTaskState()))
  const files = Array.from({ length: TASKS }, (_, at) => [
    `data/${at + 1}.txt`,
    `${at + 1} ${FILE}`,
  ])
  host = await startHost({
    files: {
      [PLAN]: planOf(...files.map(([path]) => `Look at ${path}`)),
      ...Object.fromEntries(files),
    },
    pluginOptions: {
      long_run: { checkpoint_every: 1 },
      continuation: { cooldown_seconds: 0 },
    },
    ...options,
    script: model.script,
  })
  const session = await host.createSession()
  if (isCompacted) {
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    host.writeFile(PLAN, planOf(...files.map(([path]) => `Look at ${path}`)))
    await compact(host, session)
  }
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  return session
}

const outputsOf = (request: ModelRequest) =>
  request.messages.filter(({ role }) => role === "tool").map(({ content }) => String(content))
/** The requests of each turn, in order: with a checkpoint a task, a turn is a round. */
function turnsOf(session: string): readonly (readonly ModelRequest[])[] {
  const turns: ModelRequest[][] = []
  for (const request of host.model.mainRequests(session)) {
    if (request.stepOfTurn === 0) turns.push([])
    turns.at(-1)?.push(request)
  }
  return turns
}
const bytes = (messages: readonly ModelMessage[]) => messages.map((one) => JSON.stringify(one))
/** What is left of a request once the volatile tail, the host's own marks of a turn, is taken off: its messages. */
function expectPrefix(earlier: ModelRequest, later: ModelRequest): void {
  expect(bytes(later.messages).slice(0, earlier.messages.length)).toEqual(bytes(earlier.messages))
}

test("outputs from before the last two rounds are one line, and the prefix is stable within a round", async () => {
  const session = await begun({}, true)
  const turns = turnsOf(session)
    .filter((turn) => turn.length > 1)
    .slice(-TASKS)
  expect(turns).toHaveLength(TASKS)
  for (const turn of turns)
    for (const [index, request] of turn.slice(1).entries())
      expectPrefix(turn[index] as ModelRequest, request)
  const stubs = turns.map((turn) =>
    turn.map((request) => outputsOf(request).filter((text) => text.startsWith(STUB)).length),
  )
  expect(stubs.map((counts) => new Set(counts).size)).toEqual(turns.map(() => 1))
  expect(stubs.map(([count]) => count)).toEqual([0, 0, 0, 1, 2, 3])
  const last = turns.at(-1)?.at(-1)
  const text = outputsOf(last as ModelRequest).join("\n")
  // The path is cut where it is long; the call beside the output has it whole.
  expect(text).toMatch(
    /^\[boulder: old output of read \/\S+ cleared, \d+ characters; call it again/m,
  )
  expect(text).toContain("5 a line of a long file")
  expect(text).toContain("500")
  expect(text.match(/1: 1 a line/)).toBeNull()
})

test("without a task state nothing is cleared", async () => {
  const session = await begun({}, false)
  const last = host.model.mainRequests(session).at(-1)
  expect(outputsOf(last as ModelRequest).filter((text) => text.startsWith("[boulder"))).toEqual([])
  expect(outputsOf(last as ModelRequest).join("\n")).toContain("1 a line of a long file")
})

/** A plugin that prunes as they do: an old output, not of a protected tool, gets its mark. */
const PRUNER = `export default { id: "pruner", server: async () => ({
  "experimental.chat.messages.transform": async (_, { messages }) => {
    const protectedTools = ["task", "save_task_progress", "list_blocked_tasks", "get_blocked_task"]
    const parts = messages.flatMap(({ parts }) => parts).filter((part) => part.type === "tool")
    for (const part of parts.slice(0, -6))
      if (!protectedTools.includes(part.tool) && part.state.status === "completed")
        part.state.output = "[Output removed to save context]"
  },
}) }`

test.each([
  { name: "before", plugin: ["./.pruner/pruner.js", `file://${REPO}`] },
  { name: "behind", plugin: [`file://${REPO}`, "./.pruner/pruner.js"] },
])("a pruning plugin loaded $name ours does its work, and we ours", async ({ plugin }) => {
  const files = Object.fromEntries(
    Array.from({ length: TASKS }, (_, at) => [`data/${at + 1}.txt`, `${at + 1} ${FILE}`]),
  )
  const entries = plugin.map((one) =>
    one.startsWith("file:") ? ([one, OPTIONS] as [string, typeof OPTIONS]) : one,
  )
  const plan = planOf(...Object.keys(files).map((path) => `Look at ${path}`))
  const session = await begun(
    { plugin: entries, files: { ...files, [PLAN]: plan, ".pruner/pruner.js": PRUNER } },
    true,
  )
  const last = host.model.mainRequests(session).at(-1) as ModelRequest
  const outputs = outputsOf(last)
  expect(
    outputs.filter((text) => text === "[Output removed to save context]").length,
  ).toBeGreaterThan(2)
  expect(
    outputs.filter((text) => text.includes("old output of") && text.includes("32 characters")),
  ).toEqual([])
  expect(last.systemText).toContain(aTaskState().goal)
})

const OPTIONS = { long_run: { checkpoint_every: 1 }, continuation: { cooldown_seconds: 0 } }
