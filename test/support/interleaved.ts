import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { ToolRefusal } from "../../src/opencode/host/tool-refusal.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "./builders.ts"
import { planOf } from "./plans.ts"
import { openPlugin, type PluginInProcess } from "./plugin-in-process.ts"
import { withFolder } from "./store-folder.ts"

/** The plugin on a folder of its own, with `plans/demo.md` of two tasks. */
export interface Interleaving {
  readonly plugin: PluginInProcess
  readonly root: string
  /** Moves the plugin's clock forward, without waiting. */
  readonly pass: (ms: number) => void
}

type Doing = (scene: Interleaving) => Promise<unknown> | undefined

const QUICK = readOptions({ continuation: { cooldown_seconds: 0 } })
const NOBODY = { agent: null, model: null, variant: null }

/**
 * Runs `hook`, and runs `act` at the `at`th place where the hook waits for store, plan, host or handoffs. Gives `check` the result, with
 * that place's name. False if the hook has no such place.
 */
export async function actAt(
  at: number,
  given: {
    readonly prepare?: Doing
    readonly hook: Doing
    readonly act: Doing
    readonly check: (scene: Interleaving & { readonly step: string }) => Promise<void> | void
    readonly shell?: Partial<Shell>
    /** Called if a prompt is sent after the act. */
    readonly prompted?: () => void
  },
): Promise<boolean> {
  let step: string | null = null
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    let scene: Interleaving | null = null
    let passed = 0
    let steps = 0
    let isOn = false
    /** A hook need not wait for everything that it begins, so the act may go on after the hook ends. */
    let acting: ReturnType<Doing>
    const reached = async (name: string): Promise<void> => {
      if (!isOn || step !== null || scene === null) return
      steps += 1
      if (steps !== at) return
      step = name
      acting = given.act(scene)
      await acting
    }
    const gated = <Part extends object>(part: Part, of: string): Part =>
      Object.fromEntries(
        Object.entries(part).map(([name, run]) => [
          name,
          typeof run !== "function"
            ? run
            : async (...args: unknown[]) => {
                await reached(`before ${of}.${name}`)
                const done = await run(...args)
                await reached(`after ${of}.${name}`)
                return done
              },
        ]),
      ) as Part
    const api = gated(
      {
        session: async (id: string) => ({
          id,
          parentId: id === CHILD ? LEAD : null,
          agent: null,
          title: id,
        }),
        lastTurn: async () => ({ lastTurn: null, failure: null, identity: NOBODY, model: null }),
        busySessions: async () => new Set<string>(),
      },
      "api",
    )
    const plans = openPlanFiles({ root, now: Date.now })
    const plugin = openPlugin(
      root,
      {
        ...QUICK,
        now: () => Date.now() + passed,
        store: gated(openFileBoulderStore({ root }), "store"),
        plans: { ...gated(plans, "plans"), keptHash: plans.keptHash },
        handoffs: gated(openFileHandoffStore({ root }), "handoffs"),
        tree: gated({ tree: async () => null }, "tree").tree,
        ...given.shell,
      },
      {
        ...api,
        prompt: async () => {
          if (step !== null) given.prompted?.()
        },
      },
    )
    const pass = (ms: number): void => {
      passed += ms
    }
    scene = { plugin, root, pass }
    await plugin.startWork(LEAD, "plans/demo.md")
    await given.prepare?.(scene)
    isOn = true
    try {
      await given.hook(scene)
    } catch (error) {
      // A refusal is an answer: the host blocks the tool.
      if (!(error instanceof ToolRefusal)) throw error
    }
    isOn = false
    await acting
    if (step !== null) await given.check({ ...scene, step })
    await plugin.hooks.dispose?.()
  })
  return step !== null
}
