import { afterAll, beforeAll, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick } from "../support/plans.ts"
import { reasonsOf, recordedTasks, untilWork, workOn } from "../support/work-on-disk.ts"

const plan = (name: string) => `.boulder/plans/${name}.md`
const three = planOf("Write a.txt", "Write b.txt", "Write c.txt")
const NAMES = ["abort", "question", "permission", "agent", "one", "two", "idle"]
const QUESTION = {
  name: "question",
  args: {
    questions: [
      {
        question: "Which?",
        header: "Which",
        options: [{ label: "a", description: "a" }],
        multiple: false,
      },
    ],
  },
}

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: Object.fromEntries(NAMES.map((name) => [plan(name), three])),
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    permission: { bash: "ask" },
  })
})
afterAll(() => host.stop())

const requestsOf = (session: string) => host.model.mainRequests(session).length
/** Longer than every timer of ours that could prompt: cooldown is 0, paused works are looked at every 2 s. */
const long = () => new Promise((resolve) => setTimeout(resolve, 2_600))

test("ESC stops continuation, a restart keeps it stopped, /start-work lifts it (omo#577)", async () => {
  host.model.use(roles({ lead: () => ({ text: "working", hang: true }) }))
  const session = await host.createSession()
  const turn = host.command(session, "start-work", "abort").catch(() => undefined)
  await host.waitFor(() => requestsOf(session) === 1, { what: "the first turn" })
  await host.abort(session)
  await turn
  await untilWork(host, "abort", "aborted")
  await long()
  expect(requestsOf(session)).toBe(1)
  await host.restart()
  await long()
  expect(requestsOf(session)).toBe(1)
  expect(workOn(host, "abort")?.pause_reason).toBe("aborted")
  host.model.use(
    roles({
      lead: ({ stepOfTurn }) => {
        const open = /- \[ \] (\d)\./.exec(host.readFile(plan("abort")))?.[1]
        return open === undefined || stepOfTurn > 0
          ? { text: "over" }
          : { toolCalls: [tick(host, plan("abort"), open)] }
      },
    }),
  )
  await host.command(session, "start-work", "abort")
  await untilWork(host, "abort", "completed")
})

test("while a question is open neither a timer, a child's idle nor a command prompts; once dismissed the work is paused (omo#1888)", async () => {
  const session = await host.createSession()
  host.model.use(
    roles({
      lead: ({ stepOfTurn, sessionId }) =>
        stepOfTurn === 0 && sessionId === session ? { toolCalls: [QUESTION] } : { text: "over" },
    }),
  )
  const turn = host.command(session, "start-work", "question").catch(() => undefined)
  const [question] = await host.waitFor(
    async () => {
      const open = await host.questions()
      return open.length > 0 ? open : null
    },
    { what: "a question" },
  )
  const child = await host.createSession(session)
  await host.prompt(child, "a child that falls idle")
  await host.command(await host.createSession(), "work-status", "")
  await long()
  expect(requestsOf(session)).toBe(1)
  await host.rejectQuestion(question?.id ?? "")
  await turn
  await untilWork(host, "question", "rejected-by-user")
  await long()
  expect(requestsOf(session)).toBe(1)
  expect(reasonsOf(host, session)).toEqual(["pause rejected-by-user"])
})

test("a rejected permission pauses the work, and the user's next message re-opens it", async () => {
  host.model.use(
    roles({
      lead: ({ stepOfTurn }) =>
        stepOfTurn === 0
          ? { toolCalls: [{ name: "bash", args: { command: "true", description: "try" } }] }
          : { text: "over" },
    }),
  )
  const session = await host.createSession()
  const turn = host.command(session, "start-work", "permission").catch(() => undefined)
  const [permission] = await host.waitFor(
    async () => {
      const open = await host.permissions()
      return open.length > 0 ? open : null
    },
    { what: "a permission" },
  )
  await host.replyPermission(permission?.id ?? "", "reject")
  await turn
  await untilWork(host, "permission", "rejected-by-user")
  await long()
  expect(requestsOf(session)).toBe(1)
  host.model.use(
    roles({
      lead: ({ stepOfTurn }) => {
        const open = /- \[ \] (\d)\./.exec(host.readFile(plan("permission")))?.[1]
        return open === undefined || stepOfTurn > 0
          ? { text: "over" }
          : { toolCalls: [tick(host, plan("permission"), open)] }
      },
    }),
  )
  await host.prompt(session, "go on, without bash")
  await untilWork(host, "permission", "completed")
})

test("a session that the user switched to another agent is not continued (omo#2875)", async () => {
  const session = await host.createSession()
  host.model.use(roles({ lead: () => ({ toolCalls: [QUESTION] }) }))
  const turn = host.command(session, "start-work", "agent").catch(() => undefined)
  const [question] = await host.waitFor(
    async () => {
      const open = await host.questions()
      return open.length > 0 ? open : null
    },
    { what: "a question" },
  )
  await host.rejectQuestion(question?.id ?? "")
  await turn
  await untilWork(host, "agent", "rejected-by-user")
  host.model.use(roles({ lead: () => ({ text: "planned" }) }))
  await host.prompt(session, "what do you think?", { agent: "plan" })
  await host.waitFor(() => reasonsOf(host, session).includes("rest agent-changed"), {
    what: "agent-changed",
  })
  const before = requestsOf(session)
  await long()
  expect(requestsOf(session)).toBe(before)
})

test("two sessions on two plans in one project do not mix (omo#1774)", async () => {
  const planOfSession = new Map<string, string>()
  host.model.use(
    roles({
      lead: ({ sessionId, stepOfTurn }) => {
        const path = plan(planOfSession.get(sessionId) ?? "")
        const open = /- \[ \] (\d)\./.exec(host.readFile(path))?.[1]
        if (open === undefined || stepOfTurn === 2) return { text: "over" }
        return { toolCalls: [stepOfTurn === 0 ? delegate(`todo:${open}`) : tick(host, path, open)] }
      },
    }),
  )
  const sessions = await Promise.all(
    ["one", "two"].map(async (name) => {
      const session = await host.createSession()
      planOfSession.set(session, name)
      return session
    }),
  )
  await Promise.all(
    sessions.map((session) => host.command(session, "start-work", planOfSession.get(session))),
  )
  const works = await Promise.all(["one", "two"].map((name) => untilWork(host, name, "completed")))
  for (const [index, work] of works.entries()) {
    const children = (await host.children(sessions[index] ?? "")).map((child) => child.id).sort()
    const recorded = (await recordedTasks(host, work)).map((one) => one.session_id)
    expect(recorded.sort()).toEqual(children)
  }
  const texts = host.model.mainRequests(sessions[0]).map((request) => request.lastUserText)
  expect(texts.join("\n")).not.toContain("plan two")
})

test("a turn that changes nothing is continued twice at most (omo#3446)", async () => {
  host.model.use(roles({ lead: () => ({ text: "I will start right away." }) }))
  const session = await host.createSession()
  await host.command(session, "start-work", "idle")
  await untilWork(host, "idle", "no-progress")
  await long()
  expect(requestsOf(session)).toBe(3)
  expect(reasonsOf(host, session)).toEqual([
    "continue continue",
    "continue continue",
    "pause no-progress",
  ])
})
