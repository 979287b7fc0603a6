// Runs `opencode-boulder run` against a process of the world, from start to end, while model and user go on.
import { waveStatus } from "../../src/decide/final-wave.ts"
import type { HostClient } from "../../src/opencode/host/http/host-client.ts"
import { RunError } from "../../src/opencode/host/http/run-error.ts"
import { heardIn, translateEvent } from "../../src/opencode/host/v1/translate-event.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { familyOf } from "./family.ts"
import type { Crossing } from "./host-core.ts"
import type { Invariant } from "./invariant.ts"
import { DISKS } from "./memory-disk.ts"
import type { SimulatedHost } from "./simulated-host.ts"
import { chosen, type Play } from "./step.ts"
import { began, isBusy, newSession } from "./user-acts.ts"
import type { World } from "./world.ts"
import { PLAN } from "./world-plan.ts"

/** A run that somebody follows in a terminal. */
export interface LiveRun {
  /** The process that it is attached to. */
  readonly process: string
  leadId: string | null
  code: number | null
  /** When its work was first seen to need a person, or to be complete. */
  overSince: number | null
}

/** After the end a run looks at the journal for 2 s, and each of its looks comes 300 ms after the last. */
const ENDS_MS = 10_000

export const LIVE_RUN: Readonly<Record<string, Play<World>>> = {
  "runs the plan": (world, { a }) => {
    const process = chosen([...world.hosts.keys()], a)
    if (process === undefined || world.liveRun?.code === null || isOccupied(world)) return null
    const run: LiveRun = { process, leadId: null, code: null, overSince: null }
    world.liveRun = run
    const ended = world.runCli(["run", "demo", "--attach", urlOf(process)])
    world.run(
      ended.then(({ code, said }) => {
        run.code = code
        const wrong = wrongEnd(world, run)
        if (wrong !== null)
          world.ledger.wrong.push(`run ends with ${code} ${wrong}: ${said.slice(-200)}`)
      }),
    )
    return `In a terminal: opencode-boulder run demo, attached to ${process}.`
  },
}

/** A run ends once nothing more happens to its work without a person. */
export const RUN_RULES: readonly Invariant[] = [
  {
    name: "a run ends with its work",
    broken: (world) => {
      const { liveRun: run, clock, work } = world
      if (run === null || run.code !== null || !isOver(world, run)) {
        if (run !== null) run.overSince = null
        return null
      }
      run.overSince ??= clock.passed
      return clock.passed - run.overSince > ENDS_MS
        ? `it goes on since ${ENDS_MS / 1_000} s; the work is ${work?.status}`
        : null
    },
  },
]

/** Whether a run would be refused because another session works on the plan. */
function isOccupied(world: World): boolean {
  const lead = world.work?.lead_session_id
  return lead !== undefined && isBusy(world, lead)
}

/** Whether nothing more happens to it without a person. */
function isOver(world: World, { leadId, process }: LiveRun): boolean {
  const { work, hosts } = world
  if (!hosts.has(process)) return false
  if (work === null || work.lead_session_id !== leadId) return false
  // After a stop, the running turn is finished, and its end may be reported late.
  if (world.isStopped && (isBusy(world, leadId) || world.isHoldingEvents)) return false
  const isPaused = work.status === "paused" && work.pause_reason !== "usage-limited"
  return isPaused || work.status === "completed" || work.awaiting_approval !== null
}

