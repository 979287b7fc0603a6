import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { hookedPort, type PortStep, systemError } from "../../../test/support/store-port-hooks.ts"
import {
  aStoredTaskState,
  aTaskState,
  compactionAnswer,
} from "../../../test/support/task-states.ts"
import { nodeFilePort } from "../../store/disk/file-port.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openRecordFiles } from "../../store/records/record-files.ts"
import { openTaskStateFiles, type TaskStateFiles } from "../../store/records/task-state-files.ts"
import type { Shell } from "../host/shell.ts"

const old = aStoredTaskState({ task_state: aTaskState({ goal: "The goal of before" }) })
const good = compactionAnswer(aTaskState(), "Half done.")

/** A plugin whose lead session has the state `old`. */
function withLead(
  run: (scene: { plugin: PluginInProcess; root: string }) => Promise<void>,
  shell: (root: string) => Partial<Shell> = () => ({}),
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), planOf("Write a", "Write b"))
    await openTaskStateFiles(openRecordFiles({ root })).save(old)
    const plugin = openPlugin(root, shell(root))
    await plugin.startWork(LEAD, ".boulder/plans/demo.md")
    await run({ plugin, root })
  })
}

/** Runs a compaction up to the model's answer, of one text or several. Gives what replaces them. */
async function answered(
  { hooks }: PluginInProcess,
  ...texts: readonly string[]
): Promise<string[]> {
  const output: { context: string[]; prompt?: string } = { context: [] }
  await hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
  expect(output.prompt).toContain("The goal of before")
  await requested(hooks, "compaction")
  const stored: string[] = []
  for (const text of texts) {
    const part = { text }
    const ids = { sessionID: LEAD, messageID: "msg_1", partID: "prt_1" }
    await hooks["experimental.text.complete"]?.(ids, part)
    stored.push(part.text)
  }
  return stored
}

/** Task states, a save of which fails at one of its file operations. */
function failingAt(index: number, root: string, fault: { isHit: boolean }): TaskStateFiles {
  let operations = -1
  let isSaving = false
  const before = (step: PortStep): void => {
    if (isSaving) operations += 1
    fault.isHit ||= isSaving && operations === index
    if (isSaving && operations === index) throw systemError("EIO", step)
  }
  const files = hookedPort(nodeFilePort(), { before })
  const inner = openTaskStateFiles(openRecordFiles({ root, files }))
  const save: TaskStateFiles["save"] = async (stored) => {
    isSaving = true
    return inner.save(stored).finally(() => {
      isSaving = false
    })
  }
  return { ...inner, save }
}

type SystemInput = Parameters<
  NonNullable<PluginInProcess["hooks"]["experimental.chat.system.transform"]>
>[0]
type ParamsInput = Parameters<NonNullable<PluginInProcess["hooks"]["chat.params"]>>[0]
type ParamsOutput = Parameters<NonNullable<PluginInProcess["hooks"]["chat.params"]>>[1]
const requested = async (hooks: PluginInProcess["hooks"], agent: string) => {
  const input = { sessionID: LEAD, agent, model: { limit: { context: 1 } } } as ParamsInput
  await hooks["chat.params"]?.(input, {} as ParamsOutput)
}
const stateIn = (root: string) => openTaskStateFiles(openRecordFiles({ root })).load(LEAD)
const reasonsIn = async (root: string) => {
  const { entries } = await openJournal({ root }).readLast(9, (one) => one.decision === "compact")
  return entries.map(({ reason, facts }) => `${reason} ${facts["failure"] ?? ""}`.trim())
}

test("what a model has answered is written down with why it was refused", () =>
  withLead(async ({ plugin, root }) => {
    await answered(plugin, `I think${".".repeat(500)}so`)
    const { entries } = await openJournal({ root }).readLast(1, (one) => one.decision === "compact")
    expect(entries[0]?.facts["answer"]).toStartWith("I think...")
    expect(entries[0]?.facts["answer_end"]).toEndWith("...so")
  }))

describe("an answer of several texts", () => {
  test.each([
    { name: "in two halves", texts: [good.slice(0, 80), good.slice(80)], failure: "cut-off" },
    { name: "behind words", texts: ["Here is the summary:", good], failure: "no-object" },
  ])("that comes $name is refused with its first: the rest saves nothing", ({ texts, failure }) =>
    withLead(async ({ plugin, root }) => {
      const [first, second] = await answered(plugin, ...texts)
      expect(first).toContain("cannot be used")
      expect(first).toContain("Goal: The goal of before")
      expect(second).toBe("")
      expect(await stateIn(root)).toEqual(old)
      expect(await reasonsIn(root)).toEqual([`task-state-kept ${failure}`])
    }),
  )
  test("is done with once it was read", () =>
    withLead(async ({ plugin }) => {
      expect(await answered(plugin, good, "And that is all.")).toEqual(["Half done.", ""])
    }))
  test("is refused once", () =>
    withLead(async ({ plugin, root }) => {
      const stored = await answered(plugin, "I think", "I have nothing")
      expect(stored[0]).toContain("Goal: The goal of before")
      expect(stored[1]).toBe("")
      expect(await stateIn(root)).toEqual(old)
    }))
})

