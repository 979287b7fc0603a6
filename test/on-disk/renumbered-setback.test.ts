// A task was turned down (its tick was taken back). While a subagent of another task runs, its user inserts a row and
// renumbers. Behind the result the journal has the same setback once more, and the lead is told that the task has failed
// anew where that was a step of the ladder. The work is compared as it was before its tasks were followed into the plan.
import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
const BEFORE = plan("- [ ] 1. Write the parser", "- [ ] 2. Write the printer")
const TICKED = BEFORE.replace("- [ ] 2", "- [x] 2")
const RENUMBERED = plan(
  "- [ ] 1. Write the parser",
  "- [ ] 2. Write the scanner",
  "- [ ] 3. Write the printer",
)

async function turnedDown(root: string, times: number) {
  const all = await started(root, BEFORE)
  const { plugin, edit } = all
  const soon = async (text: string) => {
    await Bun.sleep(150)
    await edit(text)
    await plugin.use(LEAD, "bash")
  }
  for (let n = 1; n <= times; n++) {
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: `ses_printer${n}` })
    await soon(TICKED)
    await soon(BEFORE)
  }
  const journal = async () => {
    const lines = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
    return lines.split("\n").filter((line) => line.includes('"turn-down"'))
  }
  return { ...all, journal }
}

describe("a setback is written down once", () => {
  test.each([1, 3])("while a subagent of another task runs the plan is renumbered (%i)", (times) =>
    withFolder(async (root) => {
      const { plugin, edit, work, journal } = await turnedDown(root, times)
      expect(await journal()).toHaveLength(times)
      const during = () => edit(RENUMBERED)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_parser", during })
      expect((await work()).task_sessions["todo:3"]?.setbacks).toHaveLength(times)
      expect(await journal()).toHaveLength(times)
    }),
  )
  test("it is renumbered between two turns", () =>
    withFolder(async (root) => {
      const { plugin, edit, journal } = await turnedDown(root, 1)
      await edit(RENUMBERED)
      await plugin.fallIdle(LEAD)
      expect(await journal()).toHaveLength(1)
    }))
})
