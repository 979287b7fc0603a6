import { expect, test } from "bun:test"
import { HANDOFF_ID, HOLDER_ID } from "../boulder/handoff.ts"
import { newHandoffId, newHolderId } from "./handoff-id.ts"

test("an id is `hnd_` and at least 12 random letters of base 62, each as likely as any other", () => {
  const ids = Array.from({ length: 2_000 }, newHandoffId)
  for (const id of ids) expect(id).toMatch(HANDOFF_ID)
  expect(new Set(ids).size).toBe(ids.length)
  const letters = ids.flatMap((id) => [...id.slice(4)])
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 516 are expected of each; one in 10^15 runs is ten standard deviations off.
  for (const count of counts.values()) expect(Math.abs(count - 516)).toBeLessThan(230)
})

test("a name for an agent that has none is one that a record takes", () => {
  expect(newHolderId()).toMatch(HOLDER_ID)
  expect(newHolderId()).not.toBe(newHolderId())
})
