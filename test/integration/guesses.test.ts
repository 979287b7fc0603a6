import { afterAll, beforeAll, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const pathOf = (name: string) => `.boulder/plans/${name}.md`
const WAVE = `${planOf("Write a.txt").replace("[ ]", "[x]")}
## Final Verification Wave

- [ ] F1. Read it
`
const QUESTION = {
  name: "question",
  args: {
    questions: [
      {
        question: "F1 has found nothing. Is it done?",
        header: "Final wave",
        options: ["Approve", "Not yet"].map((label) => ({ label, description: label })),
        multiple: false,
      },
    ],
  },
}

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: {
      ...Object.fromEntries(["yes", "no", "message"].map((name) => [pathOf(name), WAVE])),
      ...Object.fromEntries(
        ["long", "heir", "esc"].map((name) => [pathOf(name), planOf("Write a.txt", "Write b.txt")]),
      ),
      [pathOf("again")]: WAVE,
    },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    permission: { bash: "ask" },
  })
})
afterAll(() => host.stop())

const tickRow = (name: string): Reply => {
  const filePath = `${host.project}/${pathOf(name)}`
  return {
    toolCalls: [
      { name: "edit", args: { filePath, oldString: "- [ ] F1.", newString: "- [x] F1." } },
    ],
  }
}

/** Delegates the one row, and asks its user for the approval; gives the question's id. */
async function askedFor(name: string): Promise<{ session: string; question: string }> {
  host.model.use(
    roles({
      lead: ({ stepOfTurn, lastUserText, allText }) => {
        if (lastUserText.includes("Start the plan"))
          return stepOfTurn === 0
            ? { toolCalls: [delegate("final-wave:f1")] }
            : stepOfTurn === 1
              ? { toolCalls: [QUESTION] }
              : { text: "asked" }
        return lastUserText.includes("has approved") && stepOfTurn === 0 && allText() !== ""
          ? tickRow(name)
          : { text: "over" }
      },
      child: () => ({ text: "VERDICT: APPROVE" }),
    }),
  )
  const session = await host.createSession()
  void host.command(session, "start-work", name).catch(() => undefined)
  const { id } = await openOne(host.questions, "the question")
  return { session, question: id }
}

/** Waits for what the host has open, and gives the one. */
async function openOne<Open>(asked: () => Promise<readonly Open[]>, what: string): Promise<Open> {
  const [one] = await host.waitFor(
    async () => {
      const open = await asked()
      return open.length > 0 ? open : null
    },
    { what },
  )
  if (one === undefined) throw new Error(`${what} is gone`)
  return one
}

test("13a: a child of lead A that lead B resumes is B's: its permission is waited for, its rejection pauses", async () => {
  host.model.use(
    roles({
      lead: ({ lastUserText, stepOfTurn }) =>
        lastUserText.includes("Start the plan") && stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1")] }
          : { text: "over" },
    }),
  )
  const first = await host.createSession()
  await host.command(first, "start-work", "heir")
  await host.command(first, "stop-work", "heir")
  const [child] = await host.children(first)
  const task_id = child?.id ?? ""
  const ask = { name: "bash", args: { command: "true", description: "try" } }
  host.model.use(
    roles({
      lead: ({ stepOfTurn, allText }) =>
        stepOfTurn === 0 && !allText().includes("HEIR")
          ? { text: "HEIR", toolCalls: [delegate("todo:1", { task_id })] }
          : { text: "over" },
      child: ({ stepOfTurn }) => (stepOfTurn === 0 ? { toolCalls: [ask] } : { text: "done" }),
    }),
  )
  const second = await host.createSession()
  void host.command(second, "start-work", "heir").catch(() => undefined)
  const permission = await openOne(host.permissions, "the child's permission")
  expect(permission.sessionID).toBe(task_id)
  expect(workOn(host, "heir")).toMatchObject({ status: "active", lead_session_id: second })
  await host.replyPermission(permission.id, "reject")
  await untilWork(host, "heir", "rejected-by-user")
  await host.waitIdle(second)
  expect(reasonsOf(host, second)).toEqual(["resume by-command", "pause rejected-by-user"])
})

