// Sessions of closed shards are in the archive, by the key that their task had then. A row is put at the top of the plan,
// and all behind it is renumbered: `works NAME` shows from then on, for ever, each archived session, its attempts and its
// cost below the task in front of the one that it has worked on, and below a new row that nobody has begun.
import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const numbered = (rows: readonly (readonly [string, string])[]) =>
  `# Plan\n\n## TODOs\n\n${rows.map(([box, title], at) => `- [${box}] ${at + 1}. ${title}`).join("\n")}\n`

test("an archived session is shown with the task that it has worked on", () =>
  withFolder(async (root) => {
    const all = Array.from({ length: 30 }, (_, at) => `Build the part called ${at + 1}`)
    const rows = (done: number) => all.map((title, at) => [at < done ? "x" : " ", title] as const)
    const { plugin, edit, work } = await started(root, numbered(rows(0)))
    for (let done = 1; done <= 18; done++) {
      const during = () => edit(numbered(rows(done)))
      await plugin.delegate({ lead: LEAD, key: `todo:${done}`, child: `ses_child${done}`, during })
    }
    expect(Object.keys((await work()).task_sessions)).not.toContain("todo:1")
    await Bun.sleep(150)
    await edit(numbered([[" ", "Choose a licence"], ...rows(18)]))
    await plugin.use(LEAD, "bash")
    const { out } = await runInFolder(root, "works demo")
    expect(out).toMatch(/todo:19 Build the part called 18\n +general, 1 attempt, ses_child18\n/)
    expect(out).toMatch(/todo:2 Build the part called 1\n +general, 1 attempt, ses_child1\n/)
  }))
