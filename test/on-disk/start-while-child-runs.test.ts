import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const CALL = { tool: "task", sessionID: LEAD, callID: "call_1" }
const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }

const workIn = async (root: string): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("no work")
  return work
}

function scene(
  act: (plugin: PluginInProcess, root: string) => Promise<unknown>,
  output: string,
  check: (said: string, work: Work) => void,
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await plugin.hooks["tool.execute.before"]?.(CALL, { args })
    await act(plugin, root)
    const result = { title: "", output, metadata: { sessionId: CHILD } }
    await plugin.hooks["tool.execute.after"]?.({ ...CALL, args }, result)
    await plugin.hooks.dispose?.()
    check(result.output, await workIn(root))
  })
}

const again = async (plugin: PluginInProcess) => {
  const said = await plugin.startWork(LEAD, PLAN)
  expect(said).not.toContain("failed")
}

test("control: stop and resume from the command line while a subagent runs: its session is kept", () =>
  scene(
    async (_, root) => {
      await runInFolder(root, "stop demo")
      await runInFolder(root, "resume demo")
    },
    "did it",
    (said, work) => {
      expect(Object.keys(work.task_sessions)).toEqual(["todo:1"])
      expect(said).toContain("Result for todo:1")
    },
  ))

test("/start-work in the lead session while a subagent runs: its session is kept", () =>
  scene(again, "did it", (_said, work) => {
    expect(Object.keys(work.task_sessions)).toEqual(["todo:1"])
  }))

test("nor is the model told that it has resumed another task's session", () =>
  scene(again, "did it", (said) => expect(said).toContain("Result for todo:1")))

test("a subagent's BLOCKED behind it blocks its task", () =>
  scene(again, "BLOCKED: no key for the cloud", (_said, work) => {
    expect(Object.keys(work.blocked)).toEqual(["todo:1"])
  }))