test("13d: a completed work that is started again begins without the old approval", async () => {
  const { question } = await askedFor("again")
  await host.replyQuestion(question, [["Approve"]])
  await untilWork(host, "again", "completed")
  const plan = host.readFile(pathOf("again"))
  const more = plan.replace("- [x] 1. Write a.txt", "- [x] 1. Write a.txt\n- [ ] 2. Write b.txt")
  host.writeFile(pathOf("again"), more.replace("- [x] F1.", "- [ ] F1."))
  host.model.use(roles({ lead: () => ({ text: "over" }) }))
  const session = await host.createSession()
  await host.command(session, "start-work", "again")
  const told = host.model.mainRequests(session)[0]?.lastUserText ?? ""
  expect(told).toContain('- todo:2 "Write b.txt"')
  expect(told).not.toContain("has approved")
  expect(workOn(host, "again")).toMatchObject({ approved_wave: null, final_wave: {} })
  await untilWork(host, "again", "no-progress")
})

test("13i: a message right behind ESC is not paused over", async () => {
  host.model.use(roles({ lead: () => ({ text: "working", hang: true }) }))
  const session = await host.createSession()
  const turn = host.command(session, "start-work", "esc").catch(() => undefined)
  await host.waitFor(() => host.model.mainRequests(session).length === 1, { what: "its turn" })
  host.model.use(
    roles({
      lead: ({ lastUserText, stepOfTurn }) =>
        lastUserText.includes("tick") && stepOfTurn === 0
          ? { toolCalls: ["1", "2"].map((label) => tick(host, pathOf("esc"), label)) }
          : { text: "over" },
    }),
  )
  await host.abort(session)
  await host.promptAsync(session, "No, just tick both")
  await turn
  // One that is paused over is completed by no tick. Whether ESC was written down before the message came is nobody's matter:
  // `interleaved-look.test.ts` and `liveness.test.ts` put the message at each place where a look waits.
  await untilWork(host, "esc", "completed")
  // The look that waited for the stop to be old enough may rest behind it.
  const isEnded = () => reasonsOf(host, session).includes("finish plan-complete")
  await host.waitFor(isEnded, { what: "the end in the journal" })
})

test("13s: Approve to the question that names the wave approves it, while its turn runs", async () => {
  const { question } = await askedFor("yes")
  expect(workOn(host, "yes")?.awaiting_approval).toBeNull()
  await host.replyQuestion(question, [["Approve"]])
  const work = await untilWork(host, "yes", "completed")
  expect(work.approved_wave).not.toBeNull()
})

test("13e: Not yet approves nothing, nor does a message: the wave waits again behind its turn", async () => {
  const { session, question } = await askedFor("no")
  await host.replyQuestion(question, [["Not yet"]])
  await host.waitFor(() => workOn(host, "no")?.awaiting_approval ?? null, { what: "it waits" })
  const before = host.model.mainRequests(session).length
  await host.prompt(session, "what did F1 look at?")
  await host.waitIdle(session)
  await host.waitFor(() => workOn(host, "no")?.awaiting_approval ?? null, {
    what: "it waits again",
  })
  expect(workOn(host, "no")).toMatchObject({ status: "active", approved_wave: null })
  expect(host.model.mainRequests(session).length).toBe(before + 1)
  expect(reasonsOf(host, session).at(-1)).toBe("rest awaiting-approval")
})

test("13l: a question of the user's is answered to its end above the hard limit", async () => {
  const usage = { input: 95_000, output: 10 }
  const look = { name: "read", args: { filePath: `${host.project}/${pathOf("long")}` } }
  host.model.use(
    roles({
      lead: ({ stepOfTurn, lastUserText }) => {
        if (!lastUserText.includes("QUESTION")) return { text: "over" }
        return stepOfTurn < 2 ? { toolCalls: [look], usage } : { text: "THE ANSWER" }
      },
    }),
  )
  const session = await host.createSession()
  await host.command(session, "start-work", "long")
  await untilWork(host, "long", "no-progress")
  await host.prompt(session, "QUESTION: what is in the plan?")
  await host.waitIdle(session)
  const texts = host.model.mainRequests(session).map((request) => request.allText())
  expect(texts.join("\n")).not.toContain("hard limit")
  expect(texts.join("\n")).not.toContain("soft limit")
})
