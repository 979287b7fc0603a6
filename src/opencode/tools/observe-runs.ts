// Sees the checks that a work's sessions run, and the files that they write.

import { isoOf } from "../../boulder/iso-time.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { checkRun } from "../../decide/check-run.ts"
import { filesWritten } from "../../decide/files-written.ts"
import type { PlanChecks } from "../../decide/host-event.ts"
import { workLed } from "../../decide/place.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import { ancestorsOf } from "../host/lineage.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { noteChecks } from "../work/judge-ticks.ts"
import { type PlaceAsked, placeOf } from "../work/place-of.ts"
import { writtenNames } from "./write-guard.ts"

/**
 * What is to be seen behind a call of a tool: null, after a look into memory, for any but a command or a write of a
 * session that leads a work or runs below one that does. What was seen is kept in the memory of that lead. `place` is
 * asked where the call is the lead's own and its plan is not known yet.
 */
export function observed(
  shell: Shell,
  { call, place }: { readonly call: ToolCall; readonly place: PlaceAsked },
  result: Pick<ToolResult, "exit">,
): (() => Promise<void>) | null {
  const command = call.kind === "write" ? null : call.command()
  if (shell.options.ticks === "trust" || (call.kind !== "write" && !command)) return null
  const chain = [call.sessionId, ...ancestorsOf(shell, call.sessionId)]
  const leadId = chain.find((id) => shell.sessions.of(id).leads)
  if (leadId === undefined || shell.sessions.of(leadId).isAtRest) return null
  return async () => {
    const placeOfLead = leadId === call.sessionId ? place : () => placeOf(shell, leadId)
    const known = await checksOf(shell, { leadId, place: placeOfLead }, command !== null)
    if (known === null || known.commands.length === 0) return
    const entries = [
      ...(await writesOf(shell, command === null ? call.paths() : filesWritten(command), known)),
      ...(command === null ? [] : await runsOf(shell, known, command, result.exit())),
    ]
    if (entries.length === 0) return
    const task = taskOf(shell, chain)
    const of = { at: isoOf(shell.now()), session: call.sessionId.slice(0, 128), task }
    const seen: readonly ProofEntry[] = entries.map((entry) => ({ ...of, ...entry }))
    shell.sessions.note({ kind: "seen", sessionId: leadId, entries: seen })
  }
}

/** The checks of the plan that a session leads; with `isNow` as the plan has them now. Null where it leads none. */
async function checksOf(
  shell: Shell,
  { leadId, place }: { readonly leadId: string; readonly place: PlaceAsked },
  isNow: boolean,
): Promise<PlanChecks | null> {
  const { checks } = shell.sessions.of(leadId)
  if (checks !== null && !isNow) return checks
  if (checks !== null && (await shell.plans.keptHash(checks.plan)) === checks.hash) return checks
  const path = checks?.plan ?? workLed(await storeSoon(place))?.active_plan ?? null
  const reading = path === null ? null : await shell.plans.read(path)
  if (path === null || reading?.kind !== "read") return checks
  noteChecks(shell, leadId, reading, path)
  return shell.sessions.of(leadId).checks
}

/** The task that the nearest call above has named; null where none runs, or it has named none. */
function taskOf(
  { sessions }: Pick<Shell, "sessions">,
  chain: readonly string[],
): { readonly key: string; readonly title_hash: string } | null {
  for (const [index, id] of chain.entries()) {
    const above = chain[index + 1]
    if (above === undefined) return null
    const call = sessions.of(above).calls.find(({ childId }) => childId === id)
    if (call === undefined) continue
    return call.task === null ? null : { key: call.task.key, title_hash: call.task.titleHash }
  }
  return null
}

async function writesOf(
  shell: Shell,
  paths: readonly string[],
  { plan }: PlanChecks,
): Promise<readonly { kind: "write"; path: string }[]> {
  if (paths.length === 0) return []
  const names = new Set(await writtenNames(shell, { paths: () => paths }, plan))
  return [...names]
    .filter((path) => isSource(path, plan))
    .map((path) => ({ kind: "write", path: path.slice(-512) }))
}

async function runsOf(
  shell: Shell,
  { commands }: PlanChecks,
  command: string,
  exit: number | null,
) {
  const runs = commands.flatMap((check) => {
    const outcome = checkRun(command, check, exit)
    return outcome === null ? [] : [{ check, outcome }]
  })
  if (runs.length === 0) return []
  const tree = await shell.tree()
  return runs.map((run) => ({ ...run, kind: "run" as const, exit, tree }))
}

/** The plan and our own files are no work of a task; what lies outside of the project is none of it. */
function isSource(path: string, plan: string): boolean {
  return (
    path !== plan && !path.startsWith(".boulder/") && path !== ".boulder" && !path.startsWith("/")
  )
}
