// Carries a plan to its end against an opencode server.
import { setTimeout as sleep } from "node:timers/promises"
import { isoOf } from "../boulder/iso-time.ts"
import { expectAnswer, hostClient } from "../opencode/host/http/host-client.ts"
import type { ServerAccess } from "../opencode/host/http/server-access.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { SLASH } from "../prompts/typed-command.ts"
import { openProcessLife } from "../store/disk/process-life.ts"
import { openSayingStore } from "../store/records/noticing-store.ts"
import { openProjectFiles, type ProjectFiles } from "../store/records/project-files.ts"
import { type Begun, beginWork } from "./begin-work.ts"
import { checkHost } from "./check-host.ts"
import { findOpencode } from "./find-opencode.ts"
import { followEvents } from "./follow-events.ts"
import { leaveWork } from "./leave-work.ts"
import { type EventObserver, observeEvents } from "./observe-events.ts"
import { observeWork, type Standing, type WorkObserver } from "./observe-work.ts"
import type { Need, RunEvent, RunOutcome } from "./run-event.ts"
import { openRunLimit, type RunLimit } from "./run-limit.ts"
import { lastLines, serveOpencode } from "./serve-opencode.ts"
import { neededFirst } from "./waiting-work.ts"

export interface RunOptions {
  /** The project's root, as `findProjectRoot` gives it. */
  readonly root: string
  /** The plan's name or path; "" for the default. */
  readonly plan: string
  /** A running server; undefined starts one, and stops it at the end. */
  readonly attach?: ServerAccess | undefined
  /** The opencode to start; undefined finds one. */
  readonly binary?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly model?: string | undefined
  readonly agent?: string | undefined
  readonly timeoutMs?: number | undefined
  /** A provider's limit ends the run instead of being waited for. */
  readonly noWait?: boolean | undefined
  /** Keeps running at a question, a permission request or an approval, so that another terminal can answer. */
  readonly stays?: boolean | undefined
  /** Ends the run. If it started the server, the work stops, too, and is paused. */
  readonly signal: AbortSignal
  readonly onEvent: (event: RunEvent) => void
}

const LOOK_MS = 300
const NO_SERVER = "Start it there (opencode serve), or run without --attach."
/** Needs that another terminal can meet while the run goes on. */
const ANSWERABLE: ReadonlySet<string> = new Set(["question", "permission", "awaiting-approval"])
/** If the work does not have this session as its lead this long after the turn of `/start-work`, it was not started. */
const START_LAG_MS = 3_000

/**
 * Carries a plan to its end with an opencode server: starts or attaches to one, runs `/start-work` in a new session, and follows it until
 * the work ends or a person is needed. Throws a `RunError` if it cannot begin.
 */
export async function runPlan(options: RunOptions): Promise<RunOutcome> {
  const { store, plans } = openFiles(options)
  const { boulder } = await store.read()
  const need = await neededFirst(boulder, options.plan, plans)
  if (need !== null) return { kind: "needs-user", need }
  const limit = openRunLimit(options)
  try {
    return await onServer(options, limit)
  } catch (error) {
    const outcome = limit.outcome()
    if (outcome === null) throw error
    return outcome
  } finally {
    limit.release()
  }
}

async function onServer(options: RunOptions, limit: RunLimit): Promise<RunOutcome> {
  const { attach, root, env, onEvent } = options
  if (attach !== undefined) {
    await expectAnswer(attach, limit.signal, NO_SERVER)
    onEvent({ kind: "server", url: attach.url, started: false })
    return follow(options, limit, attach, new Promise<never>(() => undefined))
  }
  const binary = options.binary ?? (await findOpencode(root, env))
  onEvent({ kind: "starting", program: binary })
  const server = await serveOpencode({ binary, directory: root, env, signal: limit.signal })
  const end: { leadId: string | null; driver: string | null; outcome: RunOutcome | null } = {
    ...{ leadId: null, driver: null, outcome: null },
  }
  const gone = watchFor(server.ended)
  const following: RunOptions = {
    ...options,
    onEvent(event) {
      if (event.kind === "session") end.leadId = event.sessionId
      if (event.kind === "begun") end.driver = event.driver
      onEvent(event)
    },
  }
  const leave = async (): Promise<void> => {
    const { leadId, driver, outcome } = end
    if (leadId === null) return
    const files = openFiles(options)
    const isHeard = (writer: string) => files.live.isHeard(writer, Date.now())
    const { isElsewhere } = await openProcessLife("", isHeard)
    const run = { ...files, leadId, driver, isElsewhere, emit: onEvent }
    await leaveWork({ ...run, outcome: outcome ?? limit.outcome() }).catch((error: unknown) =>
      onEvent({ kind: "note", text: `the work was not paused: ${String(error)}` }),
    )
  }
  try {
    onEvent({ kind: "server", url: server.access.url, started: true })
    const ended = server.ended.then((printed) => `opencode has ended: ${lastLines(printed)}`)
    end.outcome = await follow(following, limit, server.access, ended)
    return end.outcome
  } finally {
    // If opencode ended by itself, another one may take over as usual.
    const isOurs = gone() === null
    // A second Ctrl-C may end us before the server has ended, which could still start the work.
    if (isOurs) await leave()
    await server.stop()
    if (isOurs) await leave()
  }
}

