import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { ProofEntry } from "../../src/boulder/proof-entry.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"

function planWith(...checks: readonly string[]): string {
  const rows = checks.map((check, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`${check}\`\n`)
  return `# Plan\n\n## TODOs\n\n${rows.join("")}`
}

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** Ticks a box as the lead's `edit` does; gives what the plugin adds. */
  readonly tick: (...labels: readonly string[]) => Promise<string>
  readonly proof: () => readonly ProofEntry[]
}

function inWork(
  plan: string,
  run: (scene: Scene) => Promise<void>,
  options: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const given = {
      ...readOptions({
        orchestrator_writes: "allow",
        continuation: { cooldown_seconds: 0 },
        ...options,
      }),
    }
    const plugin = openPlugin(root, given)
    await plugin.startWork(LEAD, PLAN)
    const tick = async (...labels: readonly string[]) => {
      const text = await readFile(join(root, PLAN), "utf8")
      await writeFile(join(root, PLAN), labels.reduce(ticked, text))
      return plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    const proof = () => {
      const file = join(root, ".boulder/works")
      const [work = ""] = existsSync(file) ? readdirIn(file) : []
      const log = join(file, work, "proof.jsonl")
      if (!existsSync(log)) return []
      const lines = readFileSync(log, "utf8").split("\n").filter(Boolean)
      return lines.map((line): ProofEntry => JSON.parse(line))
    }
    await run({ plugin, root, tick, proof })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

function readdirIn(folder: string): readonly string[] {
  return [...new Bun.Glob("*").scanSync({ cwd: folder, onlyFiles: false })]
}

const CHILD = "ses_child"
const tiersIn = (entries: readonly ProofEntry[]) =>
  entries.flatMap((entry) => (entry.kind === "tick" ? [`${entry.task.key} ${entry.tier}`] : []))

describe("what the lead reads under its tick", () => {
  test("nothing, where its subagent has run the check behind its last change", () =>
    inWork(planWith("npm test -- one"), async ({ plugin, tick, proof }) => {
      const during = async () => {
        await plugin.use(CHILD, "write", { filePath: "src/a.ts" })
        await plugin.bash(CHILD, "cd app && npm test -- one 2>&1")
      }
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD, during })
      expect(await tick("1")).not.toContain("todo:1 is ticked")
      expect(tiersIn(proof())).toEqual(["todo:1 proven"])
      expect(proof()).toContainEqual(
        expect.objectContaining({
          kind: "run",
          session: CHILD,
          check: "npm test -- one",
          outcome: "passed",
          exit: 0,
          task: expect.objectContaining({ key: "todo:1" }),
        }),
      )
    }))

  test.each([
    {
      what: "the check has never run",
      act: async (plugin: PluginInProcess) => plugin.bash(LEAD, "echo npm test -- one"),
      says: "todo:1 is ticked, but `npm test -- one` has not been run.",
      tier: "claimed",
    },
    {
      what: "the check has failed",
      act: async (plugin: PluginInProcess) => plugin.bash(LEAD, "npm test -- one", 1),
      says: "todo:1 is ticked, but `npm test -- one` last ended with 1.",
      tier: "failed",
    },
    {
      what: "a pipe hid the exit code",
      act: async (plugin: PluginInProcess) => plugin.bash(LEAD, "npm test -- one | tail -5"),
      says: "todo:1 is ticked, but another command hid the exit code of `npm test -- one`.",
      tier: "claimed",
    },
    {
      what: "there is no such command",
      act: async (plugin: PluginInProcess) => plugin.bash(LEAD, "npm test -- one", 127),
      says: "todo:1 is ticked, but `npm test -- one` could not be run (exit code 127).",
      tier: "unavailable",
    },
    {
      what: "its time was over",
      act: async (plugin: PluginInProcess) => plugin.bash(LEAD, "npm test -- one", null),
      says: "todo:1 is ticked, but `npm test -- one` did not end in time.",
      tier: "unavailable",
    },
    {
      what: "a file was changed behind the run",
      act: async (plugin: PluginInProcess) => {
        await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
        await plugin.bash(LEAD, "npm test -- one")
        await plugin.use(LEAD, "edit", { filePath: "src/a.ts" })
      },
      says: "todo:1 is ticked, but `npm test -- one` has not been run since src/a.ts was changed.",
      tier: "changed",
    },
    {
      what: "a shell has changed it",
      act: async (plugin: PluginInProcess) => {
        await plugin.bash(LEAD, "npm test -- one")
        await plugin.bash(LEAD, "echo done > src/a.ts")
      },
      says: "todo:1 is ticked, but `npm test -- one` has not been run since src/a.ts was changed.",
      tier: "changed",
    },
  ])("a line, where $what", ({ act, says, tier }) =>
    inWork(planWith("npm test -- one", "npm test -- two"), async ({ plugin, tick, proof }) => {
      await act(plugin)
      expect(await tick("1")).toContain(says)
      expect(await tick("2")).not.toContain("todo:1 is ticked")
      expect(tiersIn(proof())).toEqual([`todo:1 ${tier}`, "todo:2 claimed"])
    }),
  )

  test("under `trust` nothing is said, and nothing written down", () =>
    inWork(
      planWith("npm test -- one", "npm test -- two"),
      async ({ plugin, tick, proof }) => {
        await plugin.bash(LEAD, "npm test -- one", 1)
        expect(await tick("1")).not.toContain("is ticked")
        expect(proof()).toEqual([])
      },
      { ticks: "trust" },
    ))

  test("many ticks at once are two lines and a count", () =>
    inWork(planWith("a", "b", "c", "d", "e"), async ({ tick, proof }) => {
      const said = await tick("1", "2", "3", "4")
      expect(said).toContain("todo:2 is ticked, but `b` has not been run.")
      expect(said).not.toContain("todo:3 is ticked")
      expect(said).toContain("2 more ticked tasks are not proven.")
      expect(tiersIn(proof())).toHaveLength(4)
    }))
})

