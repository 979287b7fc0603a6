import { afterEach, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { orchestratorScript } from "../support/orchestrator.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"
import { reasonsOf, untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const WAVE = `${planOf("Write a.txt")}
## Final Verification Wave (MANDATORY, after all implementation tasks)

- [ ] F1. **Plan compliance audit**
- [ ] F2. **Code quality review**
`
const QUIET = { continuation: { cooldown_seconds: 0 } }

let host: OpencodeHost
afterEach(() => host.stop())

const verdict = (text: string) => ({ text })
const untilWaiting = () =>
  host.waitFor(() => workOn(host, "demo")?.awaiting_approval ?? null, { what: "the wave waits" })

test("the returned wave waits for the user, over a restart too, and ends in the turn in which they have it ticked (omo#3545)", async () => {
  host = await startHost({
    files: { [PLAN]: WAVE },
    pluginOptions: QUIET,
    script: orchestratorScript({ project: () => host.project, planPath: PLAN }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  const waiting = await untilWaiting()
  await host.restart()
  const requests = host.model.mainRequests(session).length
  await Bun.sleep(2_500)
  expect(host.model.mainRequests(session)).toHaveLength(requests)
  expect(workOn(host, "demo")?.awaiting_approval).toEqual(waiting)
  await host.prompt(session, "approved")
  const work = await untilWork(host, "demo", "completed")
  expect(work.approved_wave).toBeNull()
  expect(host.readFile(PLAN)).not.toContain("- [ ]")
})

test("a wave of more rows than the window has comes to its approval by a lead that leaves what it is told to leave", async () => {
  host = await startHost({
    files: {
      [PLAN]: `${WAVE.replace("- [ ] 1.", "- [x] 1.")}- [ ] F3. **Real manual QA**\n- [ ] F4. **Scope fidelity check**\n`,
    },
    pluginOptions: QUIET,
    script: roles({
      lead: ({ stepOfTurn, lastUserText }) => {
        if (stepOfTurn > 0) return { text: "over" }
        const shown = lastUserText.split("\n- ").slice(1)
        const keys = shown
          .filter((row) => !row.includes(": leave it"))
          .flatMap((row) => /^final-wave:f\d/.exec(row)?.[0] ?? [])
        return keys.length === 0
          ? { text: "nothing to do" }
          : { toolCalls: keys.map((key) => delegate(key)) }
      },
      child: () => verdict("VERDICT: APPROVE"),
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWaiting()
  expect(workOn(host, "demo")?.pause_reason).toBeNull()
})

test("a verdict of rejection is no approval: the row is worked on again, then the wave waits", async () => {
  const answers: Record<string, string[]> = {
    F2: ["VERDICT: REJECT tests are missing", "VERDICT: APPROVE"],
  }
  host = await startHost({
    files: { [PLAN]: WAVE.replace("- [ ] 1.", "- [x] 1.") },
    pluginOptions: QUIET,
    script: roles({
      lead: ({ stepOfTurn, lastUserText }) => {
        if (stepOfTurn > 0 || lastUserText.includes("exactly this")) return { text: "over" }
        const calls = ["f1", "f2"].filter((row) => lastUserText.includes(`final-wave:${row} `))
        return {
          toolCalls: calls.map((row) =>
            delegate(`final-wave:${row}`, { prompt: row.toUpperCase() }),
          ),
        }
      },
      child: ({ lastUserText }) =>
        verdict(answers[lastUserText.slice(0, 2)]?.shift() ?? "VERDICT: APPROVE"),
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWaiting()
  await host.waitFor(() => reasonsOf(host, session).length === 3, { what: "three decisions" })
  expect(reasonsOf(host, session)).toEqual([
    "turn-down review-rejected",
    "continue continue",
    "rest awaiting-approval",
  ])
  expect(workOn(host, "demo")?.final_wave["final-wave:f2"]?.verdict).toBe("pass")
  const prompts = host.model.mainRequests(session).map((request) => request.lastUserText)
  expect(prompts.at(-1)).toContain("final-wave:f2")
})

test("reuse auto resumes the recorded session by itself", async () => {
  host = await startHost({
    files: { [PLAN]: planOf("Write a.txt", "Write b.txt") },
    pluginOptions: { ...QUIET, reuse: "auto" },
    script: roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn < 2 ? { toolCalls: [delegate("todo:1")] } : { text: "over" },
      ),
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "no-progress")
  expect(await host.children(session)).toHaveLength(1)
  expect(workOn(host, "demo")?.task_sessions["todo:1"]?.attempts).toBe(2)
})

test("reuse off says nothing of sessions", async () => {
  host = await startHost({
    files: { [PLAN]: planOf("Write a.txt") },
    pluginOptions: { ...QUIET, reuse: "off" },
    script: roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:1")] } : { text: "over" },
      ),
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "no-progress")
  const seen = host.model.mainRequests(session).map((request) => request.allText())
  expect(seen.join("\n")).toContain("Result for todo:1")
  expect(seen.join("\n")).not.toContain("reuse session")
})
