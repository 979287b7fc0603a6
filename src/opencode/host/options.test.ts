import { describe, expect, test } from "bun:test"
import { limitsOf, optionsSchema, readOptions } from "./options.ts"

const defaults = optionsSchema.parse({})

describe("without options the defaults are in force", () => {
  test.each([
    { name: "none at all", given: undefined },
    { name: "null", given: null },
    { name: "an empty object", given: {} },
    { name: "empty groups", given: { long_run: {}, continuation: {} } },
  ])("$name", ({ given }) => {
    expect(readOptions(given)).toEqual({ options: defaults, problems: [] })
  })
  test("and they are those of OPTIONS.md", () => {
    expect(defaults).toMatchObject({
      reuse: "hint",
      orchestrator_writes: "warn",
      long_run: { window_size: 3 },
    })
    expect(limitsOf(defaults)).toEqual({
      maxPerWork: 200,
      maxPerHour: 30,
      maxTokens: null,
      maxUsd: null,
      noProgressTurns: 2,
      cooldownMs: 5_000,
      backoffMs: 5_000,
      pauseAfterFailures: 10,
      waitForLimits: "day",
      blockerSkip: true,
    })
  })
})

describe("options that are right", () => {
  test("take the place of their defaults and leave the others", () => {
    const { options, problems } = readOptions({
      reuse: "auto",
      long_run: { window_size: 10 },
      continuation: { cooldown_seconds: 0 },
    })
    expect(problems).toEqual([])
    expect(options).toMatchObject({ reuse: "auto", orchestrator_writes: "warn" })
    expect(options.long_run.window_size).toBe(10)
    for (const [soft, hard] of [
      [50_000, 50_000],
      ["60%", 50_000],
      [9_000, "9%"],
      [undefined, 50_000],
    ]) {
      const limits = { token_soft_limit: soft, token_hard_limit: hard }
      expect(readOptions({ long_run: limits }).problems).toEqual([])
    }
    expect(limitsOf(options)).toMatchObject({ cooldownMs: 0, maxPerWork: 200 })
  })
})

