import { expect, test } from "bun:test"
import { nextStep } from "./heading-tasks.ts"

const step = (line: number, optional: boolean, state: "open" | "done" = "open") => ({
  line,
  title: "a",
  state,
  marker: "",
  optional,
})

test("the next step of a heading is its first required one, else its first of all", () => {
  const next = (...steps: ReturnType<typeof step>[]) => nextStep({ steps })?.line ?? null
  expect(next(step(1, true), step(2, false), step(3, false))).toBe(2)
  expect(next(step(1, true), step(2, true))).toBe(1)
  expect(next(step(1, true, "done"), step(2, true))).toBe(2)
  expect(next()).toBeNull()
})
