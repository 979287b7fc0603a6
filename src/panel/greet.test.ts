import { expect, test } from "bun:test"
import { greet } from "./greet.ts"

test("a version is greeted once, the next one again, with the plans that are there", async () => {
  const kept = new Map<string, unknown>()
  const said: string[] = []
  const host = {
    kv: {
      get: (key: string, otherwise: unknown) => kept.get(key) ?? otherwise,
      set: (key: string, value: unknown) => void kept.set(key, value),
    },
    say: (message: string) => void said.push(message),
  }
  await greet(host, "0.2.0", async () => 2)
  await greet(host, "0.2.0", async () => 2)
  await greet(host, "0.3.0", async () => 0)
  expect(said).toEqual([
    "opencode-boulder 0.2.0: /boulder-start starts a plan; 2 plans found",
    "opencode-boulder 0.3.0: /boulder-start starts a plan; no plan found yet",
  ])
})
