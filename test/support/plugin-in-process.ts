import type { Hooks } from "@opencode-ai/plugin"
import { reactionsOf } from "../../src/opencode/hooks.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import { openSessions } from "../../src/opencode/host/sessions.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { hooksOf } from "../../src/opencode/host/v1/hooks-of.ts"
import { V1_WORDS } from "../../src/opencode/host/v1/v1-words.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { openProofFiles } from "../../src/store/records/proof-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openShardFiles } from "../../src/store/records/shard-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { readOlderBoulder } from "../../src/store/revisions/older-boulder.ts"
import { IN_OPENCODE } from "./by-name.ts"

/** The plugin's hooks on real files, with a host of a few lines: for what needs many calls or many processes. */
export interface PluginInProcess {
  readonly hooks: Hooks
  /** What the plugin has said to the user and to the host's log, and its prompts. */
  readonly toasts: string[]
  readonly logs: string[]
  readonly prompts: string[]
  /** Runs `/start-work`. Gives the text for the model. */
  startWork(sessionId: string, plan: string): Promise<string>
  /** Runs a slash command with what follows it. Gives the text for the model. */
  command(sessionId: string, name: string, given?: string): Promise<string>
  /** One `task` call for a task, before and after. Gives the result with what the plugin has added to it. */
  delegate(call: {
    lead: string
    key: string
    child: string
    output?: string
    agent?: string
    /** What the child does before its result. The host has reported its session by then. */
    during?: () => Promise<unknown>
  }): Promise<string>
  /** One call of any tool, before and after, and what it does. Gives its result, or the words with which it was refused. */
  use(sessionId: string, tool: string, args?: object, during?: () => unknown): Promise<string>
  /** A command in a session's shell that ends with an exit code. */
  /** `during`: what happens while it runs. */
  bash(
    sessionId: string,
    command: string,
    exit?: number | null,
    how?: { readonly workdir?: string; readonly during?: () => unknown },
  ): Promise<string>
  /** The host reports how full a session's context is after an answer of its model, and what that has cost. */
  tellTokens(sessionId: string, tokens: number, usd?: number): Promise<void>
  fallIdle(sessionId: string): Promise<void>
  /** A message of the user's own, which begins a turn. */
  say(sessionId: string, text: string): Promise<void>
}

