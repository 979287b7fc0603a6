import { describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runInFolder } from "../support/cli-in-process.ts"
import { LEAD, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

/** Rows below 32 others are text for the scanner, and rows for remark: the one place where the two are known to differ. */
const DEEP = Array.from({ length: 34 }, (_, at) => `${"  ".repeat(at + 1)}- [ ] part ${at}`)
const SHARD = 12

/** A plan with what is read in two ways below this task. */
function planWith(label: number): string {
  const rows = Array.from({ length: SHARD * 2 }, (_, at) => `- [ ] ${at + 1}. Build part ${at + 1}`)
  rows.splice(label, 0, ...DEEP)
  return `## TODOs\n\n${rows.join("\n")}\n`
}

const FIRST = Array.from({ length: SHARD }, (_, at) => at + 1)
const SECOND = planWith(SHARD + 1)
/** The first row that the scanner takes for text: below 32 others, in a plan with two lines before its rows. */
const LINE = 2 + SHARD + 1 + 32

describe("what remark reads otherwise than the scanner is said", () => {
  test("at the start", () =>
    withFolder(async (root) => {
      const { text } = await started(root, planWith(1))
      expect(text).toContain("remark reads this line otherwise than the scanner does")
    }))

  test("by the command plan", () =>
    withFolder(async (root) => {
      await writeFile(join(root, "plan.md"), SECOND)
      const { out } = await runInFolder(root, "plan plan.md")
      expect(out).toContain(`Warning, line ${LINE}: remark reads`)
    }))

  test.each([
    { way: "a tool of its lead", options: {} },
    { way: "an idle", options: {} },
    { way: "a delegation", options: {} },
    { way: "a delegation without rounds", options: { long_run: { enabled: false } } },
  ] as const)("in the journal, where the shard becomes active by $way", ({ way, options }) =>
    withFolder(async (root) => {
      const { plugin, edit, text, work } = await started(root, SECOND, options)
      expect([text.includes("remark reads"), await noted(root)]).toEqual([false, []])
      await edit(ticked(SECOND, ...FIRST))
      if (way === "a tool of its lead") await plugin.use(LEAD, "bash")
      else if (way === "an idle") await plugin.fallIdle(LEAD)
      else await plugin.delegate({ lead: LEAD, key: "todo:13", child: "ses_child" })
      expect((await work()).active_shard).toBe(2)
      expect(await noted(root)).toEqual([LINE, LINE + 1, LINE + 2])
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
      expect(await noted(root)).toHaveLength(3)
    }),
  )
})

/** The lines that the journal names. */
async function noted(root: string): Promise<readonly number[]> {
  const text = await readFile(join(root, ".boulder/journal.jsonl"), "utf8").catch(() => "")
  const entries = text.split("\n").filter((line) => line.includes("grammar-differs"))
  return entries.map((line) => JSON.parse(line).facts.line)
}
