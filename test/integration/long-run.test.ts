import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { bulkyPlan, bulkyScript } from "../support/bulky-run.ts"
import { type ModelRequest, texts } from "../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { tokensOf } from "../support/request-figures.ts"
import { untilCompleted } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const QUIET = { continuation: { cooldown_seconds: 0, max_per_hour: 1_000 } }
const WINDOW = 3
const HARD_LIMIT = 90_000

let host: OpencodeHost
/** By main request: the labels of the tasks that the plan showed as open when it came. */
const openAt = new Map<ModelRequest, readonly string[]>()

/** A plan worked to its end by a model whose commands print so much. */
async function run(tasks: number, outputTokens: number): Promise<readonly ModelRequest[]> {
  const script = bulkyScript({ project: () => host.project, planPath: PLAN, outputTokens })
  host = await startHost({
    files: { [PLAN]: bulkyPlan(tasks) },
    pluginOptions: QUIET,
    contextLimit: 100_000,
    script: (request) => {
      const open = [...host.readFile(PLAN).matchAll(/^- \[ \] (\d+)\./gm)]
      openAt.set(
        request,
        open.map(([, label = ""]) => label),
      )
      return script(request)
    },
  })
  await host.command(await host.createSession(), "start-work", "demo")
  await untilCompleted(host, "demo")
  return host.model.requests.filter(({ kind }) => kind !== "title")
}

describe("48 tasks of 8,000 tokens each on a model of 100,000", () => {
  let requests: readonly ModelRequest[] = []
  const main = () => requests.filter(({ kind }) => kind === "main")
  beforeAll(async () => {
    requests = await run(48, 8_000)
  }, 240_000)
  afterAll(() => host.stop())

  test("the plan comes to its end without a request over the hard limit, and without an overflow", () => {
    expect(host.readFile(PLAN).split("- [x]")).toHaveLength(49)
    expect(Math.max(...requests.map(tokensOf))).toBeLessThan(HARD_LIMIT)
    expect(host.eventsOf("session.error")).toEqual([])
    expect(requests.filter(({ kind }) => kind === "compaction").length).toBeGreaterThan(10)
  })

  test("no text of ours names more of the plan's tasks than the window has, and nothing else names one", () => {
    for (const request of requests) {
      const all = [...request.messages.flatMap(texts), JSON.stringify(request.body.tools ?? [])]
      for (const text of all) {
        for (const [frame] of text.matchAll(FRAME))
          expect(tasksIn(frame).length).toBeLessThanOrEqual(WINDOW)
        expect(tasksIn(text.replaceAll(FRAME, ""))).toEqual([])
      }
    }
  })

  test("each turn begins with the window as the plan stood then", () => {
    const begins = main().filter(({ stepOfTurn }) => stepOfTurn === 0)
    expect(begins.length).toBeGreaterThan(10)
    for (const request of begins)
      expect(tasksIn(request.lastUserText)).toEqual(
        openAt.get(request)?.slice(0, WINDOW) ?? ["unknown"],
      )
  })

  test("within a round each request begins with the one before it, to the byte", () => {
    expectToExtend(main().filter(({ stepOfTurn }) => stepOfTurn > 0))
  })

  test("the tools and the host's own system text are the same in all requests, before all that changes", () => {
    expect(new Set(main().map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
    expect(new Set(main().map(({ messages }) => JSON.stringify(messages[0]))).size).toBe(1)
  })

  /** Of these main requests each must begin with the one that came before it. */
  function expectToExtend(some: readonly ModelRequest[]): void {
    expect(some.length).toBeGreaterThan(50)
    for (const request of some) {
      const before = main()[main().indexOf(request) - 1]
      expect(JSON.stringify(request.messages)).toStartWith(
        JSON.stringify(before?.messages).slice(0, -1),
      )
    }
  }
})

describe("12 tasks that print little", () => {
  let requests: readonly ModelRequest[] = []
  beforeAll(async () => {
    requests = await run(12, 100)
  }, 240_000)
  afterAll(() => host.stop())

  test("over all rounds each request begins with the one before it: nothing is compacted or cleared", () => {
    const rounds = host.journal().filter(({ decision }) => decision === "end-round")
    expect(rounds.length).toBe(4)
    for (const [at, request] of requests.entries()) {
      const before = requests[at - 1]
      if (before === undefined) continue
      expect(JSON.stringify(request.body.tools)).toBe(JSON.stringify(before.body.tools))
      expect(JSON.stringify(request.messages)).toStartWith(
        JSON.stringify(before.messages).slice(0, -1),
      )
    }
  })
})

/** All that we say to the model stands in one. */
const FRAME = /<boulder>[\s\S]*?<\/boulder>/g

/** The labels of the tasks that a text shows by their titles, details or keys: the script itself uses none of these. */
function tasksIn(text: string): readonly string[] {
  const named = text.matchAll(/Build part number (\d+)|Detail-of-(\d+)|todo:(\d+)/g)
  return [...new Set([...named].map(([, title, detail, key]) => title ?? detail ?? key ?? ""))]
}