/** Opens the plugin on a project's folder. Parts of the shell may be replaced, and so may the host's answers. */
export function openPlugin(
  root: string,
  given: Partial<Shell> = {},
  answers: Partial<SessionApi> = {},
): PluginInProcess {
  const said = { toasts: [] as string[], logs: [] as string[], prompts: [] as string[] }
  const parents = new Map<string, string>()
  const shell = aShell(root, said, parents, given.now)
  const hooks = hooksOf(reactionsOf({ ...shell, api: { ...shell.api, ...answers }, ...given }))
  let calls = 0
  const used = async (
    sessionID: string,
    tool: string,
    args: object,
    metadata: object,
    during?: () => unknown,
  ) => {
    calls += 1
    const call = { tool, sessionID, callID: `call_${process.pid}_${calls}` }
    try {
      await hooks["tool.execute.before"]?.(call, { args })
    } catch (refusal) {
      return refusal instanceof Error ? refusal.message : String(refusal)
    }
    await during?.()
    const result = { title: "", output: "done", metadata }
    await hooks["tool.execute.after"]?.({ ...call, args }, result)
    return result.output
  }
  const command = async (sessionID: string, name: string, given = ""): Promise<string> => {
    const output = { parts: [] }
    const call = { command: name, sessionID, arguments: given }
    await hooks["command.execute.before"]?.(call, output)
    return String(Reflect.get(output.parts[0] ?? {}, "text"))
  }
  return {
    hooks,
    ...said,
    command,
    startWork: (sessionId, plan) => command(sessionId, "start-work", plan),
    async delegate({ lead, key, child, output, agent = "general", during }) {
      calls += 1
      const call = { tool: "task", sessionID: lead, callID: `call_${process.pid}_${calls}` }
      const args = { description: key, prompt: "do it", subagent_type: agent }
      parents.set(child, lead)
      await hooks["tool.execute.before"]?.(call, { args })
      const metadata = { sessionId: child }
      if (during !== undefined) {
        const { callID } = call
        const state = { status: "running", input: args, metadata }
        const part = { type: "tool", tool: "task", sessionID: lead, callID, state }
        const properties = { sessionID: lead, part }
        await hooks.event?.({ event: { type: "message.part.updated", properties } as never })
        await during()
      }
      const result = { title: key, output: output ?? `did ${key} ${calls}`, metadata }
      await hooks["tool.execute.after"]?.({ ...call, args }, result)
      return result.output
    },
    bash: (sessionID, command, exit = 0, { workdir, during } = {}) =>
      used(
        sessionID,
        "bash",
        { command, ...(workdir === undefined ? {} : { workdir }) },
        { exit },
        during,
      ),
    use: (sessionID, tool, args = {}, during) => used(sessionID, tool, args, {}, during),
    async tellTokens(sessionID, total, cost = 0) {
      calls += 1
      const told = shell.now()
      const tokens = { total, input: total, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
      const info = {
        id: `msg_${calls}`,
        sessionID,
        role: "assistant",
        time: { created: told, completed: told },
        finish: "stop",
        tokens,
        cost,
      }
      const event = { type: "message.updated", properties: { sessionID, info } }
      await hooks.event?.({ event: event as never })
    },
    async say(sessionID, text) {
      calls += 1
      const id = `msg_u${calls}`
      const message = { id, sessionID, role: "user", agent: "build" } as never
      const parts = [{ id: `prt_u${calls}`, sessionID, messageID: id, type: "text", text }] as never
      await hooks["chat.message"]?.({ sessionID }, { message, parts })
      const properties = { sessionID, status: { type: "busy" } }
      await hooks.event?.({ event: { type: "session.status", properties } as never })
    },
    async fallIdle(sessionID) {
      await hooks.event?.({ event: { type: "session.idle", properties: { sessionID } } })
    },
  }
}

/** The parts that the hooks work with, in a folder, with a host that says nothing. */
export function shellIn(root: string): Shell {
  return aShell(root, { toasts: [], logs: [], prompts: [] }, new Map())
}

function aShell(
  root: string,
  said: { toasts: string[]; logs: string[]; prompts: string[] },
  parents: ReadonlyMap<string, string>,
  now = Date.now,
): Shell {
  const records = openRecordFiles({ root })
  return {
    root,
    directory: root,
    ...readOptions({}),
    store: openFileBoulderStore({ root }),
    archive: openWorkArchive(records),
    older: (sessionId, taken = {}) =>
      readOlderBoulder({ root, sessionId, now: new Date(now()).toISOString(), taken }),
    plans: openPlanFiles({ root, now }),
    handoffs: openFileHandoffStore({ root, now }),
    taskStates: openTaskStateFiles(records),
    journal: openJournal({ root }),
    records,
    live: openLiveFiles({ root }),
    shards: openShardFiles(records),
    proofs: openProofFiles(records),
    api: anApi(said, parents),
    asCalled: (text) => text,
    typed: IN_OPENCODE,
    words: V1_WORDS,
    isBrief: false,
    sessions: openSessions(),
    process: { id: "this-process", isElsewhere: async () => false },
    now,
    log: async (message) => {
      said.logs.push(message)
    },
    tree: async () => null,
    moved: () => null,
    planPaths: async () => ({ paths: [], isCut: false }),
    greeting: async () => null,
  }
}

function anApi(
  { toasts, prompts }: { toasts: string[]; prompts: string[] },
  parents: ReadonlyMap<string, string>,
): SessionApi {
  const nobody = { agent: null, model: null, variant: null }
  return {
    session: async (id) => ({ id, parentId: parents.get(id) ?? null, agent: null, title: id }),
    lastTurn: async () => ({ lastTurn: null, failure: null, identity: nobody, model: null }),
    refusedTurn: async () => null,
    busySessions: async () => new Set(),
    contextLimit: async () => null,
    prompt: async (_, text) => {
      prompts.push(text)
    },
    compact: async () => undefined,
    abort: async () => undefined,
    rename: async () => undefined,
    pluginNames: async () => [],
    toast: async (message) => {
      toasts.push(message)
    },
  }
}