describe("a wrong option is named, with what was expected and what was found", () => {
  test.each([
    {
      name: "a word that is none of the choices",
      given: { reuse: "always" },
      words: ["reuse", '"hint"', '"auto"', '"off"', '"always"'],
    },
    {
      name: "a number for a word",
      given: { orchestrator_writes: 1 },
      words: ["orchestrator_writes", '"warn"', "found 1"],
    },
    {
      name: "text for a number",
      given: { long_run: { window_size: "3" } },
      words: ["long_run.window_size", "number", 'found "3"'],
    },
    {
      name: "a soft limit above the hard one's default",
      given: { long_run: { token_soft_limit: 95_000 } },
      words: ["token_soft_limit", "at most token_hard_limit (90000)", "found 95000"],
    },
    {
      name: "a number too large",
      given: { long_run: { window_size: 11 } },
      words: ["long_run.window_size", "10", "found 11"],
    },
    {
      name: "a number too small",
      given: { long_run: { window_size: 0 } },
      words: ["long_run.window_size", "1", "found 0"],
    },
    {
      name: "half a number",
      given: { continuation: { max_per_hour: 1.5 } },
      words: ["continuation.max_per_hour", "a whole number", "found 1.5"],
    },
    {
      name: "a negative time",
      given: { continuation: { cooldown_seconds: -1 } },
      words: ["continuation.cooldown_seconds", "0", "found -1"],
    },
    {
      name: "text for a group",
      given: { long_run: "on" },
      words: ["long_run", "object", 'found "on"'],
    },
    {
      name: "null for a group",
      given: { continuation: null },
      words: ["continuation", "object", "found null"],
    },
    { name: "text for all", given: "fast", words: ["options", "object", 'found "fast"'] },
    { name: "a list for all", given: ["fast"], words: ["options", "object", 'found ["fast"]'] },
    {
      name: "an option that there is not",
      given: { windw: 3 },
      words: ["windw is not known", "reuse", "It has no effect."],
    },
    {
      name: "one in a group that there is not",
      given: { long_run: { windw_size: 3 } },
      words: ["long_run.windw_size is not known", "window_size", "It has no effect."],
    },
  ])("$name", ({ given, words }) => {
    const { options, problems } = readOptions(given)
    expect(options).toEqual(defaults)
    expect(problems).toHaveLength(1)
    for (const word of words) expect(problems[0]).toContain(word)
    expect(problems[0]).toContain("expected")
    expect(problems[0]).toStartWith("Option ")
    const isUnknown = problems[0]?.includes("is not known") === true
    expect(problems[0]).toContain(isUnknown ? "no effect" : "Its default is used.")
    expect(problems[0]).not.toMatch(/Invalid|Too (small|big)|received|>=|<=|pattern/)
  })
  test.each([
    { given: { reuse: "x" }, says: 'Option reuse: expected "hint", "auto" or "off"; found "x".' },
    {
      given: { continuation: { max_per_hour: "many" } },
      says: 'Option continuation.max_per_hour: expected a number; found "many".',
    },
    {
      given: { continuation: { cooldown_seconds: -1 } },
      says: "Option continuation.cooldown_seconds: expected a number of at least 0; found -1.",
    },
    {
      given: { long_run: { token_soft_limit: "x" } },
      says: 'Option long_run.token_soft_limit: expected a share such as 60%; found "x".',
    },
    {
      given: { long_run: { enabled: 1 } },
      says: "Option long_run.enabled: expected true or false; found 1.",
    },
    {
      given: { notify: { command: "x" } },
      says: 'Option notify.command: expected a list; found "x".',
    },
  ])("in our own words: $says", ({ given, says }) => {
    expect(readOptions(given).problems).toEqual([`${says} Its default is used.`])
  })
  test("13x: only the wrong one falls back, the others hold", () => {
    const { options, problems } = readOptions({
      reuse: "auto",
      windw: 3,
      long_run: { window_size: "3", shard_size: 15, token_soft_limit: 95_000 },
      continuation: { cooldown_seconds: 0, max_per_hour: -1 },
      handoff: "none",
    })
    expect(problems).toHaveLength(5)
    const { long_run, continuation } = defaults
    expect(options).toEqual({
      ...defaults,
      reuse: "auto",
      long_run: { ...long_run, shard_size: 15 },
      continuation: { ...continuation, cooldown_seconds: 0 },
    })
  })
  test.each([
    { soft: 80_000, hard: 50_000 },
    { soft: "60%", hard: "50%" },
  ])("of $soft and $hard the soft limit is wrong, and it alone", ({ soft, hard }) => {
    const limits = { token_soft_limit: soft, token_hard_limit: hard }
    const { options, problems } = readOptions({ long_run: { ...limits, window_size: 5 } })
    expect(problems).toEqual([
      `Option long_run.token_soft_limit: expected at most token_hard_limit (${hard}); found ${JSON.stringify(soft)}. Its default is used.`,
    ])
    expect(options.long_run).toEqual({
      ...defaults.long_run,
      window_size: 5,
      token_hard_limit: hard,
    })
  })
  test("a list goes with what is wrong in it, which is one message", () => {
    const { options, problems } = readOptions({ notify: { on: ["pause", "x"], command: ["a"] } })
    expect(problems).toHaveLength(1)
    expect(options.notify).toEqual({ ...defaults.notify, command: ["a"] })
  })
  test("two wrong options are two messages", () => {
    expect(readOptions({ reuse: 1, long_run: { window_size: 99 } }).problems).toHaveLength(2)
    expect(readOptions({ a: 1, b: 2 }).problems).toHaveLength(2)
  })
  test("a message stays short, whatever was found", () => {
    const [problem] = readOptions({ reuse: "x".repeat(100_000) }).problems
    expect(problem?.length ?? 0).toBeLessThan(400)
  })
})

describe("every option is described", () => {
  test("with its default", () => {
    const groups = [optionsSchema.shape.long_run, optionsSchema.shape.continuation]
    const fields = groups.flatMap((group) => Object.values(group.unwrap().shape))
    const all = [optionsSchema.shape.reuse, optionsSchema.shape.orchestrator_writes, ...fields]
    expect(all.filter((field) => (field.description ?? "") === "")).toEqual([])
  })
})
