// Runs `/stop-work` and `/work-status`.

import type { Boulder, Work } from "../../boulder/boulder.ts"
import { changeWork, stop } from "../../boulder/change-work.ts"
import { latestFirst, openWorks } from "../../boulder/find-work.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { stateSeen, workStateOf } from "../../boulder/work-state.ts"
import { choosePlan, looksLikePath, pathsOf, requestOf } from "../../decide/choose-plan.ts"
import { nameIfNeeded, nameOfWork } from "../../decide/name-work.ts"
import { placeIn } from "../../decide/place.ts"
import { limitedTasks } from "../../decide/provider-says.ts"
import { ageText } from "../../prompts/handoff-words.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import { quote } from "../../prompts/quote.ts"
import { decidedWords } from "../../prompts/reasons.ts"
import { sayText } from "../../prompts/say-text.ts"
import { statusLines } from "../../prompts/status-text.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { workAt } from "../../store/plans/work-of-plan.ts"
import type { Shell } from "../host/shell.ts"
import { leadFacts } from "../live/keep-view.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { changeReading } from "../work/record-plan.ts"
import { type CommandAnswer, refused } from "./command-answer.ts"

const STOPPED = { decision: "pause", reason: "stopped-by-user" }
/** Lines of the journal that are not decisions. */
const NO_DECISIONS: ReadonlySet<string> = new Set(["error", "notice"])

/** `/stop-work [plan]`: pauses the work of this session, or the named one, until `/start-work`. */
export async function stopWork(
  shell: Shell,
  sessionId: string,
  request: string,
): Promise<CommandAnswer> {
  const { boulder } = await shell.store.read()
  const name = requestOf(request)
  const meant = await workMeant(shell, boulder, { sessionId, request: name })
  const nameOf = (work: Work) => nameOfWork(work, Object.values(boulder?.works ?? {}))
  if ("ask" in meant)
    return refused([meant.ask, ...meant.among.map((one) => shell.typed("stop", nameOf(one)))])
  const { work } = meant
  const stopped = await changeOnWork(shell, work, stop)
  // Whoever leads it by now: it is this plan that must stop.
  const now = isoOf(shell.now())
  if (stopped === null) await shell.store.update(changeWork(work.work_id, now, stop))
  const isNew = work.pause_reason !== STOPPED.reason
  if (isNew)
    await shell.journal.append({
      ...STOPPED,
      at: now,
      session: sessionId,
      work: work.work_id,
      facts: {},
    })
  return {
    text: sayText([
      `Plan ${work.plan_name} ${isNew ? "stopped" : "was stopped already"}. To resume: ${shell.typed("resume", nameOf(work))}`,
    ]),
  }
}

/** `/work-status`: every work with its counts, as its plan has them now, and why it waits. */
export async function workStatus(shell: Shell): Promise<string> {
  const { boulder, notices } = await shell.store.read()
  const works = Object.values(boulder?.works ?? {}).sort(latestFirst)
  const { entries } = await shell.journal.readLast(1, (entry) => !NO_DECISIONS.has(entry.decision))
  const now = shell.now()
  const views = await shell.live.readAll(now)
  const statuses = await Promise.all(
    works.map(async (known) => {
      const { work, reading } = await readPlanOf(shell.plans, known)
      const lead = await leadFacts(shell, work)
      const facts = { more: pauseWords(work), now }
      return statusLines(asPlanned(shell, work, reading), await blockedNow(shell, work, reading), {
        state: lead === null ? stateSeen(work, views, facts) : workStateOf(work, lead, facts),
        limited: limitedTasks(reading, work, now),
        name: nameOfWork(work, works),
        among: works.length,
        now,
        typed: ofWork(shell.typed, nameIfNeeded(work, boulder)),
      })
    }),
  )
  const lines = [
    ...shell.problems,
    ...notices.map((notice) => notice.message),
    ...statuses.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines])),
    ...entries.flatMap((entry) => [
      "",
      `Last decision: ${decidedWords(entry)}, ${ageText(entry.at, now)}`,
    ]),
  ]
  return sayText(
    works.length === 0
      ? [
          `No work was started here. To start one: ${shell.typed("run", { as: "<plan>" })}`,
          ...lines,
        ]
      : lines,
  )
}

/** A work with what its plan says now: no hook reports ticks set in an editor. */
function asPlanned(shell: Shell, work: Work, reading: PlanFileReading): Work {
  const { context, tokens } = work
  return { ...changeReading(shell, reading, work.lead_session_id)(work), context, tokens }
}

/** The work that is meant, or what to ask, and which works to choose from. */
async function workMeant(
  { plans, directory: from }: Pick<Shell, "plans" | "directory">,
  boulder: Boulder | null,
  { sessionId, request }: { readonly sessionId: string; readonly request: string },
): Promise<{ readonly work: Work } | { readonly ask: string; readonly among: readonly Work[] }> {
  const open = openWorks(boulder)
  if (open.length === 0)
    return { ask: "Expected an open work, found none: there is nothing to stop.", among: [] }
  const there = looksLikePath(request)
    ? await workAt(open, pathsOf(request), { plans, from })
    : null
  if (there !== null) return { work: there }
  if (request !== "") {
    const candidates = open.map((work) => ({ path: work.active_plan, name: work.plan_name, work }))
    const choice = choosePlan(candidates, request)
    const shown = quote(request, 16)
    if (choice.kind === "chosen") return choice.candidate
    return choice.kind === "ambiguous"
      ? {
          ask: `${shown} could be several works; name one:`,
          among: choice.among.map(({ work }) => work),
        }
      : { ask: `Expected an open work called ${shown}, found none. Name one:`, among: open }
  }
  const { work: mine } = placeIn(boulder, [sessionId])
  if (mine !== null && mine.status !== "completed") return { work: mine }
  const [only] = open
  return only !== undefined && open.length === 1
    ? { work: only }
    : { ask: "Which work? Name one:", among: open }
}
