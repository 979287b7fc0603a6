import { describe, expect, test } from "bun:test"
import { TimeLimitError, withinLimit } from "./time-limit.ts"

const never = new Promise<never>(() => {})

describe("a wait with an end", () => {
  test("gives the answer that comes in time", async () => {
    expect(await withinLimit(Promise.resolve("yes"), 1_000, "it")).toBe("yes")
  })
  test("passes on a refusal that comes in time", async () => {
    const refused = Promise.reject(new RangeError("no"))
    expect(withinLimit(refused, 1_000, "it")).rejects.toThrow(RangeError)
  })
  test("ends with an error of its own that names the call and the limit (omo PR #4092)", async () => {
    const late = withinLimit(never, 5, "session.status")
    await expect(late).rejects.toThrow(new TimeLimitError("session.status took over 5 ms"))
    await expect(withinLimit(never, 5, "it")).rejects.toBeInstanceOf(TimeLimitError)
  })
  test("a refusal that comes too late is no unhandled one", async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on("unhandledRejection", note)
    const late = Promise.withResolvers<never>()
    await expect(withinLimit(late.promise, 5, "it")).rejects.toBeInstanceOf(TimeLimitError)
    late.reject(new Error("late"))
    await new Promise((resolve) => setTimeout(resolve, 0))
    process.off("unhandledRejection", note)
    expect(unhandled).toEqual([])
  })
})