function openFiles({ root, onEvent }: RunOptions): ProjectFiles {
  const files = openProjectFiles({ root, now: Date.now })
  const tell = (text: string) => onEvent({ kind: "note", text })
  return { ...files, store: openSayingStore({ ...files, tell }) }
}

async function follow(
  options: RunOptions,
  limit: RunLimit,
  access: ServerAccess,
  serverEnded: Promise<string>,
): Promise<RunOutcome> {
  const { root, onEvent: emit } = options
  const { signal } = limit
  const { url } = access
  const client = hostClient(access, { directory: root, signal })
  await checkHost(client, { root, url, model: options.model, agent: options.agent })
  let observer: EventObserver | null = null
  const take = async (event: unknown) => {
    await observer?.take(client.told(event))
    await observer?.take(client.heard(event))
  }
  const feed = await followEvents(client, take, signal)
  const leadId = await client.createSession(titleOf(options.plan))
  const since = isoOf(Date.now())
  const work = observeWork({ ...openFiles(options), leadId, since, emit })
  observer = observeEvents({ leadId, emit, taskOf: work.taskOf })
  emit({ kind: "session", sessionId: leadId })
  const start = beginWork(client, leadId, options, signal)
  const lost = feed.lost.then(() => `opencode at ${url} no longer answers`)
  const gone = watchFor(Promise.race([serverEnded, lost]))
  return untilEnd(options, { work, observer, start, gone, limit })
}

interface Run {
  readonly work: WorkObserver
  readonly observer: EventObserver
  readonly start: () => Begun | null
  /** Why nothing more will come from the server; null while something may. */
  readonly gone: () => string | null
  readonly limit: RunLimit
}

async function untilEnd(options: RunOptions, run: Run): Promise<RunOutcome> {
  const { signal, outcome } = run.limit
  const handled = new Set<string>()
  while (!signal.aborted) {
    const standing = await run.work.look(run.observer.fellIdle())
    if (standing.kind === "complete") return standing
    const failure = failureOf(run, standing)
    if (failure !== null) return { kind: "failed", message: failure }
    if (standing.kind === "waits" && options.noWait === true && !run.observer.leadWorks())
      return { kind: "needs-user", need: standing.need }
    const need = newNeed(run, standing, handled)
    if (need !== null && !isStayedFor(options, need)) return { kind: "needs-user", need }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  return outcome() ?? { kind: "interrupted" }
}

function failureOf({ observer, start, gone }: Run, standing: Standing): string | null {
  const refusal = observer.refusal()
  if (refusal !== null && standing.kind === "not-started") return refusal
  if (standing.kind === "removed")
    return "the state of this work was removed from .boulder while it ran. Its plan keeps what is ticked: run it again to continue."
  const started = start()
  if (started?.problem != null) return started.problem
  if (
    started !== null &&
    standing.kind === "not-started" &&
    performance.now() > started.endedAt + START_LAG_MS
  )
    return `/${SLASH.start} has ended, but no work of this session is in .boulder/boulder.json: does the server run on this machine, with the plugin?`
  return gone()
}

/**
 * What a person is needed for, unless that was already handled. While a handled request is open, the next request counts, and what becomes
 * of the work; but not the work's wait for an approval, which such a request may be about. If the work was stopped during a turn, that turn
 * ends first, since the server ends with the run.
 */
function newNeed({ observer }: Run, standing: Standing, handled: Set<string>): Need | null {
  const open = observer.requests()
  const request = open.find(({ requestId }) => !handled.has(requestId))
  const wanted =
    request === undefined ? standing : ({ need: request, key: request.requestId } as const)
  if (
    !("need" in wanted) ||
    ("kind" in wanted && wanted.kind === "waits") ||
    (request === undefined && open.length > 0 && ANSWERABLE.has(wanted.need.reason)) ||
    (wanted.need.reason === "stopped-by-user" && open.length === 0 && observer.leadRuns()) ||
    handled.has(wanted.key)
  )
    return null
  handled.add(wanted.key)
  return wanted.need
}

/** Whether the run waits until another terminal has met this need, and says so. */
function isStayedFor({ stays, onEvent }: RunOptions, need: Need): boolean {
  if (stays !== true || !ANSWERABLE.has(need.reason)) return false
  onEvent({ kind: "needs", need })
  return true
}

function watchFor(promise: Promise<string>): () => string | null {
  let found: string | null = null
  promise.then(
    (message) => {
      found = message
    },
    (error: unknown) => {
      found = String(error)
    },
  )
  return () => found
}

function titleOf(plan: string): string {
  return plan === ""
    ? "opencode-boulder run"
    : cleanLine(`opencode-boulder run ${plan.slice(0, 80)}`)
}
