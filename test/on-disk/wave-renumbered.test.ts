import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const todo =
  "# Plan\n\n## TODOs\n\n- [x] 1. Write a\n- [ ] 2. Write b\n\n## Final Verification Wave\n\n"
const todoDone = todo.replace("- [ ] 2.", "- [x] 2.")
const wave = (box: string, a: string, b: string, ...names: string[]) =>
  `- [${box}] ${a}. ${names[0]}\n- [${box}] ${b}. ${names[1]}\n`
const SEC = "Review the security"
const DOC = "Review the documents"

const workIn = async (root: string): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("no work")
  return work
}

/** A work whose wave came back, its rows ticked or not; the lead is idle. */
async function back(
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
  { box, verdicts }: { box: string; verdicts: [string, string] },
) {
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), todo + wave(" ", "F1", "F2", SEC, DOC))
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    await plugin.startWork(LEAD, PLAN)
    await writeFile(join(root, PLAN), todoDone + wave(" ", "F1", "F2", SEC, DOC))
    const [first, second] = verdicts
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_r1",
      output: `All read.\n\nVERDICT: ${first}`,
    })
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_r2",
      output: `All read.\n\nVERDICT: ${second}`,
    })
    await writeFile(join(root, PLAN), todoDone + wave(box, "F1", "F2", SEC, DOC))
    await Bun.sleep(20)
    await plugin.use(LEAD, "bash")
    await run(plugin, root)
    await plugin.hooks.dispose?.()
  })
}

const SWAPPED = (box: string) => todoDone + wave(box, "F1", "F2", DOC, SEC)

test("control: a ticked wave waits for its approval at an idle", () =>
  back(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      const { status, awaiting_approval } = await workIn(root)
      expect([status, awaiting_approval !== null]).toEqual(["active", true])
    },
    { box: "x", verdicts: ["APPROVE", "APPROVE"] },
  ))

test("a ticked wave whose rows were renumbered in an editor waits for its approval all the same", () =>
  back(
    async (plugin, root) => {
      await writeFile(join(root, PLAN), SWAPPED("x"))
      await plugin.fallIdle(LEAD)
      const { status, awaiting_approval } = await workIn(root)
      expect([status, awaiting_approval !== null]).toEqual(["active", true])
    },
    { box: "x", verdicts: ["APPROVE", "APPROVE"] },
  ))

test("control: a work whose review was a rejection does not finish", () =>
  back(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      expect((await workIn(root)).status).toBe("active")
    },
    { box: "x", verdicts: ["REJECT", "APPROVE"] },
  ))

test("nor where its rows were renumbered in an editor", () =>
  back(
    async (plugin, root) => {
      await writeFile(join(root, PLAN), SWAPPED("x"))
      await plugin.fallIdle(LEAD)
      expect((await workIn(root)).status).toBe("active")
    },
    { box: "x", verdicts: ["REJECT", "APPROVE"] },
  ))

test("/start-work approves a wave that waits, its rows renumbered since", () =>
  back(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      await writeFile(join(root, PLAN), SWAPPED(" "))
      await plugin.startWork(LEAD, PLAN)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.at(-1) ?? "(no prompt)").toContain("approved")
    },
    { box: " ", verdicts: ["APPROVE", "APPROVE"] },
  ))

test("opencode-boulder approve approves a wave that waits, its rows renumbered since", () =>
  back(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      await writeFile(join(root, PLAN), SWAPPED(" "))
      const said = await runInFolder(root, "approve demo")
      expect(said.err).toBe("")
      expect((await workIn(root)).approved_wave).not.toBeNull()
    },
    { box: " ", verdicts: ["APPROVE", "APPROVE"] },
  ))

test("control: both approve one that was not renumbered", () =>
  back(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      const said = await runInFolder(root, "approve demo")
      expect(said.err).toBe("")
      expect((await workIn(root)).approved_wave).not.toBeNull()
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.at(-1) ?? "(no prompt)").toContain("approved")
    },
    { box: " ", verdicts: ["APPROVE", "APPROVE"] },
  ))
