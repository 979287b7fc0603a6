import { expect, test } from "bun:test"
import { config } from "zod"
import { z } from "./z.ts"

test("no form is compiled: one of an object asks for no function to be made of a text", () => {
  expect(config().jitless).toBe(true)
  expect(z.object({ a: z.string() }).safeParse({ a: "b" }).success).toBe(true)
})
