import type { Hooks } from "@opencode-ai/plugin"
import { hooksOf } from "../../src/opencode/hooks.ts"
import { readOptions } from "../../src/opencode/options.ts"
import type { SessionApi } from "../../src/opencode/session-api.ts"
import { openSessions } from "../../src/opencode/sessions.ts"
import type { Shell } from "../../src/opencode/shell.ts"
import { openFileBoulderStore } from "../../src/store/file-boulder-store.ts"
import { openFileHandoffStore } from "../../src/store/handoff-file-store.ts"
import { openJournal } from "../../src/store/journal.ts"
import { readOlderBoulder } from "../../src/store/older-boulder.ts"
import { openPlanFiles } from "../../src/store/plan-files.ts"
import { openRecordFiles } from "../../src/store/record-files.ts"
import { openTaskStateFiles } from "../../src/store/task-state-files.ts"
import { openWorkArchive } from "../../src/store/work-archive.ts"

/** The plugin's hooks on real files, with a host of a few lines: for what needs many calls or many processes. */
export interface PluginInProcess {
  readonly hooks: Hooks
  /** What the plugin has said to the user and to the host's log, and what it has prompted. */
  readonly toasts: string[]
  readonly logs: string[]
  readonly prompts: string[]
  /** Runs `/start-work`; gives the text for the model. */
  startWork(sessionId: string, plan: string): Promise<string>
  /** One `task` call for a task, before and after; gives the result with what the plugin has added to it. */
  delegate(call: { lead: string; key: string; child: string }): Promise<string>
  fallIdle(sessionId: string): Promise<void>
}

/** Opens the plugin on a project's folder; a shell's parts may be replaced, and what the host answers. */
export function openPlugin(
  root: string,
  given: Partial<Shell> = {},
  answers: Partial<SessionApi> = {},
): PluginInProcess {
  const said = { toasts: [] as string[], logs: [] as string[], prompts: [] as string[] }
  const parents = new Map<string, string>()
  const shell = aShell(root, said, parents)
  const hooks = hooksOf({ ...shell, api: { ...shell.api, ...answers }, ...given })
  let calls = 0
  return {
    hooks,
    ...said,
    async startWork(sessionID, plan) {
      const output = { parts: [] }
      await hooks["command.execute.before"]?.(
        { command: "start-work", sessionID, arguments: plan },
        output,
      )
      return String(Reflect.get(output.parts[0] ?? {}, "text"))
    },
    async delegate({ lead, key, child }) {
      calls += 1
      const call = { tool: "task", sessionID: lead, callID: `call_${process.pid}_${calls}` }
      const args = { description: key, prompt: "do it", subagent_type: "general" }
      parents.set(child, lead)
      await hooks["tool.execute.before"]?.(call, { args })
      const result = { title: key, output: `did ${key} ${calls}`, metadata: { sessionId: child } }
      await hooks["tool.execute.after"]?.({ ...call, args }, result)
      return result.output
    },
    async fallIdle(sessionID) {
      await hooks.event?.({ event: { type: "session.idle", properties: { sessionID } } })
    },
  }
}

function aShell(
  root: string,
  said: { toasts: string[]; logs: string[]; prompts: string[] },
  parents: ReadonlyMap<string, string>,
): Shell {
  const now = Date.now
  const records = openRecordFiles({ root })
  return {
    root,
    directory: root,
    ...readOptions({}),
    store: openFileBoulderStore({ root }),
    archive: openWorkArchive(records),
    older: (sessionId) => readOlderBoulder({ root, sessionId, now: new Date(now()).toISOString() }),
    plans: openPlanFiles({ root, now }),
    handoffs: openFileHandoffStore({ root }),
    taskStates: openTaskStateFiles(records),
    journal: openJournal({ root }),
    records,
    api: anApi(said, parents),
    sessions: openSessions(),
    now,
    log: async (message) => {
      said.logs.push(message)
    },
    tree: async () => null,
    planPaths: async () => [],
  }
}

function anApi(
  { toasts, prompts }: { toasts: string[]; prompts: string[] },
  parents: ReadonlyMap<string, string>,
): SessionApi {
  const nobody = { agent: null, model: null, variant: null }
  return {
    session: async (id) => ({ id, parentId: parents.get(id) ?? null, agent: null, title: id }),
    lastTurn: async () => ({ lastTurn: null, identity: nobody, model: null }),
    busySessions: async () => new Set(),
    contextLimit: async () => null,
    prompt: async (_, text) => {
      prompts.push(text)
    },
    compact: async () => undefined,
    pluginNames: async () => [],
    toast: async (message) => {
      toasts.push(message)
    },
  }
}
