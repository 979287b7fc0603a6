import { describe, expect, test } from "bun:test"
import { compactsAt, tokenLimits } from "./token-limits.ts"

const DEFAULTS = { soft: 60_000, hard: 90_000 }

describe("the limits in force", () => {
  test.each([
    {
      name: "a large model takes them as they are",
      given: DEFAULTS,
      context: 200_000,
      is: [60_000, 90_000, false],
    },
    {
      name: "so does one that they just fit",
      given: DEFAULTS,
      context: 100_000,
      is: [60_000, 90_000, false],
    },
    {
      name: "a model not known yet takes them as they are",
      given: DEFAULTS,
      context: null,
      is: [60_000, 90_000, false],
    },
    {
      name: "a context of 0 is none that is known",
      given: DEFAULTS,
      context: 0,
      is: [60_000, 90_000, false],
    },
    {
      name: "a small model scales both down",
      given: DEFAULTS,
      context: 32_000,
      is: [21_600, 28_800, true],
    },
    {
      name: "shares are of the model's context",
      given: { soft: "50%", hard: "80%" },
      context: 200_000,
      is: [100_000, 160_000, false],
    },
    {
      name: "shares of a context not known yet are of 100,000",
      given: { soft: "50%", hard: "80%" },
      context: null,
      is: [50_000, 80_000, false],
    },
    {
      name: "a share above what can be used is scaled down",
      given: { soft: "60%", hard: "99%" },
      context: 100_000,
      is: [60_000, 90_000, true],
    },
    {
      name: "a number and a share",
      given: { soft: 20_000, hard: "80%" },
      context: 50_000,
      is: [20_000, 40_000, false],
    },
    {
      name: "a soft limit above the hard one leaves room below that",
      given: { soft: 80_000, hard: 50_000 },
      context: 200_000,
      is: [37_500, 50_000, false],
    },
    {
      name: "what the host keeps for the output cannot be used",
      given: DEFAULTS,
      context: 90_000,
      fullAt: 58_000,
      is: [39_150, 52_200, true],
    },
    {
      name: "a soft limit that stays well below keeps its number",
      given: DEFAULTS,
      context: 100_000,
      fullAt: 92_000,
      is: [60_000, 82_800, true],
    },
    {
      name: "a share is of the context all the same",
      given: { soft: "40%", hard: "60%" },
      context: 100_000,
      fullAt: 68_000,
      is: [40_000, 60_000, false],
    },
    {
      name: "an end of the host's own at 0 is none that is known",
      given: DEFAULTS,
      context: 200_000,
      fullAt: 0,
      is: [60_000, 90_000, false],
    },
  ])("$name", ({ given, context, fullAt = null, is }) => {
    const { soft, hard, scaled } = tokenLimits(given, context, fullAt)
    expect([soft, hard, scaled]).toEqual([...is])
    expect(soft).toBeLessThanOrEqual(hard)
  })
})

describe("limits that the context's beginning would reach at once count from there", () => {
  test.each([
    {
      name: "below three quarters of the soft limit nothing changes",
      base: 45_000,
      is: [60_000, 90_000],
    },
    { name: "what begins close to the soft limit", base: 50_000, is: [65_000, 95_000] },
    { name: "what begins above the hard limit", base: 100_000, is: [115_000, 145_000] },
    {
      name: "what leaves the hard limit no more than the model has",
      base: 150_000,
      is: [165_000, 180_000],
    },
    { name: "what leaves no room at all: no limit helps", base: 170_000, is: [60_000, 90_000] },
  ])("$name", ({ base, is }) => {
    const { soft, hard, base: told } = tokenLimits(DEFAULTS, 200_000, null, base)
    expect([soft, hard]).toEqual([...is])
    expect(told).toBe(soft === DEFAULTS.soft ? undefined : base)
  })
})

describe("where the host compacts by itself", () => {
  test.each([
    { name: "what the output leaves", limits: { context: 100_000, output: 8_000 }, is: 92_000 },
    { name: "of a large output 32,000", limits: { context: 200_000, output: 64_000 }, is: 168_000 },
    {
      name: "an input with a limit of its own",
      limits: { context: 400_000, input: 272_000, output: 128_000 },
      is: 252_000,
    },
    { name: "no output known", limits: { context: 100_000 }, is: 100_000 },
    { name: "nothing known", limits: { context: 0 }, is: 0 },
  ])("$name", ({ limits, is }) => {
    expect(compactsAt(limits)).toBe(is)
  })
})
