import { expect, test } from "bun:test"
import { REASONS } from "./reasons.ts"

test("a reason says why in one plain clause, and what to do in another", () => {
  for (const [name, { says, todo }] of Object.entries(REASONS)) {
    expect(`${name}: ${says}`).toMatch(/^[a-z-]+: [a-z][^.]{8,90}$/)
    if (todo !== null) expect(`${name}: ${todo}`).toMatch(/^[a-z-]+: [a-z][^.]{4,100}$/)
  }
})
