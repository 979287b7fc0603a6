import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { compactionRequests, compactions } from "../support/compactions.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick, ticked } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

const PLAN = ".boulder/plans/demo.md"
const TWO = planOf("Write a.txt", "Write b.txt")
const WAVE = `${ticked(planOf("Write a.txt"), "1")}
## Final Verification Wave (MANDATORY, after all implementation tasks)

- [ ] F1. **Plan compliance audit**
`
/** More than the host leaves in a context of 50,000: it compacts at the next step. */
const usage = { input: 49_000, output: 10 }
const read = { name: "read", args: { filePath: "opencode.json" } }

let host: OpencodeHost
afterEach(() => host.stop())

async function start(
  plan: string,
  given: Parameters<typeof roles>[0],
  continuation: object = {},
): Promise<string> {
  const model = compactions(roles(given))
  model.answers(...Array<string>(9).fill(compactionAnswer(aTaskState(), "We are in the middle.")))
  host = await startHost({
    files: { [PLAN]: plan },
    contextLimit: 50_000,
    outputLimit: 4_000,
    pluginOptions: {
      long_run: { enabled: false },
      continuation: { cooldown_seconds: 0, no_progress_turns: 99, ...continuation },
    },
    script: model.script,
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  return session
}

const isStart = ({ lastUserText }: ModelRequest) => lastUserText.includes("Start the plan")
const isOurs = ({ lastUserText }: ModelRequest) => lastUserText.includes("Continue the plan")
const isHosts = ({ lastUserText }: ModelRequest) =>
  lastUserText.startsWith("Continue if you have next steps")
/** Who began the turns behind the compactions of a session, in order. */
const goneOnBy = (session: string) =>
  host.model
    .mainRequests(session)
    .filter(({ stepOfTurn }) => stepOfTurn === 0)
    .flatMap((request) => (isOurs(request) ? ["we"] : isHosts(request) ? ["the host"] : []))
const lastWords = async (session: string) =>
  (await host.messages(session)).at(-1)?.parts.find((part) => part.type === "text")

test("the last box is ticked in the turn that overflows: the host goes on once, for the report", async () => {
  const steps: readonly Reply[] = [
    { toolCalls: [read] },
    { toolCalls: [{ name: "read", args: { filePath: PLAN } }] },
  ]
  const session = await start(planOf("Write a.txt"), {
    lead: (request) => {
      if (!isStart(request)) return { text: "THE REPORT" }
      return steps[request.stepOfTurn] ?? { toolCalls: [tick(host, PLAN, "1")], usage }
    },
  })
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  expect(compactionRequests(host, session)).toHaveLength(1)
  expect(goneOnBy(session)).toEqual(["the host"])
  expect(await lastWords(session)).toMatchObject({ text: "THE REPORT" })
})

test("the final wave comes back and overflows: the host goes on once, and the user is told", async () => {
  const session = await start(WAVE, {
    lead: (request) =>
      isStart(request)
        ? { toolCalls: [delegate("final-wave:f1", { prompt: "F1" })], usage }
        : { text: "THE WAVE IS BACK" },
    child: () => ({ text: "VERDICT: APPROVE, but mind x" }),
  })
  const waiting = () => workOn(host, "demo")?.awaiting_approval ?? null
  await host.waitFor(waiting, { what: "the wave waits for approval" })
  await host.waitIdle(session)
  expect(goneOnBy(session)).toEqual(["the host"])
  expect(await lastWords(session)).toMatchObject({ text: "THE WAVE IS BACK" })
})

/** A work whose every turn overflows in its first step, until the user asks. */
const overflows = ({ lastUserText, stepOfTurn, ...request }: ModelRequest): Reply => {
  const isFirst = stepOfTurn === 0
  if (lastUserText.includes("QUESTION")) return isFirst ? { toolCalls: [read], usage } : OVER
  if (lastUserText.includes("Start the plan") && isFirst) return { toolCalls: [read], usage }
  return request.allText().includes("QUESTION") ? { text: "THE ANSWER" } : OVER
}
const OVER: Reply = { text: "over" }

test("a question of the user's overflows with the second compaction in a row: it is answered", async () => {
  const session = await start(TWO, { lead: overflows }, { cooldown_seconds: 5 })
  await host.waitFor(() => reasonsOf(host, session).includes("retry cooling-down"), {
    what: "the first continuation has come and gone",
  })
  await host.prompt(session, "QUESTION: what is in the config?")
  await host.waitFor(() => goneOnBy(session).length === 2, { what: "somebody has gone on" })
  await host.waitIdle(session)
  expect(goneOnBy(session)).toEqual(["we", "we"])
  expect(workOn(host, "demo")).toMatchObject({
    status: "active",
    compactions: { epoch: 2, in_a_row: 1 },
  })
})

test("a question to another agent overflows: the host goes on, as that agent", async () => {
  const session = await start(TWO, { lead: overflows }, { cooldown_seconds: 60 })
  await host.waitFor(() => reasonsOf(host, session).includes("retry cooling-down"), {
    what: "the first continuation has come and gone",
  })
  await host.prompt(session, "QUESTION: what is in the config?", { agent: "plan" })
  await host.waitIdle(session)
  expect(goneOnBy(session)).toEqual(["we", "the host"])
  expect(workOn(host, "demo")?.status).toBe("active")
})
