import { describe, expect, test } from "bun:test"
import { tokenLimits } from "./token-limits.ts"

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
      is: [19_200, 28_800, true],
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
      is: [54_545, 90_000, true],
    },
    {
      name: "a number and a share",
      given: { soft: 20_000, hard: "80%" },
      context: 50_000,
      is: [20_000, 40_000, false],
    },
    {
      name: "a soft limit above the hard one is the hard one",
      given: { soft: 80_000, hard: 50_000 },
      context: 200_000,
      is: [50_000, 50_000, false],
    },
  ])("$name", ({ given, context, is }) => {
    const { soft, hard, scaled } = tokenLimits(given, context)
    expect([soft, hard, scaled]).toEqual([...is])
  })
})
