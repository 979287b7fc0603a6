import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const LEAD = "ses_lead"
const BEFORE = "# Plan\n\n## TODOs\n\n- [ ] 1. Write the parser\n- [ ] 2. Write the printer\n"
const KEY = "todo:1"

test.each([
  { what: "looks at a result, as to verify it", writes: "", kept: "ses_worker" },
  { what: "has changed what it got", writes: "parser.ts", kept: "ses_other" },
])("where another agent $what, the session to reuse is $kept", ({ writes, kept }) =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, BEFORE)
    const write = (session: string, file: string) => async () => {
      const filePath = join(root, file)
      await plugin.use(session, "write", { filePath }, () => writeFile(filePath, session))
    }
    const one = { lead: LEAD, key: KEY }
    await plugin.delegate({ ...one, child: "ses_worker", during: write("ses_worker", "parser.ts") })
    const during = writes === "" ? async () => undefined : write("ses_other", writes)
    const said = await plugin.delegate({ ...one, child: "ses_other", agent: "explore", during })
    expect(said).toContain(`Result for ${KEY}. Verify`)
    expect(said).toContain(`Preferred reuse session for ${KEY}: ${kept}`)
    expect((await work()).task_sessions[KEY]).toMatchObject({ session_id: kept, results: 2 })
  }),
)

test("an agent that looks before the work begins does not keep the task's session from the one that does it", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, BEFORE)
    await plugin.delegate({ lead: LEAD, key: KEY, child: "ses_look", agent: "explore" })
    expect((await work()).task_sessions[KEY]?.session_id).toBe("ses_look")
    const filePath = join(root, "parser.ts")
    const during = () =>
      plugin.use("ses_worker", "write", { filePath }, () => writeFile(filePath, ""))
    await plugin.delegate({ lead: LEAD, key: KEY, child: "ses_worker", during })
    expect((await work()).task_sessions[KEY]?.session_id).toBe("ses_worker")
  }))
