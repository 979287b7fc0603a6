import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../../../test/support/builders.ts"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { actAt } from "../../../test/support/interleaved.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

const QUICK = readOptions({ continuation: { cooldown_seconds: 0 } })

const told = ({ hooks }: PluginInProcess, type: string, properties: object) =>
  hooks.event?.({ event: { type, properties } as never })

type Act = (plugin: PluginInProcess, root: string) => Promise<unknown> | undefined

/** The file is the last thing looked at before a prompt. What comes from disk after that comes too late. */
const TOO_LATE = ["after store.isNewest"]

const ACTS: readonly { name: string; act: Act; may?: readonly string[] }[] = [
  { name: "a message", act: (plugin) => plugin.say(LEAD, "wait") },
  {
    name: "ESC",

    act: (plugin) =>
      told(plugin, "session.error", { sessionID: LEAD, error: { name: "MessageAbortedError" } }),
  },
  {
    name: "a question of a child",

    act: (plugin) => told(plugin, "question.asked", { id: "q1", sessionID: CHILD }),
  },
  {
    name: "a refusal in a child",

    act: (plugin) =>
      told(plugin, "permission.replied", { sessionID: CHILD, requestID: "p1", reply: "reject" }),
  },
  {
    name: "a turn",

    act: (plugin) => told(plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } }),
  },
  {
    name: "a compaction",
    may: ["1 before store.read"],
    act: (plugin) => told(plugin, "session.compacted", { sessionID: LEAD }),
  },
  {
    name: "/stop-work",
    act: (plugin) =>
      plugin.hooks["command.execute.before"]?.(
        { command: "stop-work", sessionID: LEAD, arguments: "" },
        { parts: [] },
      ),
  },
  {
    name: "/start-work elsewhere",
    may: TOO_LATE,
    act: (plugin) => plugin.startWork("ses_other", "plans/demo.md"),
  },
  { name: "stop from outside", may: TOO_LATE, act: (_, root) => runInFolder(root, "stop demo") },
]

test("a task that is added while the end of a work is decided is not finished over", async () => {
  const wrong: string[] = []
  const ended = ["1", "2"].reduce(ticked, planOf("Write a", "Write b"))
  for (let at = 1; ; at++) {
    const isThere = await actAt(at, {
      prepare: ({ root }) => writeFile(join(root, "plans/demo.md"), ended),
      hook: ({ plugin }) => plugin.fallIdle(LEAD),
      act: ({ root }) => writeFile(join(root, "plans/demo.md"), `${ended}- [ ] 3. Write c\n`),
      check: async ({ root, step }) => {
        const { boulder } = await openFileBoulderStore({ root }).read()
        const [work] = Object.values(boulder?.works ?? {})
        if (work?.status === "completed") wrong.push(step)
      },
    })
    if (!isThere) break
  }
  // The plan is read last. After that it is an edit of a finished plan, for /start-work.
  expect(wrong).toEqual([
    "after plans.read",
    ...["before store.update", "after store.update"],
    ...["before handoffs.open", "after handoffs.open"],
  ])
})

/** Whether a prompt was sent after `act`, which happens at the `at`th step of a look; null if there is no such step. */
async function promptedBehind(
  at: number,
  act: Act,
): Promise<{ prompted: boolean; step: string } | null> {
  let prompted = false
  let answer: { prompted: boolean; step: string } | null = null
  await actAt(at, {
    prepare: ({ plugin }) => plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD }),
    hook: ({ plugin }) => plugin.fallIdle(LEAD),
    act: ({ plugin, root }) => act(plugin, root),
    prompted: () => {
      prompted = true
    },
    check: ({ step }) => {
      answer = { prompted, step }
    },
  })
  return answer
}

describe("nothing is prompted behind", () => {
  for (const { name, act, may = [] } of ACTS)
    test(name, async () => {
      const wrong: string[] = []
      for (let at = 1; ; at++) {
        const found = await promptedBehind(at, act)
        if (found === null) break
        const step = `${at} ${found.step}`
        if (found.prompted && !may.includes(step) && !may.includes(found.step)) wrong.push(step)
      }
      expect(wrong).toEqual([])
    }, 60_000)
})

test.each([{ stopped: false }, { stopped: true }])(
  "while a message waits for its turn, nothing is decided (stopped before: $stopped)",
  ({ stopped }) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
      const lastTurn = {
        messageId: "msg_1",
        createdAt: Date.now() + 60_000,
        ours: true,
        error: stopped ? "MessageAbortedError" : null,
        ended: true,
        contextTokens: 0,
        isSummary: false,
        isUnanswered: false,
      }
      const identity = { agent: null, model: null, variant: null }
      const answers = { lastTurn: async () => ({ lastTurn, failure: null, identity, model: null }) }
      const plugin = openPlugin(root, QUICK, answers)
      await plugin.startWork(LEAD, "plans/demo.md")
      const message = { id: "msg_2", sessionID: LEAD, role: "user", agent: "build" } as never
      await plugin.hooks["chat.message"]?.({ sessionID: LEAD }, { message, parts: [] })
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toEqual([])
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect(Object.values(boulder?.works ?? {})).toMatchObject([{ status: "active" }])
      await plugin.hooks.dispose?.()
    }),
)
