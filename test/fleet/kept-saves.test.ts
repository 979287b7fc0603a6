import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { answerCall } from "../../src/mcp/handoff-answer.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { keptIn, lead, other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { aHandoff } from "../support/handoff-builders.ts"
import { withDesk } from "../support/handoff-scene.ts"
import { withFolder } from "../support/store-folder.ts"

const server = sharedPostgres()
const { machine, seen } = server

describe("what a database cannot hold stops nobody", () => {
  test.each([
    { what: "NUL", text: "a\u0000b", is: "a\ufffdb" },
    { what: "half a pair of surrogates", text: "a\ud800b", is: "a\ufffdb" },
    { what: "the same as escapes, and whole pairs", text: "\\u0000 \\ud800 😀\n", is: null },
  ])("$what in a save, sent at once and kept", ({ text, is }) =>
    withDesk(
      async ({ desk, root }) => {
        // A save does not wait for a first connection of a busy machine.
        await desk.open("build")
        const named = { ...saying("blocked", text, text), reason: text }
        expect(await desk.save(other("ses_a"), named)).not.toHaveProperty("kept")
        await server.kill()
        await desk.save(other("ses_b"), saying("blocked", "todo:1", text))
        await desk.save(other("ses_c"), saying("blocked", "the importer", "clean"))
        await server.start()
        await until(async () => (await keptIn(root)).length === 0)
        expect(await seen()).toEqual([is ?? text, is ?? text, "clean"].sort())
      },
      { handoffs: machine() },
    ),
  )

  test("a record that it refuses is an error of that save alone", async () => {
    const store = machine()(Date.now)
    const { create } = store
    const made = aHandoff({ scope: { project: "team", agent: "build" } })
    await expect(create(() => ({ ...made, summary: "a\u0000b" }))).rejects.toThrow(
      "Expected a record that the database can hold",
    )
    expect(await create(() => made)).toMatchObject({ id: made.id })
  })
})

test.each([
  { what: "of no session", found: '"ses_one"', damaged: '"no session"' },
  { what: "of no scope", found: '"scope":"team"', damaged: '"scope":""' },
])(
  "a kept save $what can never be sent: it is set aside and told of once; those behind it are sent",
  ({ found, damaged }) => {
    const told: string[] = []
    return withDesk(
      async ({ desk, root }) => {
        await server.kill()
        for (const summary of ["one", "two"])
          await desk.save(other(`ses_${summary}`), saying("blocked", summary, summary))
        const [first = ""] = (await keptIn(root)).sort()
        const path = join(root, ".boulder/handoffs/away", first)
        const text = (await readFile(path, "utf8")).replace(found, damaged)
        await writeFile(path, text)
        await server.start()
        await until(async () => (await keptIn(root)).length === 0)
        expect(await seen()).toEqual(["two"])
        const aside = join(root, ".boulder/handoffs/set-aside")
        expect(await readdir(aside)).toEqual([first])
        expect(await readFile(join(aside, first), "utf8")).toBe(text)
        expect(told).toEqual([expect.stringContaining(`.boulder/handoffs/set-aside/${first}`)])
      },
      { handoffs: machine(), tell: (line) => void told.push(line) },
    )
  },
)

test("a name as long as may be, whose task is gone when it is sent, is sent all the same", () =>
  withDesk(
    async ({ desk, root, setPlan }) => {
      await server.kill()
      await desk.save(lead, saying("blocked", `todo:1 ${"x".repeat(495)}`, "one"))
      await desk.save(other("ses_b"), saying("blocked", "the importer", "two"))
      await setPlan("## TODOs\n\n- [ ] 9. Something else\n")
      await server.start()
      await until(async () => (await keptIn(root)).length === 0)
      expect(await seen()).toEqual(["one", "two"])
    },
    { handoffs: machine() },
  ))

test("a task blocked, then completed by its id, both while away, is done in the plan and settled", () =>
  withDesk(
    async ({ desk, plan, root }) => {
      await server.kill()
      const first = await desk.save(lead, saying("blocked", "todo:1"))
      const id = first.kind === "saved" ? first.handoff.id : ""
      expect(await plan()).toContain("- [~] 1. Add the login form")
      await desk.save(lead, saying("complete", id))
      expect(await plan()).toContain("- [x] 1. Add the login form")
      await server.start()
      await until(async () => (await keptIn(root)).length === 0)
      expect(await seen()).toEqual([])
    },
    { handoffs: machine() },
  ))

test("a task that was marked when its save was kept is not marked again when it is sent", () =>
  withDesk(
    async ({ desk, plan, setPlan, root }) => {
      await server.kill()
      await desk.save(lead, saying("complete", "todo:1"))
      const done = await plan()
      await setPlan(done.replace("- [x] 1.", "- [ ] 1."))
      await server.start()
      await until(async () => (await keptIn(root)).length === 0)
      expect(await plan()).toContain("- [ ] 1. Add the login form")
    },
    { handoffs: machine() },
  ))

