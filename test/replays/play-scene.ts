import type { ModelRequest } from "../support/host-model-request.ts"
import { startHost } from "../support/opencode-host.ts"
import type { Reply, Script } from "../support/scripted-model.ts"
import { alike, type RecordedMessage, type RecordedTool } from "./recording.ts"
import { type Scene, type Stage, SUMMARY } from "./scenes.ts"
import { FILES, PLAN_PATH } from "./shop.ts"

/** The request at a scene's point, as the host has sent it; ids, paths and times made alike. */
export interface PlayedRequest {
  readonly messages: readonly RecordedMessage[]
  readonly tools: readonly RecordedTool[]
}

const WAIT_MS = 60_000

/** How long a subagent takes to write its file: a call that comes 200 ms behind its own finds it at work. */
const WRITING_MS = 800

/** Plays a scene in a real host up to its point, and gives the request there. */
export async function playScene(scene: Scene): Promise<PlayedRequest> {
  const point = Promise.withResolvers<ModelRequest>()
  const host = await startHost({
    files: { ...FILES, ...(scene.plan === undefined ? {} : { [PLAN_PATH]: scene.plan }) },
    pluginOptions: { continuation: { cooldown_seconds: 0 }, ...scene.options },
    ...(scene.permission === undefined ? {} : { permission: scene.permission }),
    ...(scene.contextLimit === undefined
      ? {}
      : { contextLimit: scene.contextLimit, outputLimit: 4_000 }),
    script: scriptOf(scene, point.resolve),
  })
  try {
    const session = await host.createSession()
    const stage: Stage = {
      host,
      session,
      command: async (name, args) =>
        void (await host.command(session, name, args).catch(() => undefined)),
      say: async (text) => void (await host.prompt(session, text).catch(() => undefined)),
    }
    const playing = (scene.play ?? ((on: Stage) => on.command("start-work", "auth-rewrite")))(stage)
    playing.catch(point.reject)
    const late = setTimeout(
      () => point.reject(new Error(`Expected ${scene.name} to come to its point`)),
      WAIT_MS,
    )
    const request = await point.promise
    clearTimeout(late)
    const { messages, tools } = request.body
    return JSON.parse(alike(JSON.stringify({ messages, tools: tools ?? [] }), host.project))
  } finally {
    await host.stop()
  }
}

/** The lead says what the scene has for it, and hangs at the point; subagents write a file and report. */
function scriptOf(scene: Scene, reached: (request: ModelRequest) => void): Script {
  const replies = [...(scene.lead ?? [])]
  const childs = [...(scene.child ?? [])]
  const atPoint = (request: ModelRequest): Reply => {
    reached(request)
    return { text: "…", hang: true }
  }
  const ofLead = (request: ModelRequest): Reply => {
    const next = replies.shift()
    if (next === undefined) return atPoint(request)
    return typeof next === "function" ? next(request) : next
  }
  const byKind: Readonly<Record<string, (request: ModelRequest) => Reply | undefined>> = {
    title: () => undefined,
    compaction: scene.of === "compaction" ? atPoint : () => ({ text: SUMMARY }),
    child: (request) =>
      scene.of === "child" ? (childs.shift() ?? atPoint(request)) : childOf(scene, request),
    lead: ofLead,
  }
  return (request) => {
    const whose = request.toolNames.includes("task") ? "lead" : "child"
    return byKind[request.kind === "main" ? whose : request.kind]?.(request)
  }
}

/** The files that subagents write before they report, by the keys of their tasks. */
const WRITTEN: Readonly<Record<string, { readonly filePath: string; readonly content: string }>> = {
  "todo:1": {
    filePath: "migrations/004-sessions.sql",
    content:
      "CREATE TABLE sessions (\n  id TEXT PRIMARY KEY,\n  user_id TEXT NOT NULL,\n  created_at TEXT NOT NULL, -- UTC\n  revoked_at TEXT -- UTC\n);\n",
  },
  "todo:6": {
    filePath: "docs/login.md",
    content:
      "# Login\n\nA login opens a session in the table `sessions`; the cookie `sid` holds its id. Whoever tries more than five\ntimes a minute gets a 429. A session is revoked on the account page.\n",
  },
  "todo:7": {
    filePath: "src/login/revoke.js",
    content:
      '/** Ends a session; the log says whose. */\nexport function revoke(session, now, log = console.log) {\n  log("revoked", session.id, "of", session.userId)\n  return { ...session, revokedAt: now.toISOString() }\n}\n',
  },
}

/** A wait in the past: the host's own retries are over at once. */
const LIMITED: Reply = {
  status: 429,
  headers: { "retry-after": "-5" },
  errorBody: {
    error: {
      type: "usage_limit_reached",
      resets_in_seconds: 7_200,
      message: "Usage limit reached",
    },
  },
}

function childOf({ reports = {}, limited = [] }: Scene, request: ModelRequest): Reply {
  const key = /(?:todo|final-wave):\w+/.exec(request.allText())?.[0] ?? "todo:1"
  if (limited.includes(key)) return LIMITED
  const report = reports[key]
  // The rows of a wave come back in their order: which is the last decides what is said.
  if (report !== undefined) return { text: report, delayMs: key === "final-wave:f2" ? 500 : 0 }
  const args = WRITTEN[key]
  if (args === undefined || request.stepOfTurn > 0)
    return { text: `${key} is in place. I ran npm test: 1 passed, 0 failed.` }
  return { toolCalls: [{ name: "write", args }], delayMs: WRITING_MS }
}
