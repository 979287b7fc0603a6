import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"

interface Scene {
  readonly plugin: PluginInProcess
  readonly edit: (change: (text: string) => string) => Promise<string>
  readonly cli: (line: string) => Promise<string>
  readonly tiers: () => Promise<readonly (string | null)[]>
}

/** A work of tasks whose details are these lines. */
function inWork(
  details: readonly string[],
  run: (scene: Scene) => Promise<void>,
  options: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const rows = details.map((line, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  ${line}\n`)
    await writeFile(join(root, PLAN), `# Plan\n\n## TODOs\n\n${rows.join("")}`)
    const given = { orchestrator_writes: "allow", continuation: { cooldown_seconds: 0 } }
    const plugin = openPlugin(root, { ...readOptions({ ...given, ...options }) })
    await plugin.startWork(LEAD, PLAN)
    const edit = async (change: (text: string) => string) => {
      await writeFile(join(root, PLAN), change(await readFile(join(root, PLAN), "utf8")))
      return plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    const cli = async (line: string) => (await runInFolder(root, line)).out
    const tiers = async () => {
      const { tasks } = JSON.parse(await cli("proof --json"))
      return tasks.map(({ tier }: { tier: string | null }) => tier)
    }
    await run({ plugin, edit, cli, tiers })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

describe("a check of any kind", () => {
  test.each([
    {
      what: "signs of the shell",
      check: "npm test -- 'a|b' && ! grep -rn \"TODO;\" src/* | wc -l",
    },
    { what: "a redirection and a variable", check: 'FOO="x y" npm test > out.log 2>&1' },
    { what: "another language", check: "npm test -- 登录 Überprüfung проверка" },
    { what: "a right-to-left script", check: "npm test -- בדיקה" },
    { what: "1,000 characters", check: `npm test -- ${"x".repeat(988)}` },
  ])("with $what is proven by its run, and failed by one that fails", ({ check }) =>
    inWork(
      [`Verify: \`${check}\``, `Verify: \`npm run other\``],
      async ({ plugin, edit, tiers }) => {
        await plugin.bash(LEAD, `cd app && ${check}`, 1)
        expect(await edit((text) => ticked(text, "1"))).toContain("last ended with 1")
        expect(await tiers()).toEqual(["failed", null])
        await plugin.bash(LEAD, `cd app && ${check}`)
        await plugin.fallIdle(LEAD)
        expect(await tiers()).toEqual(["proven", null])
      },
    ),
  )

  test.each([
    { what: "empty", line: "Verify: ``" },
    { what: "of blanks", line: "Verify: `   `" },
    { what: "of 10 kB", line: `Verify: \`npm test -- ${"x".repeat(10_000)}\`` },
    { what: "in words", line: "Verify: the form can be sent" },
  ])("that is $what is none, and the others hold", ({ line }) =>
    inWork([line, "Verify: `npm run other`"], async ({ plugin, edit, tiers }) => {
      await plugin.bash(LEAD, `npm test -- ${"x".repeat(10_000)}`)
      await plugin.bash(LEAD, "npm run other")
      expect(await edit((text) => ticked(ticked(text, "1"), "2"))).not.toContain("is ticked")
      expect(await tiers()).toEqual([null, "proven"])
    }),
  )
})

test("a check of 10 kB is said by `plan`", () =>
  inWork([`Verify: \`npm test -- ${"x".repeat(10_000)}\``], async ({ cli }) => {
    expect((await cli(`plan ${PLAN}`)).replace(/\s+/g, " ")).toContain(
      "A check has at most 1000 characters: this one is not read.",
    )
  }))

test("a check that is changed in the middle of a run: the new one counts from then on, and the change is said", () =>
  inWork(["Verify: `npm run old`"], async ({ plugin, edit, tiers }) => {
    await plugin.bash(LEAD, "npm run old")
    await edit((text) => text.replace("npm run old", "npm run new"))
    await plugin.bash(LEAD, "npm run old")
    expect(await edit((text) => ticked(text, "1"))).toContain("`npm run new` has not been run")
    expect(await tiers()).toEqual(["claimed"])
    await plugin.bash(LEAD, "npm run new")
    await plugin.fallIdle(LEAD)
    expect(await tiers()).toEqual(["proven"])
  }))

test("two tasks with the same check: it counts for each behind its own result", () =>
  inWork(["Verify: `npm test`", "Verify: `npm test`"], async ({ plugin, edit, tiers }) => {
    const one = () => plugin.bash("ses_child1", "npm test")
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child1", during: one })
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_child2" })
    expect(await edit((text) => ticked(ticked(text, "1"), "2"))).toContain(
      "todo:2 is ticked, but `npm test` has not been run for it.",
    )
    expect(await tiers()).toEqual(["proven", "claimed"])
    await plugin.bash(LEAD, "npm test")
    await plugin.fallIdle(LEAD)
    expect(await tiers()).toEqual(["proven", "proven"])
  }))

test("what a person runs in another terminal is not seen: it stays claimed, and `proof` says how to count it", async () => {
  const words =
    "A run in another terminal is not seen. To count it, have the work's session run the check once more"
  await inWork(["Verify: `npm test`"], async ({ plugin, edit, cli, tiers }) => {
    await plugin.bash("ses_stranger", "npm test")
    await edit((text) => ticked(text, "1"))
    expect(await tiers()).toEqual(["claimed"])
    expect((await cli("proof")).replace(/\s+/g, " ")).toContain(words)
    await plugin.bash(LEAD, "npm test")
    await plugin.fallIdle(LEAD)
    expect(await tiers()).toEqual(["proven"])
    expect((await cli("proof")).replace(/\s+/g, " ")).not.toContain(words)
  })
  await inWork(
    ["Verify: `npm test`"],
    async ({ edit, cli }) => {
      await edit((text) => ticked(text, "1"))
      expect((await cli("proof")).replace(/\s+/g, " ")).toContain(
        `${words}, or run: opencode-boulder approve todo:1`,
      )
    },
    { ticks: "require" },
  )
})