describe("a state whose summary the user undoes", () => {
  const undo = async ({ hooks }: PluginInProcess, ...ids: readonly string[]) => {
    const events = ids.map((messageID) => ({
      type: "message.removed" as const,
      properties: { sessionID: LEAD, messageID },
    }))
    await Promise.all(events.map((event) => hooks.event?.({ event })))
  }
  test("gives way to the one before it", () =>
    withLead(async ({ plugin, root }) => {
      await answered(plugin, good)
      await undo(plugin, "msg_0")
      expect((await stateIn(root))?.task_state).toEqual(aTaskState())
      await undo(plugin, "msg_1")
      expect(await stateIn(root)).toEqual(old)
      expect(await reasonsIn(root)).toEqual(["task-state-saved", "task-state-undone"])
    }))
  test("is not shown by the request that comes at once", () =>
    withLead(async ({ plugin }) => {
      await answered(plugin, good)
      await requested(plugin.hooks, "build")
      const removed = undo(plugin, "msg_0", "msg_7", "msg_1")
      const output = { system: ["core"] }
      await plugin.hooks["experimental.chat.system.transform"]?.(
        { sessionID: LEAD } as SystemInput,
        output,
      )
      expect(output.system[1]).toContain("The goal of before")
      await removed
    }))
  test("is gone with the one before it where both are undone at once", () =>
    withLead(async ({ plugin, root }) => {
      await openTaskStateFiles(openRecordFiles({ root })).save({ ...old, summary_id: "msg_0" })
      await answered(plugin, good)
      await undo(plugin, "msg_0", "msg_1")
      expect(await stateIn(root)).toBeNull()
    }))
  test("stays where nothing was saved with it", () =>
    withLead(async ({ plugin, root }) => {
      await answered(plugin, "I think")
      await undo(plugin, "msg_1")
      expect(await stateIn(root)).toEqual(old)
    }))
})

describe("only the summary's text is touched", () => {
  test("that of the turn behind a compaction is not", () =>
    withLead(async ({ plugin }) => {
      await answered(plugin, good)
      await requested(plugin.hooks, "build")
      const part = { text: good }
      const ids = { sessionID: LEAD, messageID: "msg_2", partID: "prt_2" }
      await plugin.hooks["experimental.text.complete"]?.(ids, part)
      expect(part.text).toBe(good)
    }))
  test("that of the turn before it is not", () =>
    withLead(async ({ plugin, root }) => {
      const begun = { context: [] }
      await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, begun)
      const part = { text: good }
      const ids = { sessionID: LEAD, messageID: "msg_0", partID: "prt_0" }
      await plugin.hooks["experimental.text.complete"]?.(ids, part)
      expect(part.text).toBe(good)
      expect(await stateIn(root)).toEqual(old)
    }))
  test("a model that gave no text is written down", () =>
    withLead(async ({ plugin, root }) => {
      await answered(plugin)
      await requested(plugin.hooks, "title")
      expect(await reasonsIn(root)).toEqual([])
      await requested(plugin.hooks, "build")
      expect(await reasonsIn(root)).toEqual(["task-state-kept no-answer"])
      expect(await stateIn(root)).toEqual(old)
    }))
})

describe("a save that fails at any operation", () => {
  test("leaves the old state and says so in the summary, or the new one and its summary", async () => {
    const seen = new Set<string>()
    for (let index = 0; index < 60; index++) {
      const fault = { isHit: false }
      await withLead(
        async ({ plugin, root }) => {
          const [summary = ""] = await answered(plugin, good)
          const outcome = summary === "Half done." ? "new" : "old"
          const goals = { new: aTaskState().goal, old: old.task_state.goal }
          expect((await stateIn(root))?.task_state.goal).toBe(goals[outcome])
          if (outcome === "old") expect(summary).toContain("its task state could not be saved")
          if (fault.isHit) seen.add(outcome)
        },
        (root) => ({ taskStates: failingAt(index, root, fault) }),
      )
      if (!fault.isHit) break
    }
    expect([...seen].sort()).toEqual(["new", "old"])
  })

  test("a save that hangs ends within its limit, and is taken back when it comes through", () =>
    withLead(
      async ({ plugin, root }) => {
        const [summary] = await answered(plugin, good)
        expect(summary).toContain("its task state could not be saved")
        expect(await stateIn(root)).toEqual(old)
        release()
        await afterwards
        expect(await stateIn(root)).toEqual(old)
      },
      (root) => {
        const inner = openTaskStateFiles(openRecordFiles({ root }))
        let saves = 0
        const save: typeof inner.save = async (stored) => {
          saves += 1
          if (saves === 1) await released
          const aside = await inner.save(stored)
          if (saves === 2) done()
          return aside
        }
        return { taskStates: { ...inner, save } }
      },
    ))
  let release = (): void => undefined
  let done = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const afterwards = new Promise<void>((resolve) => {
    done = resolve
  })
})

