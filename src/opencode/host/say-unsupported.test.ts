import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test"
import process from "node:process"
import contexts from "../../../test/fixtures/hosts/setup-contexts.json" with { type: "json" }
import { type SetupContext, sayUnsupported } from "./say-unsupported.ts"

/**
 * What hosts pass to `setup`. That of opencode 1 and of Kilo was recorded in the real ones, and `entry.test.ts` holds it to them. That of
 * OpenCode 2 is written down from the types of `@opencode/plugin` 2.0.16, and nothing of it has run in a release: the npm registry has no
 * package of OpenCode 2 (looked on 2026-11-22: docs/OPENCODE-2.md).
 */
const { recorded, declared } = contexts

interface Command {
  readonly name: string
  readonly execute: (called: { sessionID: string }) => Promise<void>
}

const printed: string[] = []
const stderr = spyOn(process.stderr, "write").mockImplementation((text) => {
  printed.push(String(text))
  return true
})
afterEach(() => {
  printed.length = 0
})
afterAll(() => stderr.mockRestore())

/** A context of this shape, whose functions record that they were called, and with what. */
function aContext(shape: object, answers: Readonly<Record<string, unknown>> = {}) {
  const calls: { readonly path: string; readonly given: unknown }[] = []
  const commands: Command[] = []
  const madeOf = (part: unknown, path: string): unknown => {
    if (part === "function")
      return async (given: unknown) => {
        calls.push({ path, given })
        if (path === ".command.transform" && typeof given === "function")
          given(answers["editor"] ?? { add: (command: Command) => commands.push(command) })
      }
    if (typeof part !== "object" || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, madeOf(inner, `${path}.${name}`)]),
    )
  }
  return { ctx: Object(madeOf(shape, "")) as SetupContext, calls, commands }
}

describe.each(Object.entries(recorded))("the setup of %s, beside server", (_, shape) => {
  test("does nothing and says nothing", async () => {
    const { ctx, calls } = aContext(shape)
    expect(await sayUnsupported(ctx)).toBeUndefined()
    expect(calls).toEqual([])
    expect(printed).toEqual([])
  })
})

describe.each(Object.entries(declared))("the setup of OpenCode %s", (_, shape) => {
  const line = /^opencode-boulder does not support OpenCode 2 yet: .+ Use it with OpenCode 1 \(/

  test("adds the one command, and logs why", async () => {
    const { ctx, calls, commands } = aContext(shape)
    await sayUnsupported(ctx)
    expect(calls.map(({ path }) => path)).toEqual([".command.transform"])
    expect(commands.map(({ name }) => name)).toEqual(["start-work"])
    expect(printed.join("")).toMatch(line)
  })
  test("the command answers in one line that wakes no model", async () => {
    const { ctx, calls, commands } = aContext(shape)
    await sayUnsupported(ctx)
    await commands[0]?.execute({ sessionID: "ses_a" })
    const said = calls.at(-1)
    const text = expect.stringMatching(line)
    expect(said?.path).toBe(".session.synthetic")
    expect(said?.given).toEqual({ sessionID: "ses_a", text, description: text, resume: false })
    expect(printed).toHaveLength(2)
    expect(printed.every((one) => one.split("\n").length === 2)).toBe(true)
  })
  test("one whose editor adds no commands is told in the log alone", async () => {
    const { ctx } = aContext(shape, { editor: { update: () => undefined } })
    await sayUnsupported(ctx)
    expect(printed).toHaveLength(1)
  })
  test.each([{ part: "tool" }, { part: "session" }, { part: "event" }])(
    "a context without $part is none of it",
    async ({ part }) => {
      const { [part]: _, ...rest } = shape as Record<string, unknown>
      const { ctx, calls } = aContext(rest)
      await sayUnsupported(ctx)
      expect(calls).toEqual([])
    },
  )
})

const nothing = () => undefined
const throwing = () => {
  throw new Error("not ready")
}

describe("what is no context of OpenCode 2", () => {
  test.each([
    { name: "nothing", ctx: undefined },
    { name: "null", ctx: null },
    { name: "a text", ctx: "x" },
    { name: "null for each part", ctx: { tool: null, session: null, event: null } },
    { name: "a getter that throws", ctx: Object.defineProperty({}, "tool", { get: throwing }) },
    { name: "a proxy that throws", ctx: new Proxy({}, { get: throwing }) },
    {
      name: "hooks that are no functions",
      ctx: { tool: { hook: true }, session: { hook: {} }, event: { subscribe: 1 } },
    },
  ])("$name: nothing is done", async ({ ctx }) => {
    expect(await sayUnsupported(ctx as SetupContext)).toBeUndefined()
    expect(printed).toEqual([])
  })
})

describe("an OpenCode 2 that does not do as it says is told in its log, and kept waiting no longer", () => {
  const ofTwo = (more: object) =>
    ({
      tool: { hook: nothing },
      session: { hook: nothing },
      event: { subscribe: nothing },
      ...more,
    }) as SetupContext
  const given = (editor: unknown) => ({
    transform: async (edit: (editor: never) => void) => edit(editor as never),
  })
  test.each([
    { name: "no commands", command: undefined },
    { name: "commands that throw", command: { transform: throwing } },
    { name: "commands that reject", command: { transform: async () => throwing() } },
    { name: "an add that throws", command: given({ add: throwing }) },
    { name: "no editor", command: given(undefined) },
    { name: "commands that never answer", command: { transform: () => new Promise(nothing) } },
  ])("$name", async ({ command }) => {
    expect(await sayUnsupported(ofTwo({ command }))).toBeUndefined()
    expect(printed).toHaveLength(1)
  })
  test.each([
    { name: "no messages", synthetic: undefined },
    { name: "messages that throw", synthetic: throwing },
    { name: "messages that never answer", synthetic: () => new Promise(nothing) },
  ])("$name, at the command", async ({ synthetic }) => {
    const commands: Command[] = []
    const command = given({ add: (one: Command) => commands.push(one) })
    await sayUnsupported(ofTwo({ command, session: { hook: nothing, synthetic } }))
    expect(await commands[0]?.execute({ sessionID: "ses_a" })).toBeUndefined()
    expect(printed).toHaveLength(2)
  })
})
