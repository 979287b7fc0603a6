// While a subagent works on "2. Write the printer" (minutes, in which its lead runs no tool), the user inserts a row above
// it and renumbers. `status`, `works NAME` and `report` say then that "Write the scanner", which nobody has ever begun, is
// begun, and show the printer's session below it: the work's keys are looked up in the new plan as they are, where the
// plugin itself follows them. The same of a work that is stopped: whoever resumes a subagent by what `works` says takes
// the wrong one. A row that is reworded is shown with the record of the one that stood there before.
import { describe, expect, test } from "bun:test"
import { joinViews } from "../../src/boulder/live-view.ts"
import { openProcessLife } from "../../src/store/disk/process-life.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
const ONE = "- [ ] 1. Write the parser"
const BEFORE = plan(ONE, "- [ ] 2. Write the printer")
const RENUMBERED = plan(ONE, "- [ ] 2. Write the scanner", "- [ ] 3. Write the printer")
const REWORDED = plan(ONE, "- [ ] 2. Write the scanner")

/** The plan is edited while a call for its second task is under way, and whose session is known of an earlier one. */
const whileBegun = (edited: string, shown: (root: string) => Promise<void>) =>
  withFolder(async (root) => {
    const { plugin, edit } = await started(root, BEFORE)
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer" })
    await Bun.sleep(150)
    const during = async () => {
      await edit(edited)
      await shown(root)
    }
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer", during })
  })

describe("a task under way that is renumbered is shown as what it is", () => {
  test("by `status`", () =>
    whileBegun(RENUMBERED, async (root) => {
      const { out } = await runInFolder(root, "status")
      expect(out).toContain("interrupted: todo:3 Write the printer")
    }))
  test("by `status --json`", () =>
    whileBegun(RENUMBERED, async (root) => {
      const { out } = await runInFolder(root, "status --json")
      expect(JSON.parse(out).works[0].running).toEqual(["todo:3"])
    }))
  test("by `works NAME`", () =>
    whileBegun(RENUMBERED, async (root) => {
      const { out } = await runInFolder(root, "works demo")
      expect(out).toMatch(/begun +todo:3 Write the printer\n +general, 1 attempt, ses_printer/)
    }))
  test("by the panel", () =>
    withFolder(async (root) => {
      const process = await openProcessLife()
      const { plugin, edit } = await started(root, BEFORE, {}, {}, { process })
      const live = openLiveFiles({ root })
      const rows = async () => {
        const [work] = joinViews(await live.readAll(Date.now()))
        return (work?.window ?? []).map(({ key, title, state }) => `${key} ${title}: ${state}`)
      }
      const seen: (readonly string[])[] = []
      const during = async () => {
        await edit(RENUMBERED)
        for (const until = Date.now() + 20_000; Date.now() < until; await Bun.sleep(200))
          if ((await rows()).length === 3) break
        seen.push(await rows())
      }
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer", during })
      await plugin.hooks.dispose?.()
      expect(seen[0]).toEqual([
        "todo:1 Write the parser: next",
        "todo:2 Write the scanner: next",
        "todo:3 Write the printer: running",
      ])
    }))
  test("by `report`", () =>
    whileBegun(RENUMBERED, async (root) => {
      const { out } = await runInFolder(root, "report")
      expect(out).toContain("<td>open</td><td>todo:2 Write the scanner</td>")
    }))
})

test("a task that is reworded is not shown with the session of the one before it", () =>
  withFolder(async (root) => {
    const { plugin, edit } = await started(root, BEFORE)
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer" })
    await Bun.sleep(150)
    await edit(REWORDED)
    await plugin.use(LEAD, "bash")
    const { out } = await runInFolder(root, "works demo")
    expect(out).not.toMatch(/Write the scanner\n +general, 1 attempt, ses_printer/)
  }))
