import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openPlanFiles, type PlanFileReading } from "./plan-files.ts"

const TASKS = 1_500
const textOf = (states: readonly string[], title = "Move the part"): string =>
  `# Plan\n\n## TODOs\n\n${states.map((state, at) => `- [${state}] ${at + 1}. ${title} ${at + 1} behind the border of the plan`).join("\n")}\n`

const statesIn = (reading: PlanFileReading): string =>
  reading.kind === "read"
    ? reading.plan.tasks.map(({ state }) => (state === "done" ? "x" : " ")).join("")
    : reading.message

/** What is done to a plan, and how many steps after each other readings of it begin then. */
const act = fc.record({
  edit: fc.oneof(
    { weight: 3, arbitrary: fc.nat(TASKS - 1).map((at) => ({ at, state: "x" })) },
    fc.nat(TASKS - 1).map((at) => ({ at, state: " " })),
    fc.constantFrom("Move the part", "Move a part").map((title) => ({ title })),
  ),
  // A reading takes some twenty steps.
  gaps: fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
})

/** Readings that begin so many steps after each other. */
async function readings(
  plans: ReturnType<typeof openPlanFiles>,
  gaps: readonly number[],
): Promise<readonly PlanFileReading[]> {
  const begun: Promise<PlanFileReading>[] = []
  for (const gap of gaps) {
    begun.push(plans.read("plan.md"))
    for (let step = 0; step < gap; step++) await Promise.resolve()
  }
  return Promise.all(begun)
}

test("whoever reads a large plan, beside others too, reads what stands there", () =>
  fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 20 }), (acts) =>
      withFolder(async (root) => {
        const plans = openPlanFiles({ root, now: Date.now })
        const states: string[] = Array.from({ length: TASKS }, (_, at) => (at < 3 ? "x" : " "))
        let title = "Move the part"
        const write = () => writeFileSync(join(root, "plan.md"), textOf(states, title))
        write()
        for (const { edit, gaps } of acts) {
          if ("title" in edit) title = edit.title
          else states[edit.at] = edit.state
          write()
          for (const reading of await readings(plans, gaps))
            expect(statesIn(reading)).toBe(states.join(""))
        }
      }),
    ),
    { numRuns: 25 },
  ))