test("a task that edits what its own check goes by is named once, and in proof and report", () =>
  inWork(
    planWith("npm test -- test/one.test.ts", "npm test -- two"),
    async ({ plugin, root, tick }) => {
      const during = async () => {
        await plugin.use(CHILD, "edit", { filePath: "test/one.test.ts" })
        await plugin.use(CHILD, "edit", { filePath: "package.json" })
        await plugin.bash(CHILD, "npm test -- test/one.test.ts")
      }
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD, during })
      expect(await tick("1")).toContain(
        "todo:1 has changed what its own check goes by: test/one.test.ts, package.json.",
      )
      expect(await tick("2")).not.toContain("todo:1 has changed")
      const { tasks } = JSON.parse((await runInFolder(root, "proof --json")).out)
      expect(tasks).toMatchObject([
        { tier: "proven", judges_changed: ["test/one.test.ts", "package.json"] },
        { tier: "claimed", judges_changed: [] },
      ])
      const page = (await runInFolder(root, "report")).out
      expect(page).toContain("done, proven; it has changed test/one.test.ts, package.json")
    },
  ))

test("before the final wave the window lists what is not proven, five and a count", () =>
  inWork(
    `${planWith("a", "b", "c", "d", "e", "f", "g")}\n## Final Verification Wave\n- [ ] F1. Review it\n`,
    async ({ plugin, tick }) => {
      await plugin.bash(LEAD, "a")
      await plugin.bash(LEAD, "b", 1)
      await tick("1", "2", "3", "4", "5", "6", "7")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.at(-1)).toContain(
        "Proven: 1 of 7 ticked tasks with checks; todo:2 failed; todo:3 claimed; todo:4 claimed; todo:5 claimed; todo:6 claimed and 1 more.",
      )
    },
  ))

test("ticks of before the work began are nobody's claim in it", () =>
  inWork(ticked(planWith("npm test -- one", "npm test -- two"), "1"), async ({ tick, proof }) => {
    expect(await tick("2")).toContain("todo:2 is ticked")
    expect(tiersIn(proof())).toEqual(["todo:1 before", "todo:2 claimed"])
  }))

test("a plan without checks leaves no file and no line", () =>
  inWork("## TODOs\n- [ ] 1. A\n- [ ] 2. B\n", async ({ plugin, tick, proof }) => {
    await plugin.bash(LEAD, "npm test")
    expect(await tick("1")).not.toContain("is ticked")
    expect(proof()).toEqual([])
  }))

test("a check that changes in the plan counts from then on, and the change is said", () =>
  inWork(planWith("npm run old", "npm run two"), async ({ plugin, root, tick }) => {
    const during = () => plugin.bash(CHILD, "npm run old")
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD, during })
    const text = await readFile(join(root, PLAN), "utf8")
    await writeFile(join(root, PLAN), text.replace("npm run old", "npm run new"))
    expect(await tick("1")).toContain(
      "The check of todo:1, `npm run old`, is now `npm run new` in the plan: run that.\ntodo:1 is ticked, but `npm run new` has not been run.",
    )
  }))

test("a delegated task costs one durable write more", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planWith("a", "b", "c"))
    const { openRecordFiles } = await import("../../src/store/records/record-files.ts")
    const { openProofFiles } = await import("../../src/store/records/proof-files.ts")
    const records = openRecordFiles({ root })
    const written: string[] = []
    const counting = {
      ...records,
      append: (path: string, lines: readonly string[], how?: "unsynced") => {
        if (how === undefined) written.push(path)
        return records.append(path, lines, how)
      },
    }
    const plugin = openPlugin(root, { proofs: openProofFiles(counting) })
    await plugin.startWork(LEAD, PLAN)
    for (const label of ["1", "2", "3"]) {
      const child = `${CHILD}${label}`
      const check = ["a", "b", "c"][Number(label) - 1] ?? ""
      const during = async () => {
        await plugin.use(child, "write", { filePath: `src/${label}.ts` })
        await plugin.bash(child, check)
      }
      await plugin.delegate({ lead: LEAD, key: `todo:${label}`, child, during })
      await plugin.bash(LEAD, check)
      const text = await readFile(join(root, PLAN), "utf8")
      await writeFile(join(root, PLAN), ticked(text, label))
      expect(await plugin.use(LEAD, "edit", { filePath: PLAN })).not.toContain("is ticked")
    }
    await plugin.fallIdle(LEAD)
    // And one when the work begins.
    expect(written).toHaveLength(4)
    await plugin.hooks.dispose?.()
  }))
