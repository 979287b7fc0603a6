import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { runInFolder } from "../support/cli-in-process.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import { isPrinted, openRunProject } from "../support/run-project.ts"
import type { Reply } from "../support/scripted-model.ts"
import { untilWork } from "../support/work-on-disk.ts"

const plan = (name: string) => `.boulder/plans/${name}.md`
const asking: Reply = {
  toolCalls: [
    {
      name: "question",
      args: {
        questions: [
          {
            question: "Which database?",
            header: "Database",
            options: [
              { label: "Postgres", description: "as now" },
              { label: "SQLite", description: "a file" },
            ],
            multiple: false,
          },
        ],
      },
    },
  ],
}
const touching: Reply = {
  toolCalls: [{ name: "bash", args: { command: "touch made", description: "make it" } }],
}

describe("from another terminal", () => {
  let host: OpencodeHost
  beforeAll(async () => {
    host = await startHost({
      files: {
        "packages/web/a.txt": "a",
        ...Object.fromEntries(
          ["choice", "yes", "no", "none", "below"].map((name) => [plan(name), planOf("Write a")]),
        ),
      },
      pluginOptions: { continuation: { cooldown_seconds: 0, no_progress_turns: 1 } },
      permission: { bash: "ask" },
    })
  })
  afterAll(() => host.stop())
  /** A lead whose first step in a new session is this. */
  const first = (reply: Reply) =>
    roles({
      lead: ({ sessionId }) =>
        host.model.mainRequests(sessionId).length === 1 ? reply : { text: "over" },
    })
  const answer = (args: string) =>
    runInFolder(host.project, `answer ${args} --attach ${host.url}`.replace("  ", " "))

  test("a question is listed and answered by the number of a choice", async () => {
    host.model.use(first(asking))
    const session = await host.createSession()
    const turn = host.command(session, "start-work", "choice")
    const asked = await host.waitFor(async () => (await host.questions())[0])
    const { out } = await answer("")
    expect(out).toContain(`question ${asked.id} in session ${session}`)
    expect(out).toContain("Which database? (one of 1 Postgres, 2 SQLite)")
    expect(out).toContain(` answer ${asked.id} <choice> --attach ${host.url}\n`)
    await expect(answer(`${asked.id} 3`)).rejects.toThrow(
      "Expected one of 1 Postgres, 2 SQLite; found 3.",
    )
    await expect(answer(`${asked.id} --yes`)).rejects.toThrow("Expected a choice for a question")
    const { out: said } = await answer(`${asked.id} 2`)
    expect(said).toBe("Answered: Which database?\n")
    await turn
    expect(host.model.requests.some((request) => request.allText().includes("SQLite"))).toBe(true)
    expect((await answer("")).out).toBe(
      `Nothing of this project waits for an answer at ${host.url}.\n`,
    )
  }, 180_000)

  test("a permission is allowed with --yes", async () => {
    host.model.use(first(touching))
    const session = await host.createSession()
    const turn = host.command(session, "start-work", "yes")
    const asked = await host.waitFor(async () => (await host.permissions())[0])
    const { out } = await answer("")
    expect(out).toContain("bash touch made")
    await expect(answer(`${asked.id} 1`)).rejects.toThrow("Expected --yes, --always or --no")
    expect((await answer(`${asked.id} --yes`)).out).toBe("Allowed: bash touch made\n")
    await turn
    expect(host.hasFile("made")).toBe(true)
  }, 180_000)

  test("and rejected with --no, which stops the work as a refusal in opencode does", async () => {
    host.model.use(first(touching))
    const session = await host.createSession()
    const turn = host.command(session, "start-work", "no").catch(() => undefined)
    const asked = await host.waitFor(async () => (await host.permissions())[0])
    expect((await answer(`${asked.id} --no`)).out).toBe("Rejected: bash touch made\n")
    await turn
    await untilWork(host, "no", "rejected-by-user")
  }, 180_000)

  test("one of an opencode that was opened in a folder below the root is listed and answered, wherever that is done", async () => {
    host.model.use(first(asking))
    const directory = join(host.project, "packages/web")
    const client = createOpencodeClient({ baseUrl: host.url, directory })
    const { data } = await client.session.create({ body: { title: "below the root" } })
    const body = { command: "start-work", arguments: "below" }
    const turn = client.session.command({ path: { id: data?.id ?? "" }, body })
    const asked = await host.waitFor(async () => {
      const { out } = await answer("")
      return /question (\S+) in session/.exec(out)?.[1]
    })
    const there = await runInFolder(directory, `answer --attach ${host.url}`)
    expect(there.out).toContain(asked)
    expect((await answer(`${asked} 1`)).out).toBe("Answered: Which database?\n")
    await turn
    expect((await answer("")).out).toBe(
      `Nothing of this project waits for an answer at ${host.url}.\n`,
    )
  }, 180_000)

  test("what does not wait is refused; without a server it says what it needs", async () => {
    await expect(answer("que_1 1")).rejects.toThrow(
      `Expected que_1 to wait for an answer; found nothing that waits at ${host.url}.`,
    )
    const none = runInFolder(host.project, "answer que_1 1 --attach http://127.0.0.1:9")
    await expect(none).rejects.toThrow(
      /Expected opencode to answer at http:\/\/127\.0\.0\.1:9; found: .* A question can be answered while its opencode runs/,
    )
  })
})

describe("run --stay", () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  test("waits at a question until another terminal has answered, and goes on", async () => {
    const path = plan("demo")
    const { cli, spawnCli, env } = await openRunProject({ path, text: planOf("Write a") }, ends, {
      env: { OPENCODE_SERVER_PASSWORD: "the user's own" },
      script: roles({
        lead: ({ stepOfTurn }) => {
          if (stepOfTurn === 0) return asking
          if (stepOfTurn > 1) return { text: "over" }
          const edit = { filePath: path, oldString: "- [ ] 1.", newString: "- [x] 1." }
          return { toolCalls: [{ name: "edit", args: edit }] }
        },
      }),
    })
    expect(env["OPENCODE_SERVER_PASSWORD"]).toBe("the user's own")
    const { child, exit } = spawnCli("run", "demo", "--stay")
    const printed = await isPrinted(child, " answer que_")
    const url = /server started at (\S+)/.exec(printed)?.[1] ?? ""
    const id = /answer (que_\w+)/.exec(printed)?.[1] ?? ""
    expect(printed).toContain("waits for you (question): Which database?")
    expect(printed).toContain(` answer ${id} <choice> --attach ${url}\n`)
    const { code, out, err } = await cli("answer", id, "Postgres", "--attach", url)
    expect([code, err]).toEqual([0, ""])
    expect(out).toContain("Answered: Which database?")
    const ended = await exit
    expect(ended.out).toContain("Complete: 1/1 tasks settled.")
    expect(ended.code).toBe(0)
  }, 240_000)

  test("is refused without a password that both terminals know", async () => {
    const { cli } = await openRunProject({ path: plan("demo"), text: planOf("Write a") }, ends)
    const { code, err } = await cli("run", "demo", "--stay")
    expect(code).toBe(2)
    expect(err).toContain("Expected OPENCODE_SERVER_PASSWORD with --stay")
  })
})
