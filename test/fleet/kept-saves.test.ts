import { describe, expect, test } from "bun:test"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { keptIn, lead, other, saying, sharedPostgres, until } from "../support/fleet-machines.ts"
import { aHandoff } from "../support/handoff-builders.ts"
import { withDesk } from "../support/handoff-scene.ts"

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

test("a kept save that can never be sent is set aside and told of once; those behind it are sent", () => {
  const told: string[] = []
  return withDesk(
    async ({ desk, root }) => {
      await server.kill()
      for (const summary of ["one", "two"])
        await desk.save(other(`ses_${summary}`), saying("blocked", summary, summary))
      const [first = ""] = (await keptIn(root)).sort()
      const path = join(root, ".boulder/handoffs/away", first)
      const text = (await readFile(path, "utf8")).replace("ses_one", "no session")
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
})

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
