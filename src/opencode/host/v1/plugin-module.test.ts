import { expect, test } from "bun:test"
import { holdFolder, hooksOfSpare, isBrief, pluginModule } from "./plugin-module.ts"

const PACKAGE = "file:///home/me/.cache/opencode/node_modules/opencode-boulder/dist/index.js"
const CHECKOUT = "file:///home/me/src/my%20code/opencode-boulder/dist/index.js"

test.each([
  { words: ["run", "-m", "a/b", "hello"], brief: true },
  { words: ["--print-logs", "run", "hello"], brief: true },
  { words: [], brief: false },
  { words: ["serve", "--port", "0"], brief: false },
  { words: ["serve"], env: { OPENCODE_BOULDER_RUN: "1" }, brief: true },
])(
  "a host called with $words ends with one prompt or one plan: $brief",
  ({ words, env = {}, brief }) => {
    expect(isBrief({ argv: ["bun", "/$bunfs/root/src/index.js", ...words], env })).toBe(brief)
  },
)

test("of two copies the first works in a folder, until it is disposed of", () => {
  const first = holdFolder("/one", PACKAGE)
  expect(first.other).toBeNull()
  expect(holdFolder("/one", CHECKOUT).other).toBe(PACKAGE)
  expect(holdFolder("/other", CHECKOUT).other).toBeNull()
  first.release()
  expect(holdFolder("/one", CHECKOUT).other).toBeNull()
})

test("a copy that is loaded again, by a host that tells nobody of an end, works", () => {
  holdFolder("/again", PACKAGE)
  expect(holdFolder("/again", PACKAGE).other).toBeNull()
})

test("the end of a copy that was loaded again since does not give its place to the other one", () => {
  const before = holdFolder("/connect", PACKAGE)
  holdFolder("/connect", PACKAGE)
  before.release()
  expect(holdFolder("/connect", CHECKOUT).other).toBe(PACKAGE)
})

test("a copy that cannot be opened leaves its folder to the other one", async () => {
  const { server } = pluginModule("opencode-boulder", () => Promise.reject(new Error("no root")))
  const input = { client: {}, worktree: "/broken", directory: "/broken" }
  await expect(server(input as never)).rejects.toThrow("no root")
  expect(holdFolder("/broken", CHECKOUT).other).toBeNull()
})

test("the other copy says so once, and does nothing else", async () => {
  const said: string[] = []
  const hooks = hooksOfSpare(PACKAGE, CHECKOUT, (message) => said.push(message))
  expect(Object.keys(hooks)).toEqual(["event"])
  const event = { event: { type: "server.connected" as const, properties: {} } }
  await hooks.event?.(event)
  await hooks.event?.(event)
  expect(said).toEqual([
    "opencode-boulder is loaded twice: /home/me/.cache/opencode/node_modules/opencode-boulder works, /home/me/src/my code/opencode-boulder does not. Name it once in your configuration: opencode-boulder doctor shows where it is named.",
  ])
})
