import { expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { actAt, type Interleaving } from "../support/interleaved.ts"

type Doing = (scene: Interleaving) => Promise<unknown> | undefined
const workIn = async (root: string): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("Expected a work, found none.")
  return work
}
const call = (callID: string) => ({ tool: "task", sessionID: LEAD, callID })
const args = (description: string) => ({ description, prompt: "do it", subagent_type: "general" })
const before =
  (id: string, key: string): Doing =>
  ({ plugin }) =>
    plugin.hooks["tool.execute.before"]?.(call(id), { args: args(key) })
const after =
  (id: string, key: string, output: string, child: string): Doing =>
  async ({ plugin }) => {
    const result = { title: "", output, metadata: { sessionId: child } }
    await plugin.hooks["tool.execute.after"]?.({ ...call(id), args: args(key) }, result)
    return result.output
  }

test.each(["did it", "BLOCKED: no key"])(
  "a call that begins while another comes back costs that nothing: %s",
  async (output) => {
    const wrong: string[] = []
    for (let at = 1; ; at++) {
      let said: unknown = ""
      const isThere = await actAt(at, {
        prepare: before("call_a", "todo:1"),
        hook: async (scene) => {
          said = await after("call_a", "todo:1", output, CHILD)(scene)
        },
        act: before("call_b", "todo:2"),
        check: async ({ root, step }) => {
          const { task_sessions, blocked, dispatches } = await workIn(root)
          const isRight =
            Object.keys(task_sessions).join() === "todo:1" &&
            Object.keys(dispatches).join() === "call_b" &&
            (output === "did it" || Object.keys(blocked).join() === "todo:1")
          if (!isRight)
            wrong.push(
              `${at} ${step}: ${Object.keys(task_sessions)} / ${Object.keys(dispatches)} / ${Object.keys(blocked)}: ${String(said).slice(0, 160)}`,
            )
        },
      })
      if (!isThere) break
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

test("two calls that come back at once are both kept", async () => {
  const wrong: string[] = []
  for (let at = 1; ; at++) {
    const isThere = await actAt(at, {
      prepare: async (scene) => {
        await before("call_a", "todo:1")(scene)
        await before("call_b", "todo:2")(scene)
      },
      hook: after("call_a", "todo:1", "did it", CHILD),
      act: (scene) => void after("call_b", "todo:2", "did it", "ses_b")(scene) as never,
      check: async ({ root, step }) => {
        await Bun.sleep(150)
        const { task_sessions, dispatches } = await workIn(root)
        if (
          Object.keys(task_sessions).sort().join() !== "todo:1,todo:2" ||
          Object.keys(dispatches).length > 0
        )
          wrong.push(`${at} ${step}: ${Object.keys(task_sessions)} ${Object.keys(dispatches)}`)
      },
    })
    if (!isThere) break
  }
  expect(wrong).toEqual([])
}, 60_000)

const WAVE =
  "# Plan\n\n## TODOs\n\n- [x] 1. Write a\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n- [ ] F2. Read it\n"

test("a rejection that comes back while another review begins is kept", async () => {
  const wrong: string[] = []
  for (let at = 1; ; at++) {
    const isThere = await actAt(at, {
      prepare: async (scene) => {
        await writeFile(join(scene.root, "plans/demo.md"), WAVE)
        await before("call_a", "final-wave:f1")(scene)
      },
      hook: after("call_a", "final-wave:f1", "VERDICT: REJECT", CHILD),
      act: before("call_b", "final-wave:f2"),
      check: async ({ root, step }) => {
        const { final_wave } = await workIn(root)
        if (final_wave["final-wave:f1"]?.verdict !== "reject") wrong.push(`${at} ${step}`)
      },
    })
    if (!isThere) break
  }
  expect(wrong).toEqual([])
}, 60_000)
