import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { actAt } from "../support/interleaved.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const OTHER = "ses_other"

async function workIn(root: string): Promise<Work> {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("Expected a work, found none.")
  return work
}

/** A work that LEAD leads, before another session takes it over. */
function scene(run: (plugin: PluginInProcess, root: string) => Promise<void>, ceiling = 0) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const options = { cooldown_seconds: 0, max_tokens_per_work: ceiling }
    const plugin = openPlugin(root, readOptions({ continuation: options }))
    await plugin.startWork(LEAD, PLAN)
    await run(plugin, root)
    await plugin.hooks.dispose?.()
  })
}

test("what a lead has spent is booked where another session takes over", () =>
  scene(async (plugin, root) => {
    await plugin.tellTokens(LEAD, 500_000)
    await plugin.startWork(OTHER, PLAN)
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(OTHER)
    expect((await workIn(root)).tokens.spent).toBe(500_000)
  }))

test("so is what its subagents have spent", () =>
  scene(async (plugin, root) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
    await plugin.tellTokens(CHILD, 300_000)
    await plugin.startWork(OTHER, PLAN)
    await plugin.fallIdle(OTHER)
    expect((await workIn(root)).tokens.spent).toBe(300_000)
  }))

test("a former lead that leads another plan by then keeps its tokens for that", () =>
  scene(async (plugin, root) => {
    await writeFile(join(root, "plans/next.md"), planOf("Write c"))
    await plugin.startWork(LEAD, "plans/next.md")
    await plugin.tellTokens(LEAD, 300_000)
    await plugin.startWork(OTHER, PLAN)
    const { boulder } = await openFileBoulderStore({ root }).read()
    const spent = Object.values(boulder?.works ?? {}).map((work) => [
      work.plan_name,
      work.tokens.spent,
    ])
    expect(Object.fromEntries(spent)).toEqual({ demo: 0, next: 300_000 })
  }))

test("a ceiling that a former lead has passed pauses the work", () =>
  scene(async (plugin, root) => {
    await plugin.tellTokens(LEAD, 300_000)
    await plugin.startWork(OTHER, PLAN)
    await plugin.fallIdle(OTHER)
    expect((await workIn(root)).pause_reason).toBe("budget-spent")
  }, 100_000))

const WAVE = `${planOf("Write a").replace("- [ ]", "- [x]")}\n## Final Verification Wave\n\n- [ ] F1. Read the code\n`

/** What is kept of F1 where its review ends so, behind a take-over and whatever else is done meanwhile. */
async function reviewed(
  output: string,
  meanwhile: (plugin: PluginInProcess, root: string) => Promise<unknown> = async () => undefined,
): Promise<{ kept: string | undefined; said: string }> {
  const kept: (string | undefined)[] = []
  const said: string[] = []
  await scene(async (plugin, root) => {
    await writeFile(join(root, PLAN), WAVE)
    const review = { lead: LEAD, key: "final-wave:f1" }
    await plugin.delegate({ ...review, child: CHILD, output: "VERDICT: APPROVE" })
    await plugin.delegate({
      ...review,
      child: "ses_again",
      output,
      during: async () => {
        await plugin.startWork(OTHER, `${PLAN} --take-over`)
        await meanwhile(plugin, root)
      },
    })
    kept.push((await workIn(root)).final_wave["final-wave:f1"]?.verdict)
    await plugin.fallIdle(OTHER)
    said.push(...plugin.prompts)
  })
  return { kept: kept[0], said: said.join("\n") }
}

test("a former lead's review that rejects turns its row down for the new lead", async () => {
  const { kept, said } = await reviewed("VERDICT: REJECT (no test)")
  expect(kept).toBe("reject")
  expect(said).toContain(
    '- final-wave:f1 "Read the code" (line 18) REJECTED: first delegate the fix under the key of the task that it concerns, then this row',
  )
})

test.each([
  { output: "VERDICT: REJECT (no test)", enabled: true, kept: "reject" },
  { output: "VERDICT: REJECT (no test)", enabled: false, kept: "reject" },
  { output: "VERDICT: APPROVE", enabled: true, kept: undefined },
])("so it does wherever the take-over falls: $output, long_run $enabled", async (given) => {
  const wrong: string[] = []
  const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
  const args = { description: "final-wave:f1", prompt: "do it", subagent_type: "general" }
  const { options } = readOptions({ long_run: { enabled: given.enabled } })
  for (let at = 1; ; at++) {
    const isThere = await actAt(at, {
      shell: { options },
      prepare: async ({ plugin, root }) => {
        await writeFile(join(root, PLAN), WAVE)
        await plugin.hooks["tool.execute.before"]?.(call, { args })
      },
      hook: ({ plugin }) => {
        const result = { title: "", output: given.output, metadata: { sessionId: CHILD } }
        return plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      },
      act: ({ plugin }) => plugin.startWork(OTHER, `${PLAN} --take-over`),
      check: async ({ root, step }) => {
        const { lead_session_id: lead, final_wave: wave } = await workIn(root)
        const kept = wave["final-wave:f1"]?.verdict
        // Behind the write it was the lead's.
        const isLeads = step === "after store.update"
        if (lead !== OTHER || (kept !== given.kept && !isLeads))
          wrong.push(`${at} ${step}: ${kept}`)
      },
    })
    if (!isThere) break
  }
  expect(wrong).toEqual([])
})

test("one that passes counts for nobody: the row is reviewed by whoever leads", async () => {
  const forgets = async (_: PluginInProcess, root: string) =>
    openFileBoulderStore({ root }).update((boulder) => withoutWave(boulder))
  expect((await reviewed("VERDICT: APPROVE", forgets)).kept).toBeUndefined()
})

test("nor does one that rejects what is complete by then", async () => {
  const completes = async (plugin: PluginInProcess, root: string) => {
    await plugin.startWork(OTHER, PLAN)
    await writeFile(join(root, PLAN), WAVE.replace("- [ ] F1", "- [x] F1"))
    await plugin.fallIdle(OTHER)
    expect((await workIn(root)).status).toBe("completed")
  }
  expect((await reviewed("VERDICT: REJECT (no test)", completes)).kept).toBe("pass")
})

function withoutWave(boulder: Boulder | null): Boulder {
  if (boulder === null) throw new Error("Expected a boulder, found none.")
  const works = Object.entries(boulder.works).map(([id, work]) => [id, { ...work, final_wave: {} }])
  return { ...boulder, works: Object.fromEntries(works) }
}

test("/start-work names the session that led until the very write", async () => {
  const wrong: string[] = []
  for (let at = 1; ; at++) {
    let said = ""
    const isThere = await actAt(at, {
      hook: async ({ plugin }) => {
        said = await plugin.startWork("ses_third", PLAN)
      },
      act: ({ plugin }) => plugin.startWork(OTHER, PLAN),
      check: async ({ root, step }) => {
        const { lead_session_id: lead } = await workIn(root)
        if (lead === "ses_third" && !said.includes(OTHER)) wrong.push(`${at} ${step}`)
      },
    })
    if (!isThere) break
  }
  expect(wrong).toEqual([])
})
