import { tooSlow } from "./hostile-growth.ts"
import { PLAN_READERS } from "./hostile-plan-readers.ts"
import { type HostileReader, READERS } from "./hostile-readers.ts"
import { HOSTILE_SHAPES } from "./hostile-shapes.ts"

const ENOUGH_PROBLEMS = 5
const ALL = [...PLAN_READERS, ...READERS].map((one) => ({ ...one, as: one.as ?? "the text" }))

/** What is said to models and people takes half of the whole time. Each half is a file, so that both cores are busy. */
const isOfTexts = ({ reader }: HostileReader): boolean => /^(?:prompts|cli)\//.test(reader)
export const TEXT_READERS = ALL.filter(isOfTexts)
export const OTHER_READERS = ALL.filter((one) => !isOfTexts(one))

/** The shapes for which a reader takes more than linear time, or throws. */
export async function problemsOf(reader: HostileReader): Promise<readonly string[]> {
  const problems: string[] = []
  for (const shape of HOSTILE_SHAPES) {
    const problem = await tooSlow(reader.read, shape.of).catch((error: unknown) => String(error))
    if (problems.length === ENOUGH_PROBLEMS) break
    if (problem !== null) problems.push(`${shape.shape}: ${problem.slice(0, 200)}`)
  }
  return problems
}
