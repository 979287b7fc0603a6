import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { ModelRequest } from "../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick } from "../support/plans.ts"
import { type CommandLine, commandLine, isPrinted } from "../support/run-project.ts"
import type { Reply } from "../support/scripted-model.ts"

setDefaultTimeout(120_000)

/** A wait in the past: the host makes its retries at once, so that the end of them is soon there. */
const limited = (resets_in_seconds: number): Reply => ({
  status: 429,
  headers: { "retry-after": "-5" },
  errorBody: { error: { type: "usage_limit_reached", resets_in_seconds, message: "used" } },
})
const USED = limited(3_600)
/** The host makes no retry before its time. */
const WAITS: Reply = { status: 429, headers: { "retry-after": "3600" } }
const SOON: Reply = { status: 429, headers: { "retry-after": "9" } }

const asking: Reply = {
  toolCalls: [
    {
      name: "question",
      args: {
        questions: [
          { question: "Which?", header: "Which", options: [{ label: "A", description: "a" }] },
        ],
      },
    },
  ],
}

const path = (name: string) => `.boulder/plans/${name}.md`

/** What an orchestrator does at its first steps, by the name of its plan; to all that comes later it says "over". */
const ACTS: Readonly<Record<string, readonly (() => Reply)[]>> = {
  done: [() => ({ toolCalls: [tick(host, path("done"), "1")] })],
  soon: [() => SOON, () => ({ toolCalls: [tick(host, path("soon"), "1")] })],
  asks: [() => asking],
  children: [() => ({ toolCalls: [delegate("todo:1"), delegate("todo:2")] })],
  child: [() => ({ toolCalls: [delegate("todo:1"), tick(host, path("child"), "2")] })],
  beside: [
    () => ({
      toolCalls: [
        delegate("todo:1", { prompt: "do it, I work beside you" }),
        { name: "bash", args: { command: "sleep 5; echo done > beside.txt", description: "work" } },
      ],
    }),
  ],
}
/** What the provider says to everything in the work of a plan. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  money: { status: 402, errorBody: { error: { message: "No credit" } } },
  used: USED,
  week: limited(604_800),
  waits: WAITS,
  late: USED,
  left: USED,
}

/** How a run ends, by the code that it exits with. */
const ENDS: readonly {
  readonly end: string
  readonly args: readonly string[]
  readonly code: number
  readonly says: string | RegExp
}[] = [
  { end: "the plan is complete", args: ["done"], code: 0, says: "Complete: 1/1" },
  { end: "there is no such plan", args: ["nowhere"], code: 1, says: "nowhere" },
  { end: "an option is none", args: ["done", "--now"], code: 2, says: "--now" },
  {
    end: "the provider refuses",
    args: ["money"],
    code: 3,
    says: /\(provider-refused\).*\(No credit\)/,
  },
  { end: "a question waits", args: ["asks"], code: 3, says: "(question-pending): Which?" },
  { end: "a limit, and --no-wait", args: ["used", "--no-wait"], code: 3, says: "(usage-limited)" },
  { end: "a limit of a week", args: ["week"], code: 3, says: "(usage-limited)" },
  {
    end: "opencode itself waits, and --no-wait",
    args: ["waits", "--no-wait"],
    code: 3,
    says: "(provider-wait): opencode waits for the provider until",
  },
  {
    end: "each task's subagent has met a limit, and --no-wait",
    args: ["children", "--no-wait"],
    code: 3,
    says: "(usage-limited)",
  },
  {
    end: "one subagent has, the other task is done, and --no-wait",
    args: ["child", "--no-wait"],
    code: 3,
    says: "(usage-limited)",
  },
]

let host: OpencodeHost
let run: CommandLine
/** A run that waits at a limit for its own end, beside the others. */
let late: ReturnType<CommandLine["cli"]>
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  const one = ["done", "soon", "asks", ...Object.keys(ANSWERS)].map((name) => [
    path(name),
    planOf("Write a"),
  ])
  const two = ["children", "child", "beside"].map((name) => [
    path(name),
    planOf("Write a", "Write b"),
  ])
  const named = (request: ModelRequest, names: readonly string[]) =>
    names.find((name) => request.allText().includes(`plan ${name} `)) ?? ""
  host = await startHost({
    files: Object.fromEntries([...one, ...two]),
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: roles({
      lead: (request) => {
        const refused = ANSWERS[named(request, Object.keys(ANSWERS))]
        const acts = ACTS[named(request, Object.keys(ACTS))]
        const step = host.model.mainRequests(request.sessionId).length - 1
        return refused ?? acts?.[step]?.() ?? { text: "over" }
      },
      child: (request) => (request.allText().includes("beside you") ? WAITS : USED),
    }),
  })
  run = commandLine(host.project, host.env, ends)
  late = run.cli("run", "late", "--timeout", "20s", "--attach", host.url)
})
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await host.stop()
})

describe("the code that a run exits with", () => {
  test.each(ENDS)("$code where $end", async ({ args, code, says }) => {
    const ended = await run.cli("run", ...args, "--attach", host.url)
    expect(ended.err + ended.out).toMatch(says)
    expect(ended.code).toBe(code)
  })

  test("3 where opencode waits for a subagent, and --no-wait: behind what the lead does beside it", async () => {
    const { code, err, out } = await run.cli("run", "beside", "--no-wait", "--attach", host.url)
    expect(err + out).toMatch("(provider-wait): opencode waits for the provider until")
    expect(code).toBe(3)
    expect(host.readFile("beside.txt")).toBe("done\n")
  })

  test("0 behind a wait of seconds, which it has said once", async () => {
    const { code, out } = await run.cli("run", "soon", "--attach", host.url)
    expect(out).toMatch(
      /^waiting for the provider until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(in \d s\)$/m,
    )
    expect(out.match(/waiting for the provider/g)).toHaveLength(1)
    expect(out).toContain("Complete: 1/1")
    expect(code).toBe(0)
  })

  test("1 where --timeout comes at a limit", async () => {
    const { code, out, err } = await late
    expect(err + out).toMatch("time limit")
    expect(code).toBe(1)
  })

  test("130 where Ctrl-C comes at a limit; until then it has said once how long it waits", async () => {
    const { child, exit } = run.spawnCli("run", "left", "--attach", host.url)
    await isPrinted(child, "waiting for the provider")
    child.kill("SIGINT")
    const { code, out } = await exit
    expect(code).toBe(130)
    expect(out).toMatch(
      /waiting for the provider.s limit, resumes at \d{4}-\d\d-\d\d \d\d:\d\d UTC \(in 1 h [12] min\)/,
    )
    expect(out.match(/waiting for the provider/g)).toHaveLength(1)
  })
})
