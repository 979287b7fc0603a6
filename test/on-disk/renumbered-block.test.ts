// A task is blocked, and its person was told so, in the journal (`why`) and by the program that `notify` names. Then
// somebody inserts a row above it and renumbers: nothing new is blocked, but the same block is written down and told
// once more, for every blocked task behind the row. What the session remembers of seen blocks is by keys that nobody
// has followed into the plan.
import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`

test("a blocked task that is renumbered is not blocked a second time", () =>
  withFolder(async (root) => {
    const {
      plugin,
      edit,
      work,
      plan: text,
    } = await started(
      root,
      plan("- [ ] 1. Write the parser", "- [ ] 2. Write the printer", "- [ ] 3. Write the docs"),
    )
    const journal = async () => {
      const all = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
      return all.split("\n").filter((line) => line.includes('"task-blocked"'))
    }
    const output = "BLOCKED: no key for the cloud"
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_child", output })
    expect(await journal()).toHaveLength(1)
    const marked = await text()
    await Bun.sleep(150)
    await edit(
      marked
        .replace("3. Write the docs", "4. Write the docs")
        .replace("2. Write the printer", "3. Write the printer")
        .replace(
          "- [ ] 1. Write the parser",
          "- [ ] 1. Write the parser\n- [ ] 2. Write the scanner",
        ),
    )
    await plugin.use(LEAD, "bash")
    expect(Object.keys((await work()).blocked)).toEqual(["todo:3"])
    expect(await journal()).toHaveLength(1)
  }))
