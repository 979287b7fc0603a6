// The command `mcp`.
import { HOLDER_ID, LEASE_MINUTES } from "../../boulder/handoff.ts"
import { openHandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import { newHolderId } from "../../store/handoffs/handoff-id.ts"
import { projectScope } from "../../store/handoffs/handoff-scope.ts"
import { ownVersion } from "../own-version.ts"
import { openProject } from "../project/project.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { duration, parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import type { Command } from "./command.ts"

const SESSION_VARIABLE = "OPENCODE_BOULDER_SESSION"
const LEASE = `${LEASE_MINUTES}m`

export const mcpCommand: Command = {
  summary: "Serve the handoff tools over MCP (stdio) for agents in other hosts",
  help: `Usage: opencode-boulder mcp [--session ID] [--agent NAME] [--lease TIME]

Serves save_task_progress, list_blocked_tasks and get_blocked_task over stdin and stdout, on the
handoffs of the project that it is started in. An agent of another host hands work over to
opencode's sessions, and takes theirs.

Options:
  --session ID    The name of this agent's session; else ${SESSION_VARIABLE}; else a random name
                  that lasts as long as the server.
  --agent NAME    Keep to the handoffs of this agent.
  --lease TIME    How long a claimed task stays claimed without a word: 90s, 30m, 2h. Default ${LEASE}.
  --help          Show this help.

Exit codes:
  0  the other side has hung up        1  failed        2  usage

Example:
  { "mcpServers": { "boulder": { "command": "npx", "args": ["-y", "opencode-boulder", "mcp"] } } }
`,
  async run(args, terminal) {
    const options = {
      session: { type: "string" },
      agent: { type: "string" },
      lease: { type: "string", default: LEASE },
    } as const
    const { values } = parseCommand(args, options, 0)
    const sessionId = sessionOf(values.session, terminal)
    const agent = values.agent?.slice(0, 256) ?? null
    const { root, store, plans } = await openProject(terminal)
    const desk = openHandoffDesk({
      root,
      project: projectScope(root),
      handoffs: openFileHandoffStore({ root }),
      store,
      plans,
      now: terminal.now,
      leaseMs: duration(values.lease, "--lease"),
      marksPlans: true,
      byAgent: agent !== null,
    })
    // Loaded here alone: the SDK is large, and neither the plugin nor another command needs it.
    const { serveMcp } = await import("../../mcp/serve-mcp.ts")
    const needs = { desk, store, plans, sessionId, agent, now: terminal.now }
    await serveMcp(needs, {
      version: await ownVersion(),
      signal: terminal.signal,
      tell: (line) => terminal.err(`${line}\n`),
    })
    return 0
  },
}

function sessionOf(given: string | undefined, { env }: Terminal): string {
  const name = given ?? env[SESSION_VARIABLE] ?? ""
  if (name === "") return newHolderId()
  if (HOLDER_ID.test(name)) return name
  throw new UsageError(
    `Expected a session's name of at most 128 letters, digits and _ . : -; found ${name.slice(0, 80)}.`,
  )
}
