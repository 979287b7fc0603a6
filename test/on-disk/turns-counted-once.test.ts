import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import { HostCallError } from "../../src/opencode/host/session-api.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const FIVE = planOf("Write a", "Write b", "Write c", "Write d", "Write e")
const MODEL = { providerID: "p", modelID: "m" } as never

const workIn = async (root: string): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("no work")
  return work
}

interface Host {
  turn: string | null
  prompt: "ok" | "fails"
  /** How often it was asked to compact; it refuses. */
  compactions: number
}

function scene(
  run: (plugin: PluginInProcess, root: string, host: Host) => Promise<void>,
  options: object = {},
) {
  const host: Host = { turn: null, prompt: "ok", compactions: 0 }
  let sent = 0
  let endedAt = 0
  const turnOf = (messageId: string) =>
    ({
      messageId,
      error: null,
      createdAt: endedAt,
      ended: true,
      ours: true,
      isSummary: false,
      isUnanswered: false,
      contextTokens: 150_000,
    }) as never
  const identity = { agent: null, model: MODEL, variant: null }
  const api: Partial<SessionApi> = {
    lastTurn: async () => ({
      lastTurn: host.turn === null ? null : turnOf(host.turn),
      failure: null,
      identity,
      model: null,
    }),
    prompt: async () => {
      if (host.prompt === "fails") throw new HostCallError("session.prompt")
      sent += 1
      host.turn = `msg_turn${sent}`
      endedAt = Date.now()
    },
    compact: async () => {
      host.compactions += 1
      throw new HostCallError("session.summarize")
    },
  }
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), FIVE)
    const plugin = openPlugin(
      root,
      readOptions({
        continuation: { cooldown_seconds: 0, backoff_seconds: 0 },
        ...options,
      }),
      api,
    )
    await plugin.startWork(LEAD, PLAN)
    await run(plugin, root, host)
    await plugin.hooks.dispose?.()
  })
}

test("prompts that the host does not take are failures, and no turns without progress", () =>
  scene(async (plugin, root, host) => {
    await plugin.fallIdle(LEAD)
    // A turn of ours, with progress.
    await writeFile(join(root, PLAN), ticked(FIVE, "1"))
    host.prompt = "fails"
    const seen: unknown[] = []
    for (let times = 0; times < 4; times++) {
      await plugin.fallIdle(LEAD)
      const { status, pause_reason, continuation } = await workIn(root)
      seen.push([status, pause_reason, continuation.failures, continuation.no_progress_streak])
    }
    expect(seen).toEqual([
      ["active", null, 1, 0],
      ["active", null, 2, 0],
      ["active", null, 3, 0],
      ["active", null, 4, 0],
    ])
  }))

test("a compaction that fails counts no turn without progress", () =>
  scene(
    async (plugin, root, host) => {
      await plugin.fallIdle(LEAD)
      await plugin.tellTokens(LEAD, 150_000)
      await writeFile(join(root, PLAN), ticked(FIVE, "1"))
      await Bun.sleep(120)
      await plugin.use(LEAD, "read")
      await plugin.fallIdle(LEAD)
      await plugin.fallIdle(LEAD)
      const { continuation } = await workIn(root)
      expect([host.compactions, continuation.count]).toEqual([1, 2])
      expect(continuation.no_progress_streak).toBe(0)
    },
    { long_run: { token_soft_limit: 1000, token_hard_limit: 2000 } },
  ))

test("a turn with progress is none without", () =>
  scene(async (plugin, root) => {
    await plugin.fallIdle(LEAD)
    await writeFile(join(root, PLAN), ticked(FIVE, "1"))
    await plugin.fallIdle(LEAD)
    const { continuation, status } = await workIn(root)
    expect([continuation.no_progress_streak, continuation.count, status]).toEqual([0, 2, "active"])
  }))

/** What becomes of a work after three turns of its lead where git tells nothing. */
async function afterTurns(
  turn: (plugin: PluginInProcess, at: number, root: string) => Promise<unknown>,
  options: object = {},
): Promise<string> {
  let status = ""
  await scene(
    async (plugin, root) => {
      await plugin.fallIdle(LEAD)
      for (const at of [1, 2, 3]) {
        await turn(plugin, at, root)
        await plugin.fallIdle(LEAD)
      }
      status = (await workIn(root)).status
    },
    { orchestrator_writes: "allow", long_run: { enabled: false }, ...options },
  )
  return status
}

const CHILD = "ses_child1"

test.each<{
  name: string
  turn: Parameters<typeof afterTurns>[0]
  options?: object
  status: Work["status"]
}>([
  {
    name: "each write another file",
    turn: (plugin, at) => plugin.use(LEAD, "write", { filePath: `src/${at}.ts`, content: "a" }),
    status: "active",
  },
  {
    name: "each write another file, with ticks trusted",
    turn: (plugin, at) => plugin.use(LEAD, "write", { filePath: `src/${at}.ts`, content: "a" }),
    options: { ticks: "trust" },
    status: "active",
  },
  {
    name: "each change one file in another way",
    turn: (plugin, at) =>
      plugin.use(LEAD, "edit", { filePath: "a.ts", oldString: "a", newString: `${at}` }),
    status: "active",
  },
  {
    name: "each write another file, and end with the same build",
    turn: async (plugin, at) => {
      await plugin.use(LEAD, "write", { filePath: `src/${at}.ts`, content: "a" })
      await plugin.bash(LEAD, "rm -rf dist && npm run build")
    },
    status: "active",
  },
  {
    name: "each look by a program that may write",
    turn: (plugin, at) => plugin.bash(LEAD, `grep -rl foo${at} src | xargs cat`),
    status: "paused",
  },
  {
    name: "each write by a command",
    turn: (plugin, at) => plugin.bash(LEAD, `sed -i s/a/${at}/ src/a.ts`),
    status: "active",
  },
  {
    name: "each write the same file with the same content",
    turn: (plugin) => plugin.use(LEAD, "write", { filePath: "src/a.ts", content: "a" }),
    status: "paused",
  },
  {
    name: "each only look",
    turn: (plugin, at) => plugin.bash(LEAD, `cat src/${at}.ts 2>/dev/null`),
    status: "paused",
  },
  {
    name: "each edit the plan and change no mark",
    turn: (plugin, at) =>
      plugin.use(LEAD, "edit", { filePath: PLAN, oldString: "a", newString: `${at}` }),
    status: "paused",
  },
  {
    name: "each write outside the project",
    turn: (plugin, at) => plugin.use(LEAD, "write", { filePath: `/tmp/${at}`, content: "a" }),
    status: "paused",
  },
  {
    name: "each have a subagent's writes of no task",
    turn: async (plugin, at) => {
      const during = () => plugin.use(CHILD, "write", { filePath: `src/${at}.ts`, content: "a" })
      await plugin.delegate({ lead: LEAD, key: "look around", child: CHILD, output: "", during })
    },
    status: "active",
  },
])("without git, turns that $name leave the work $status", async ({ turn, options, status }) =>
  expect(await afterTurns(turn, options)).toBe(status),
)
