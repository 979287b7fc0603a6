// An agent or a user inserts a task in the midst of a run and renumbers what is behind it. A task that was done long
// ago (before the start, say) comes to stand under a number of the window as it was
// seen last: the model is told under its next tool that this task "was settled without a delegation", which is not so,
// and to delegate. `current_window` is compared with the new plan by keys that nobody has followed into it.
import { expect, test } from "bun:test"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
/** The default of `orchestrator_writes`. */
const SHIPPED = { orchestrator_writes: "warn" }
const numbered = (rows: readonly (readonly [string, string])[]) =>
  plan(...rows.map(([box, title], at) => `- [${box}] ${at + 1}. ${title}`))

test("a task that was done before the start and is renumbered into the window was not settled just now", () =>
  withFolder(async (root) => {
    const rows = [
      ["x", "Set up the project"],
      ["x", "Write the parser"],
      [" ", "Write the printer"],
      [" ", "Write the docs"],
    ] as const
    const { plugin, edit } = await started(root, numbered(rows), SHIPPED)
    await plugin.use(LEAD, "bash")
    await Bun.sleep(150)
    await edit(numbered([[" ", "Choose a licence"], ...rows]))
    const said = await plugin.use(LEAD, "bash")
    expect(said).not.toContain("settled without a delegation")
  }))

const NOBODY = { agent: null, model: null, variant: null }
const FAILED = {
  ...{ messageId: "msg_1", createdAt: 1, ours: true, error: "APIError", ended: true },
  ...{ contextTokens: 1, isSummary: false, isUnanswered: false },
}

/** Here its own session is not followed either: the look behind a call that was lost begins with the work as it was. */
test("nor was one that was delegated, behind a call that has failed", () =>
  withFolder(async (root) => {
    const host = { isFailing: false }
    const lastTurn = async () => {
      const turn = { failure: null, identity: NOBODY, model: null }
      return { ...turn, lastTurn: host.isFailing ? FAILED : null }
    }
    const rows = (one: string) =>
      [
        [one, "Write the parser"],
        [" ", "Write the printer"],
        [" ", "Write the docs"],
      ] as const
    const { plugin, edit } = await started(root, numbered(rows(" ")), SHIPPED, { lastTurn })
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_parser" })
    await Bun.sleep(150)
    await edit(numbered(rows("x")))
    await plugin.use(LEAD, "bash")
    await Bun.sleep(150)
    host.isFailing = true
    const during = () => edit(numbered([[" ", "Choose a licence"], ...rows("x")]))
    const said = await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_docs", during })
    expect(said).not.toContain("settled without a delegation")
  }))
