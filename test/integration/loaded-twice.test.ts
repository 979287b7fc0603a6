import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { REPO } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles } from "../support/plans.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

setDefaultTimeout(120_000)

let host: OpencodeHost | undefined
const copy = temporaryFolder("copy")
afterEach(() => host?.stop())

test("a plugin that is named twice works once, and says so", async () => {
  for (const name of ["dist", "package.json"])
    cpSync(join(REPO, name), join(copy, name), { recursive: true })
  const started = await startHost({
    files: { ".boulder/plans/p.md": planOf("Write a") },
    plugin: [`file://${REPO}`, `file://${copy}`].map(
      (name) => [name, { continuation: { cooldown_seconds: 0 } }] as const,
    ),
    script: roles({
      lead: ({ lastUserText, stepOfTurn }) => {
        const key = /- (\S+) "/.exec(lastUserText)?.[1]
        if (key === undefined || stepOfTurn > 1) return { text: "over" }
        if (stepOfTurn === 0) return { toolCalls: [delegate(key)] }
        const args = { summary: "did it", status: "complete", task: key }
        return { toolCalls: [{ name: "save_task_progress", args }] }
      },
    }),
  })
  host = started
  const session = await started.createSession()
  await started.command(session, "start-work", "p")
  const works = () => Object.values(started.boulder()?.works ?? {})
  await started.waitFor(() => works()[0]?.["status"] === "completed")
  const texts = started.model.mainRequests(session).map(({ lastUserText }) => lastUserText)
  expect(texts[0]).toContain("Start the plan p")
  const told = started.eventsOf("tui.toast.show").map((event) => JSON.stringify(event))
  expect(told.filter((toast) => toast.includes("is loaded twice"))).toHaveLength(1)
  const delegations = started.journal().filter(({ reason }) => reason === "task-named")
  expect(delegations).toHaveLength(1)
})
