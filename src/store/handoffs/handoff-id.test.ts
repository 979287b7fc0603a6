import { expect, test } from "bun:test"
import { HANDOFF_ID, HOLDER_ID } from "../../boulder/handoff.ts"
import { handoffIdOf, newHolderId } from "./handoff-id.ts"

test("an id is `hnd_` and 16 letters of base 62, each as likely as any other, and the same for the same subject", () => {
  const ids = Array.from({ length: 2_000 }, (_, index) =>
    handoffIdOf(`subject ${index % 1_000}`, Math.floor(index / 1_000)),
  )
  for (const id of ids) expect(id).toMatch(HANDOFF_ID)
  expect(new Set(ids).size).toBe(ids.length)
  expect(handoffIdOf("subject 0", 0)).toBe(ids[0] ?? "")
  const letters = ids.flatMap((id) => [...id.slice(4)])
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 516 are expected of each.
  for (const count of counts.values()) expect(Math.abs(count - 516)).toBeLessThan(230)
})

test("a name for an agent that has none is one that a record takes", () => {
  expect(newHolderId()).toMatch(HOLDER_ID)
  expect(newHolderId()).not.toBe(newHolderId())
})
