import type { Boulder, Work } from "../boulder/boulder.ts"
import { putWork, stop, takeLead } from "../boulder/change-work.ts"
import { openWorks, workOfSession } from "../boulder/find-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { newWork, workIdOf } from "../boulder/new-work.ts"
import { recordReading } from "../boulder/record-reading.ts"
import {
  choosePlan,
  looksLikePath,
  type PlanCandidate,
  planNameOf,
  requestOf,
} from "../decide/choose-plan.ts"
import { windowOf } from "../decide/window.ts"
import { sayText } from "../prompts/say-text.ts"
import { readLine, startText } from "../prompts/start-text.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import { offerSession } from "./offer-session.ts"
import type { Shell } from "./shell.ts"

type ReadPlan = PlanFileReading & { kind: "read" }

/** `/start-work [plan]`: makes this session the lead of a work and begins; otherwise says why not, and changes nothing. */
export async function startWork(shell: Shell, sessionId: string, request: string): Promise<string> {
  const { boulder, notices } = await shell.store.read()
  const chosen = await chosenPlan(shell, boulder, sessionId, requestOf(request))
  if ("say" in chosen) return sayText(chosen.say)
  const { path, name } = chosen.candidate
  const reading = await shell.plans.read(path)
  if (reading.kind === "unavailable") return sayText([reading.message])
  const refusal = planRefusal(reading, path)
  if (refusal !== null) return sayText(refusal)
  const before = workOf(boulder, path, name)
  if (before !== null && before.lead_session_id !== sessionId && (await isBusy(shell, before)))
    return sayText([
      `Expected ${name} to be free, found session ${before.lead_session_id} working on it right now. Stop it there first, or wait.`,
    ])
  const notes = [...shell.problems, ...notices.map((notice) => notice.message)]
  return begin(shell, { sessionId, path, name, reading, before, notes })
}

interface Beginning {
  readonly sessionId: string
  readonly path: string
  readonly name: string
  readonly reading: ReadPlan
  readonly before: Work | null
  readonly notes: readonly string[]
}

async function begin(shell: Shell, beginning: Beginning): Promise<string> {
  const { sessionId, path, name, reading, before } = beginning
  const now = isoOf(shell.now())
  const size = shell.options.long_run.window_size
  const workId = before?.work_id ?? workIdOf(path, name)
  const { plan, fingerprint } = reading
  const update = await shell.store.update((boulder) => {
    const current = boulder.works[workId]
    const work = approved(
      current === undefined
        ? newWork({ planPath: path, planName: name, sessionId, now })
        : takeLead(sessionId, now)(current),
    )
    const window = windowOf(plan, work, size)
    const started = recordReading({ plan, fingerprint, window })({ ...work, updated_at: now })
    return putWork(othersStopped(boulder, workId, sessionId), started)
  })
  const work = update.boulder.works[workId]
  if (work === undefined)
    return sayText(["The work could not be stored; see opencode-boulder why."])
  const window = windowOf(plan, work, size)
  const [first] = window
  const reuse =
    first === undefined || shell.options.reuse === "off"
      ? null
      : await offerSession(shell, work, first, null)
  const notes = [
    ...beginning.notes,
    ...update.notices.map((notice) => notice.message),
    ...takeoverNote(before, sessionId),
    ...plan.warnings.map((warning) => `line ${warning.line}: ${warning.message}`),
  ]
  return startText({
    planName: name,
    planPath: path,
    plan,
    resumed: before !== null,
    window,
    reuse,
    notes,
  })
}

/** A start is an answer to a wave that waits for one. */
function approved(work: Work): Work {
  const waiting = work.awaiting_approval
  return waiting === null
    ? work
    : { ...work, awaiting_approval: null, approved_wave: waiting.fingerprint }
}

/** A session leads one work: another that it led is stopped, and `/start-work` on it takes it up again. */
function othersStopped(boulder: Boulder, workId: string, sessionId: string): Boulder {
  return Object.values(boulder.works)
    .filter((work) => work.work_id !== workId && work.lead_session_id === sessionId)
    .reduce((done, work) => (stop(work) === work ? done : putWork(done, stop(work))), boulder)
}

function takeoverNote(before: Work | null, sessionId: string): readonly string[] {
  return before === null || before.lead_session_id === sessionId
    ? []
    : [`taken over from session ${before.lead_session_id}`]
}

async function chosenPlan(
  shell: Shell,
  boulder: Boulder | null,
  sessionId: string,
  request: string,
): Promise<{ candidate: PlanCandidate } | { say: readonly string[] }> {
  if (looksLikePath(request)) {
    const path = await shell.plans.inRoot(request)
    if (path === null)
      return {
        say: [
          `Expected a plan inside the project, found ${request}: name a file below ${shell.root}.`,
        ],
      }
    return { candidate: { path, name: planNameOf(path) } }
  }
  const candidates = (await shell.planPaths()).map((path) => ({ path, name: planNameOf(path) }))
  if (request === "") return unnamed(boulder, sessionId, candidates)
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") return choice
  return choice.kind === "ambiguous"
    ? { say: [`${request} could be several plans; name one:`, ...listed(choice.among)] }
    : { say: [`Expected a plan called ${request}, found none.`, ...known(choice.known)] }
}

/** Without a name: the work that this session leads, else the one that is open, else the one plan there is. */
function unnamed(
  boulder: Boulder | null,
  sessionId: string,
  candidates: readonly PlanCandidate[],
): { candidate: PlanCandidate } | { say: readonly string[] } {
  const mine = boulder === null ? null : workOfSession(boulder, sessionId)
  const open = mine !== null && mine.status !== "completed" ? [mine] : openWorks(boulder)
  const fromWorks = open.map((work) => ({ path: work.active_plan, name: work.plan_name }))
  const among = fromWorks.length > 0 ? fromWorks : candidates
  const [only] = among
  if (only !== undefined && among.length === 1) return { candidate: only }
  return { say: only === undefined ? known([]) : ["Which plan? Name one:", ...listed(among)] }
}

function listed(candidates: readonly PlanCandidate[]): readonly string[] {
  const shown = candidates.slice(0, 9).map(({ path, name }) => `/start-work ${name} (${path})`)
  return candidates.length > 9 ? [...shown, `and ${candidates.length - 9} more`] : shown
}

function known(candidates: readonly PlanCandidate[]): readonly string[] {
  return candidates.length === 0
    ? [
        "No plan was found. Put one at .boulder/plans/<name>.md, or give a path: /start-work path/to/plan.md",
      ]
    : ["Plans here:", ...listed(candidates)]
}

function planRefusal({ plan }: ReadPlan, path: string): readonly string[] | null {
  if (plan.state === "complete") return [`Nothing to do in ${path}: ${readLine(plan)}`]
  if (plan.state !== "invalid") return null
  const problems = plan.warnings
    .slice(0, 3)
    .map((warning) => `line ${warning.line}: ${warning.message}`)
  return [
    `Expected tasks as checkboxes (- [ ] 1. …) in ${path}, found none.`,
    readLine(plan),
    ...problems,
  ]
}

function workOf(boulder: Boulder | null, path: string, name: string): Work | null {
  const works = Object.values(boulder?.works ?? {})
  return (
    works.find((work) => work.active_plan === path) ?? boulder?.works[workIdOf(path, name)] ?? null
  )
}

async function isBusy(shell: Shell, work: Work): Promise<boolean> {
  return work.status !== "completed" && (await shell.api.busySessions()).has(work.lead_session_id)
}
