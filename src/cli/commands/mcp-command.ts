// The command `mcp`.
import { HOLDER_ID } from "../../boulder/handoff.ts"
import { isWaveApproved } from "../../decide/final-wave.ts"
import { openBridgedDesk } from "../../store/fleet/bridged-desk.ts"
import { newHolderId } from "../../store/handoffs/handoff-id.ts"
import { ownVersion } from "../own-version.ts"
import { openProject } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { duration } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"

const SESSION_VARIABLE = "OPENCODE_BOULDER_SESSION"

export const mcpCommand: Run<"mcp"> = async ({ values }, terminal) => {
  const sessionId = sessionOf(values.session, terminal)
  const agent = values.agent?.slice(0, 256) ?? null
  const { records, store, plans, handoffs } = await openProject(terminal)
  const desk = openBridgedDesk({
    records,
    tell: (line) => terminal.err(`${line}\n`),
    handoffs,
    store,
    plans,
    now: terminal.now,
    leaseMs: duration(values.lease, "--lease"),
    marksPlans: true,
    isWaveApproved,
    byAgent: agent !== null,
  })
  // Loaded only here: the SDK is large, and neither the plugin nor another command needs it.
  const { serveMcp } = await import("../../mcp/serve-mcp.ts")
  const needs = { desk, store, plans, sessionId, agent, now: terminal.now }
  await serveMcp(needs, {
    version: await ownVersion(),
    signal: terminal.signal,
    tell: (line) => terminal.err(`${line}\n`),
  })
}

function sessionOf(given: string | undefined, { env }: Terminal): string {
  const name = given ?? env[SESSION_VARIABLE] ?? ""
  if (name === "") return newHolderId()
  if (HOLDER_ID.test(name)) return name
  throw new UsageError(
    `Expected a session's name of at most 128 letters, digits and _ . : -; found ${name.slice(0, 80)}.`,
  )
}
