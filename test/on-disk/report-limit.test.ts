import { expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { LEAD } from "../support/builders.ts"
import { REPO } from "../support/host-version.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const never = () => new Promise<never>(() => undefined)
const fails = async () => {
  throw new Error("the disk is gone")
}

test.concurrent.each([
  { what: "a journal", mute: { journal: { append: never, readLast: never } } },
  { what: "a host's log", mute: { log: never } },
])("a hook that fails comes back, though $what never answers, and the other is told", ({ mute }) =>
  withFolder(async (root) => {
    const lines: string[] = []
    const journal: Shell["journal"] = {
      append: async ({ facts }) => void lines.push(`journal: ${facts["message"]}`),
      readLast: never,
    }
    const log: Shell["log"] = async (message) => void lines.push(`log: ${message}`)
    const plugin = openPlugin(root, {
      store: { read: fails, kept: () => null, update: fails, isNewest: fails },
      journal,
      log,
      ...mute,
    })
    await plugin.fallIdle(LEAD)
    expect(lines).toEqual([expect.stringContaining("the disk is gone")])
  }),
)

test("what neither journal nor log takes is on stderr, as one line that a terminal can show", async () => {
  const code = `
    import { REPO } from "../support/host-version.ts"
import { openPlugin } from "./test/support/plugin-in-process.ts"
    const fails = async () => { throw new Error("gone \\u001b]0;owned\\u0007\\nforged line\\u009b2J") }
    const journal = { append: fails, readLast: fails }
    await openPlugin("/nowhere", { store: { read: fails, kept: () => null, update: fails, isNewest: fails }, journal, log: fails }).fallIdle("${LEAD}")
  `
  const { stderr } = spawnSync(process.execPath, ["-e", code], { cwd: REPO, encoding: "utf8" })
  const lines = stderr.split("\n")
  expect(lines.pop()).toBe("")
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line).toMatch(/^opencode-boulder: .*: Error: gone /)
    expect(line).not.toMatch(/\p{Cc}/u)
  }
})

test("a named pipe as the journal holds up no hook, and the host's log is told", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder", "plans"), { recursive: true })
    await writeFile(join(root, ".boulder", "plans", "demo.md"), "- [ ] 1. One\n- [ ] 2. Two\n")
    spawnSync("sh", ["-c", 'mkfifo "$0"', join(root, ".boulder", "journal.jsonl")])
    const plugin = openPlugin(root)
    expect(await plugin.startWork(LEAD, ".boulder/plans/demo.md")).toContain("One")
    await plugin.fallIdle(LEAD)
    expect(plugin.logs.join("\n")).toContain("journal.jsonl to be a file; found a named pipe")
  }))
