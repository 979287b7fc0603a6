import { afterAll, beforeAll, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles } from "../support/plans.ts"
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
      [pathOf("long")]: planOf("Write a.txt", "Write b.txt"),
    },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
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
  const [question] = await host.waitFor(
    async () => {
      const open = await host.questions()
      return open.length > 0 ? open : null
    },
    { what: "the question" },
  )
  return { session, question: question?.id ?? "" }
}

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