/** In words, an exit code that does not fit plan and work; null if it fits. */
function wrongEnd(world: World, { leadId, code }: LiveRun): string | null {
  const { work, ledger } = world
  // What it was told may be late or incomplete.
  if (leadId === null || ledger.isBlind || world.isHoldingEvents || work === null) return null
  if (code === 0) return work.status === "completed" ? null : `and the work is ${work.status}`
  if (work.lead_session_id !== leadId) return null
  if (work.status === "completed") return "and the work is complete"
  if (code !== 3) return null
  const isAsked = [...world.hosts.values()].some(({ asked }) =>
    asked.some(({ sessionId }) => familyOf(world, leadId).includes(sessionId)),
  )
  const agent = world.db.sessions.get(leadId)?.agent
  const isOthers = work.agent !== null && agent !== work.agent
  const wave = waveStatus(parsePlan(world.plan, { path: PLAN }), work)
  const needsUser =
    isAsked || isOthers || work.status === "paused" || work.awaiting_approval !== null
  return needsUser || wave.rejected.length > 0 ? null : "and nobody is needed"
}

function urlOf(process: string): string {
  return `http://${process}.test`
}

/** The API of a process by its address; null if no process of the world has it. */
export function clientAt(world: World, url: string, over: AbortSignal): HostClient | null {
  const process = [...world.hosts.keys()].find((name) => urlOf(name) === url)
  return process === undefined ? null : clientOf(world, process, over)
}

function clientOf(world: World, process: string, over: AbortSignal): HostClient {
  const root = `${DISKS}cli`
  /** A process that has ended answers nothing. */
  const ask = async <Value>(answer: (host: SimulatedHost) => Value): Promise<Value> => {
    const host = world.hosts.get(process)
    if (host === undefined) throw new RunError(`opencode at ${urlOf(process)} refused a question`)
    return answer(host)
  }
  const reply = (id: string, given: Parameters<SimulatedHost["reply"]>[1]) =>
    ask((host) => host.reply(id, given))
  return {
    paths: () => ask(() => ({ worktree: root, directory: root })),
    commandNames: () => ask(() => ["start-work"]),
    agentNames: () => ask(() => ["build", "plan"]),
    modelNames: () => ask(() => []),
    folderOf: () => ask(() => root),
    createSession: () =>
      ask(() => {
        const id = newSession(world, process)
        if (id === null) throw new RunError("too many sessions")
        if (world.liveRun !== null) world.liveRun.leadId = id
        return id
      }),
    startWork: (id, { argument, signal }) =>
      ask(() => {
        const turn = began(world, id, "start-work", argument)?.turn ?? Promise.resolve()
        const gone = Promise.withResolvers<null>()
        signal.addEventListener("abort", () => gone.resolve(null))
        return Promise.race([gone.promise, turn.then(() => null, String)])
      }).then((refused) => refused),
    firstTexts: (id) =>
      ask(() => (world.db.messages(id)[0]?.parts ?? []).flatMap(({ text }) => text ?? [])),
    waiting: () =>
      ask(({ asked }) =>
        asked.map(({ kind, id, sessionId: sessionID, questions }) => ({
          type: `${kind}.asked`,
          properties: { id, sessionID, questions },
        })),
      ),
    answerQuestion: (id, answers) =>
      reply(id, answers === null ? { kind: "no" } : { kind: "yes", answers }),
    answerPermission: (id, given) => reply(id, { kind: given === "reject" ? "no" : "yes" }),
    events: (signal) => ask(() => eventsOf(world, process, AbortSignal.any([signal, over]))),
    told: (event) => translateEvent(event, world.clock.now),
    heard: (event) => heardIn(event, world.clock.now),
  }
}

/** What a process reports from here on, until it ends. */
async function* eventsOf(
  world: World,
  process: string,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const come: unknown[] = [{ type: "server.connected", properties: {} }]
  let wake = (): void => undefined
  const follow = (from: string, seen: Crossing | null): void => {
    if (from !== process) return
    if (seen?.kind === "event") come.push({ type: seen.type, properties: seen.properties })
    wake()
  }
  world.followers.add(follow)
  signal.addEventListener("abort", () => wake())
  try {
    while (!signal.aborted && world.hosts.has(process)) {
      const [next] = come.splice(0, 1)
      if (next !== undefined) yield next
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    world.followers.delete(follow)
  }
}