test("every request but one for a title shows the state, behind the host's first text", () =>
  withLead(async ({ plugin: { hooks } }) => {
    const shown = async (...system: string[]) => {
      const input = { sessionID: LEAD } as SystemInput
      await hooks["experimental.chat.system.transform"]?.(input, { system })
      return system.map((text) => (text.includes("The goal of before") ? "state" : text))
    }
    expect(await shown("core", "the rest")).toEqual(["core", "state", "the rest"])
    const title = "You are a title generator. You output ONLY a thread title."
    expect(await shown(title)).toEqual([title])
  }))

test("a state's file that cannot be read is told of once, kept, and replaced by the next compaction", () =>
  withLead(async ({ plugin, root }) => {
    const path = join(root, ".boulder/sessions", `${LEAD}.json`)
    await writeFile(path, '{"schema_version":1,"task_state":null}')
    const system = async () => {
      const output = { system: ["core"] }
      await plugin.hooks["experimental.chat.system.transform"]?.(
        { sessionID: LEAD } as SystemInput,
        output,
      )
      return output.system
    }
    expect(await system()).toEqual(["core"])
    expect(await system()).toEqual(["core"])
    expect(plugin.logs).toHaveLength(1)
    expect(plugin.logs[0]).toContain("to hold a task state; found session_id: ")
    const output: { context: string[]; prompt?: string } = { context: [] }
    await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
    expect(output.prompt).toContain("Current task state: none yet.")
    await requested(plugin.hooks, "compaction")
    const part = { text: good }
    const ids = { sessionID: LEAD, messageID: "msg_1", partID: "prt_1" }
    await plugin.hooks["experimental.text.complete"]?.(ids, part)
    expect(part.text).toBe("Half done.")
    expect((await system())[1]).toContain(aTaskState().goal)
    expect(await readFile(path, "utf8")).toContain(aTaskState().goal)
  }))

test("a state's file that is damaged while its summary is made is put aside, and told of", () =>
  withLead(async ({ plugin, root }) => {
    const path = join(root, ".boulder/sessions", `${LEAD}.json`)
    await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, { context: [] })
    await mkdir(join(root, ".boulder/sessions"), { recursive: true })
    await writeFile(path, "{ half a fi")
    await requested(plugin.hooks, "compaction")
    const part = { text: good }
    const ids = { sessionID: LEAD, messageID: "msg_1", partID: "prt_1" }
    await plugin.hooks["experimental.text.complete"]?.(ids, part)
    expect(part.text).toBe("Half done.")
    expect(await readFile(path, "utf8")).toContain(aTaskState().goal)
    expect(plugin.toasts.filter((toast) => toast.includes("to hold a task state"))).toHaveLength(1)
    expect(plugin.toasts.at(-1)).toContain(
      `It was put aside as .boulder/sessions/${LEAD}.json.corrupt-`,
    )
  }))

/** The summary of a compaction that was requested because the provider refused a turn, `msg_9`; and what will be summarised. */
const summarised = (ids: readonly string[]) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), planOf("Write a", "Write b"))
    const plugin = openPlugin(root, {}, { refusedTurn: async () => "msg_9" })
    await plugin.startWork(LEAD, ".boulder/plans/demo.md")
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
    const { hooks } = plugin
    await hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, { context: [] })
    const message = (id: string, type: string, more: object = {}) => ({
      info: { id, sessionID: LEAD, role: "user", ...more },
      parts: [{ type, text: "Hello" }],
    })
    const messages = [
      message("msg_1", "compaction"),
      message("msg_2", "text", { role: "assistant", summary: true, finish: "stop" }),
      ...ids.map((id) => message(id, "text")),
    ]
    await hooks["experimental.chat.messages.transform"]?.({}, { messages: messages as never })
    await requested(hooks, "compaction")
    const part = { text: compactionAnswer(aTaskState(), "Half done.") }
    const given = { sessionID: LEAD, messageID: "msg_10", partID: "prt_1" }
    await hooks["experimental.text.complete"]?.(given, part)
    await hooks.dispose?.()
    return { left: messages.map(({ info }) => info.id), text: part.text }
  })

test("a refused turn that is left out of the summary begins again; earlier summaries are left out too", async () => {
  const again = await summarised(["msg_3"])
  const within = await summarised(["msg_3", "msg_9"])
  expect([again.left, within.left]).toEqual([["msg_3"], ["msg_3", "msg_9"]])
  expect(
    [again.text, within.text].map((text) => text.includes("is older than these delegations")),
  ).toEqual([true, false])
})