test("while away a list answers without what was completed meanwhile, and an agent over MCP saves", () =>
  withDesk(
    async ({ desk, store, now, root }) => {
      await desk.save(lead, saying("blocked", "todo:1"))
      await desk.save(other("ses_b"), saying("blocked", "the exporter", "waits"))
      await server.kill()
      // A dead server's children may still answer once.
      await until(async () => (await desk.open("build")).old !== undefined)
      await desk.save(lead, saying("complete", "todo:1"))
      const { handoffs, old } = await desk.open("build")
      expect(handoffs.map(({ summary }) => summary)).toEqual(["waits"])
      expect(old).toContain("the database of the handoffs")
      const given = {
        summary: "stuck",
        status: "blocked",
        blocked_reason: "no key",
        task: "importer",
      }
      const needs = { desk, store, now, sessionId: "mcp_a", agent: "build" }
      expect(await answerCall(needs, "save_task_progress", given)).toMatchObject({ refused: false })
      expect(await keptIn(root)).toHaveLength(2)
    },
    { handoffs: machine() },
  ))

test("what a process kept that has ended is sent by the first reading of the next one", () =>
  withDesk(
    async ({ desk: ended, root }) => {
      await server.kill()
      await ended.save(lead, saying("blocked", "the importer", "kept"))
      const [name = ""] = await keptIn(root)
      const text = await readFile(join(root, ".boulder/handoffs/away", name), "utf8")
      await withDesk(
        async ({ desk, root: folder }) => {
          const away = join(folder, ".boulder/handoffs/away")
          await mkdir(away, { recursive: true })
          await writeFile(join(away, name), text)
          expect((await desk.open("build")).old).toBeDefined()
          expect(await keptIn(folder)).toEqual([name])
          await rm(join(root, ".boulder/handoffs/away", name))
          await server.start()
          await desk.open("build")
          await until(async () => (await keptIn(folder)).length === 0)
          expect(await seen()).toEqual(["kept"])
        },
        { handoffs: machine() },
      )
    },
    { handoffs: machine() },
  ))

describe("several processes of one folder", () => {
  const record = async () => {
    const { handoffs } = await machine()(Date.now).open()
    return handoffs.map(({ summary, history }) => [...history.map((one) => one.summary), summary])
  }

  test("what one keeps is sent by another that had nothing to send, before its own save", () =>
    withDesk(
      async ({ desk: one, another, root }) => {
        const two = another()
        await two.save(lead, saying("blocked", "todo:2", "before"))
        await server.kill()
        await one.save(lead, saying("blocked", "todo:1", "first"))
        await server.start()
        await two.save(lead, saying("blocked", "todo:1", "second"))
        await until(async () => (await keptIn(root)).length === 0)
        expect((await record()).sort()).toEqual([["before"], ["first", "second"]])
      },
      { handoffs: machine() },
    ))

  test("what they all send at once is there once, and in order", () =>
    withDesk(
      async ({ desk: one, another, root }) => {
        const names = Array.from({ length: 12 }, (_, index) => `save ${index}`)
        await server.kill()
        for (const name of names) await one.save(lead, saying("blocked", "todo:1", name))
        expect(await keptIn(root)).toHaveLength(names.length)
        await server.start()
        await Promise.all([another(), another(), another()].map((desk) => desk.open("build")))
        await until(async () => (await keptIn(root)).length === 0)
        expect(await record()).toEqual([names])
      },
      { handoffs: machine() },
    ))

  test("a save goes into the scope that it was kept under, whatever the scope of who sends it", () =>
    withDesk(
      async ({ desk: one, another, root }) => {
        await server.kill()
        await one.save(lead, saying("blocked", "todo:1", "kept"))
        await server.start()
        const two = another({ handoffs: machine("another team") })
        await two.save(lead, saying("blocked", "todo:2", "later"))
        await until(async () => (await keptIn(root)).length === 0)
        expect(await seen()).toEqual(["kept"])
        expect(await seen("another team")).toEqual(["later"])
        expect((await two.open("build")).handoffs.map(({ summary }) => summary)).toEqual(["later"])
      },
      { handoffs: machine() },
    ))

  test("a save goes into the record that it was about where it was kept, whatever the options of who sends it", () =>
    withDesk(
      async ({ desk: one, another, root }) => {
        await one.save({ ...lead, agent: "plan" }, saying("blocked", "todo:1", "first"))
        await server.kill()
        await one.save(lead, saying("blocked", "todo:1", "second"))
        await server.start()
        await another({ byAgent: true }).open("build")
        await until(async () => (await keptIn(root)).length === 0)
        expect(await record()).toEqual([["first", "second"]])
      },
      { handoffs: machine() },
    ))
})

test("a command line that can ask nobody does not say that nothing waits", () =>
  withFolder(async (root) => {
    await writeFile(join(root, "url"), "postgres://boulder:pw@127.0.0.1:1/boulder")
    const handoffs = { store: "postgres", url: "file:url", scope: "team" }
    const plugin = [["opencode-boulder", { handoffs }]]
    await writeFile(join(root, "opencode.json"), JSON.stringify({ plugin }))
    const { out, err } = await runInFolder(root, "handoffs --all")
    expect(out).toBe("What waits is not known: the database of the handoffs could not be asked.\n")
    expect(err).toContain("This list may be old. Expected the database of the handoffs to answer")
    const json = await runInFolder(root, "handoffs --all --json")
    expect(JSON.parse(json.out)).toMatchObject({ handoffs: [], old: true })
  }))
