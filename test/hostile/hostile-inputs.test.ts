import { expect, test } from "bun:test"
import { tooSlow } from "../support/hostile-growth.ts"
import { PLAN_READERS } from "../support/hostile-plan-readers.ts"
import { type HostileReader, READERS } from "../support/hostile-readers.ts"
import { HOSTILE_SHAPES } from "../support/hostile-shapes.ts"

const ENOUGH_PROBLEMS = 5
const TABLE = [...PLAN_READERS, ...READERS].map((one) => ({ ...one, as: one.as ?? "the text" }))

test.each(TABLE)("$reader takes linear time of $as", async (reader) => {
  expect(await problemsOf(reader)).toEqual([])
})

/** The shapes that a reader takes more than linear time for, or throws on. */
async function problemsOf(reader: HostileReader): Promise<readonly string[]> {
  const problems: string[] = []
  for (const shape of HOSTILE_SHAPES) {
    const problem = await tooSlow(reader, shape).catch((error: unknown) => String(error))
    if (problems.length === ENOUGH_PROBLEMS) break
    if (problem !== null) problems.push(`${shape.shape}: ${problem.slice(0, 200)}`)
  }
  return problems
}
