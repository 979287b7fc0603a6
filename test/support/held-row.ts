import { runInFolder } from "./cli-in-process.ts"
import { LEAD, started } from "./long-run-project.ts"
import { ours } from "./our-turns.ts"
import type { PluginInProcess } from "./plugin-in-process.ts"

/** A plan with one task, done, and two reviews. */
export const WAVE =
  "# Plan\n\n## TODOs\n\n- [x] 1. Build it\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n- [ ] F2. Read it\n"
/** What the command line says, even if it refuses. */
export const cli = (root: string, line: string) =>
  runInFolder(root, line).then(({ out, err }) => `${out}${err}`, String)

/** The lead has edited the plan. Gives what it reads under that. */
export const edited = (plugin: PluginInProcess, root: string) =>
  plugin.use(LEAD, "edit", { filePath: `${root}/.boulder/plans/demo.md` })

/** An approved wave whose rows are ticked, one of them held because its check never ran. */
export async function withHeldRow(root: string): Promise<PluginInProcess> {
  const plan = WAVE.replace("F1. Review it\n", "F1. Review it\n  Verify: `check f1`\n")
  const { plugin, plan: read, edit } = await started(root, plan, { ticks: "require" }, ours())
  for (const row of ["f1", "f2"])
    await plugin.delegate({
      lead: LEAD,
      key: `final-wave:${row}`,
      child: `ses_${row}`,
      output: "VERDICT: APPROVE",
    })
  await plugin.fallIdle(LEAD)
  await cli(root, "approve")
  await edit((await read()).replace("[ ] F1", "[x] F1").replace("[ ] F2", "[x] F2"))
  await edited(plugin, root)
  return plugin
}
