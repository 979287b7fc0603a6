import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const TEXT = `# Plan

## TODOs

- [ ] 1. Write the parser
- [ ] 2. Rate limits

## Final verification wave

- [ ] F1. Plan compliance audit
`

test.each([
  { description: "Write the missing tests", output: "VERDICT: APPROVE" },
  { description: "Write the missing tests", output: "BLOCKED: no key for the cloud" },
  { description: "todo:1 and todo:2", output: "BLOCKED: no key for the cloud" },
  { description: "Fix F1 findings", output: "Fixed all.\n\nVERDICT: APPROVE" },
])("13b: $description, $output: nothing of it reaches a task", ({ description, output }) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TEXT)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    const said = await plugin.delegate({ lead: LEAD, key: description, child: "ses_c", output })
    expect(said).toContain("This result is counted for no task (0/3 settled)")
    expect(said).toContain("Begin each description with one key, such as todo:1.")
    const { boulder } = await openFileBoulderStore({ root }).read()
    expect(Object.values(boulder?.works ?? {})).toMatchObject([
      { task_sessions: {}, final_wave: {}, blocked: {}, dispatches: {} },
    ])
    expect(await readFile(join(root, PLAN), "utf8")).toBe(TEXT)
    expect(plugin.logs).toEqual([])
  }),
)

test("how each call has named its task is in the journal", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TEXT)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    const calls = ["todo:1 again", "Task 2", "Rate limits", "Write the missing tests"]
    for (const [index, key] of calls.entries())
      await plugin.delegate({ lead: LEAD, key, child: `ses_${index}` })
    const { entries } = await openJournal({ root }).readLast(
      9,
      (one) => one.decision === "delegate",
    )
    expect(
      entries.map(({ reason, facts }) => `${reason} ${facts["task"]} ${facts["named-by"]}`),
    ).toEqual([
      "task-named todo:1 key",
      "task-named todo:2 label",
      "task-named todo:2 title",
      "no-task null nobody",
    ])
  }))
