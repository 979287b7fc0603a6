// Runs `/start-work [plan]`.
// Over 250 lines: what a start looks at is asked again if its write finds that it has changed.
import { type Boulder, type Change, emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { putWork, takeLead } from "../../boulder/change-work.ts"
import { followTasks, withoutGone } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { newWork } from "../../boulder/new-work.ts"
import { forgetWave } from "../../boulder/reopen-work.ts"
import { beginRound, firstRound } from "../../boulder/round-record.ts"
import { book, type Spent } from "../../boulder/spent.ts"
import { adoptOlder } from "../../boulder/upgrade-older-format.ts"
import { requestOf } from "../../decide/choose-plan.ts"
import {
  approveByStart,
  isApprovalLapsed,
  isUnfinished,
  isWaveApproved,
} from "../../decide/final-wave.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { placeIn, workLed } from "../../decide/place.ts"
import { rivalIn } from "../../decide/rivals.ts"
import { windowOf } from "../../decide/window.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { settledCount, warningWords } from "../../plan/model/plan.ts"
import { losingFirst } from "../../plan/tasks/left-out.ts"
import { saysHowToWork } from "../../prompts/how-to-work.ts"
import { TOLD } from "../../prompts/notice-text.ts"
import { planRefusal } from "../../prompts/plan-refusal.ts"
import { startText } from "../../prompts/start-text.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { isInPlace } from "../../store/disk/store-error.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { readToMark } from "../../store/plans/read-plan-of.ts"
import type { OlderBoulder } from "../../store/revisions/older-boulder.ts"
import { waitingFor } from "../handoffs/handoff-hooks.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { STALE, untilFresh } from "../work/decide-on-work.ts"
import { noteBlocks } from "../work/journal-reading.ts"
import { beginProof } from "../work/note-proof.ts"
import { shardWarnings } from "../work/note-shard.ts"
import { changeReading } from "../work/record-plan.ts"
import { settlingOf, showWindow, tellWindow } from "../work/show-window.ts"
import { takeSpent } from "../work/take-spent.ts"
import { tidyBoulder } from "../work/tidy-boulder.ts"
import { type CommandAnswer, refused } from "./command-answer.ts"
import { leaveOthers } from "./leave-others.ts"
import { meantPlan } from "./meant-plan.ts"
import { occupiedLine, takeOverIn } from "./occupied.ts"
import { budgetNote, takeoverNote } from "./start-notes.ts"
import { takeState } from "./take-state.ts"
import { noteResumed } from "./user-message.ts"
import { workBefore } from "./work-before.ts"

/** `/start-work [plan]`: makes this session the lead of a work and begins. Otherwise says why not, and changes nothing. */
export async function startWork(
  shell: Shell,
  sessionId: string,
  given: string,
): Promise<CommandAnswer> {
  const started = await untilFresh(() => startNow(shell, sessionId, given))
  return started === STALE
    ? refused([
        "Expected the plan as it was read; found that somebody else has changed its state. Type the command again.",
      ])
    : started
}

/** Stale if another session or opencode has begun the plan since it was read. */
async function startNow(
  shell: Shell,
  sessionId: string,
  given: string,
): Promise<CommandAnswer | typeof STALE> {
  const { request, takesOver } = takeOverIn(given)
  const { boulder: stored, notices } = await shell.store.read()
  const older = await shell.older(sessionId, stored?.taken_over)
  const adopt = adoptOlder(older.boulder, await archivedIds(shell, older))
  const ours = stored ?? emptyBoulder()
  const adopted = adopt(ours)
  const isNews = adopted !== ours
  const boulder = isNews ? adopted : stored
  const chosen = await meantPlan(shell, boulder, sessionId, requestOf(request))
  if (!("candidate" in chosen)) return chosen
  const { path, name } = chosen.candidate
  const read = await readToMark(shell.plans, path)
  if (read.kind === "unavailable") return refused([read.message])
  const {
    work: known,
    workId,
    warnings: gone,
  } = await workBefore(shell, boulder, read, { path, name })
  const before = known && followTasks(read)(known)
  const reading = heldReading(read, before)
  const isOver = before === null || !isUnfinished(reading.plan, before)
  const refusal = planRefusal(reading.plan, path, isOver)
  if (refusal !== null) return refused(refusal)
  const occupied =
    before === null || takesOver ? null : await occupiedLine(shell, before, sessionId)
  if (occupied !== null) return refused([occupied], TOLD.takeOver)
  const rivals = rivalNotes(await unlessFailed(shell, () => shell.api.pluginNames(), []))
  const warnings = [...rivals, ...gone]
  const notes = [
    ...warnings,
    ...shell.problems,
    ...notices.map((notice) => notice.message),
    ...(isNews || stored === null ? olderNotes(older) : []),
  ]
  const found = { boulder, reading, before, workId }
  return begin(shell, { sessionId, path, name, ...found, adopt, notes, warnings })
}

interface Beginning {
  readonly sessionId: string
  readonly path: string
  readonly name: string
  /** The state as it was read. */
  readonly boulder: Boulder | null
  readonly reading: ReadPlan
  readonly before: Work | null
  readonly workId: string
  /** Takes over what an older format remembers and we do not. */
  readonly adopt: Change
  readonly notes: readonly string[]
  /** Those of the notes that are also shown as warnings. */
  readonly warnings: readonly string[]
}

async function begin(shell: Shell, beginning: Beginning): Promise<CommandAnswer | typeof STALE> {
  const { sessionId, path, name, reading, before, workId, adopt } = beginning
  const now = isoOf(shell.now())
  const { plan } = reading
  const formerId = before?.lead_session_id ?? sessionId
  // Before the write: if the process dies afterwards, nothing would take over the state later.
  const takeBack = await takeState(shell, { from: formerId, to: sessionId })
  // What the session has spent so far belongs to the work that it has led, or to none.
  const spent = takeSpent(shell, sessionId)
  // What a former lead has spent belongs to the work it still leads: nobody else books it after this.
  const spentBefore = takeSpent(shell, formerId)
  // What the last call of `change` has found.
  const found: { before: Work | null; isStale: boolean } = { before: null, isStale: false }
  const others = await leaveOthers(shell, beginning.boulder, { workId, sessionId })
  const calls = shell.sessions.of(sessionId).calls.map(({ callId }) => callId)
  const take = takeLead(sessionId, now, calls)
  const change: Change = (stored) => {
    const own = booked(adopt(stored), sessionId, spent.spent)
    const boulder = booked(own, formerId, spentBefore.spent)
    const known = boulder.works[workId]
    found.isStale = isBegunSince(before, known)
    if (found.isStale) return stored
    const current = known === undefined ? null : followTasks(reading)(known)
    found.before = current
    const approve = approveByStart(heldReading(reading, current).plan)
    // A complete work begins anew, and so does its final wave.
    const work =
      current === null
        ? newWork({ planPath: path, planName: name, sessionId, now })
        : take(current.status === "completed" ? forgetWave(current) : approve(current))
    const settled = settledCount(plan.counts)
    const first = current === null ? firstRound(plan.counts.done, settled)(work) : beginRound(work)
    const counted = changeReading(shell, reading, sessionId)
    const started = counted({
      ...first,
      work_id: workId,
      active_plan: path,
      plan_name: before?.plan_name ?? name,
      updated_at: now,
      driver: shell.process.id,
    })
    return putWork(others.change(boulder), started)
  }
  const giveBack = async (): Promise<void> => {
    for (const taken of [spent, spentBefore]) taken.giveBack()
    await takeBack()
  }
  const update = await shell.store.update(change).catch(async (error: unknown) => {
    if (!isInPlace(error)) await giveBack()
    throw error
  })
  if (found.isStale) {
    await giveBack()
    return STALE
  }
  const { before: replaced } = found
  const paused = await others.told(update.boulder)
  await warnOf(shell, [...paused, ...beginning.warnings])
  const work = update.boulder.works[workId]
  if (work === undefined)
    return refused(["The work could not be stored; see opencode-boulder why."])
  shell.sessions.note({ kind: "leads", sessionId })
  const window = windowOf(plan, work, shell.options.long_run.window_size)
  tellWindow(shell, sessionId, { work, plan }, window)
  await beginProof(shell, work, reading)
  await unlessFailed(shell, () => nameSession(shell, sessionId, name), undefined)
  const [first] = window
  const shardBefore = replaced?.active_shard ?? 0
  const notes = [
    ...beginning.notes,
    ...update.notices.map((notice) => notice.message),
    ...takeoverNote(replaced && withoutGone(reading)(replaced), sessionId),
    ...budgetNote(replaced),
    ...paused,
    ...losingFirst([...plan.warnings, ...shardWarnings(shell, reading, window)]).map(warningWords),
  ]
  const text = startText({
    planName: name,
    planPath: path,
    plan,
    resumed: replaced !== null,
    window: await showWindow(shell, { ...work, active_shard: shardBefore }, reading, window),
    settling: settlingOf(shell),
    words: shell.words,
    notes,
    waveApproved: isWaveApproved(plan, work),
    approvalLapsed: isApprovalLapsed(plan, work),
    waiting: await waitingFor(shell, sessionId),
    blocked:
      first === undefined
        ? await unlessFailed(shell, () => blockedNow(shell, work, reading), [])
        : [],
    typed: ofWork(shell.typed, nameIfNeeded(work, update.boulder)),
  })
  if (saysHowToWork(first, isWaveApproved(plan, work)))
    shell.sessions.note({ kind: "told-rules", sessionId })
  await noteResumed(shell, replaced, work)
  await noteBlocks(shell, { before: replaced, after: work }, reading)
  return { text, tidy: (at) => tidyBoulder(at, update.boulder, { work, reading }) }
}

async function warnOf({ api }: Pick<Shell, "api">, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await api.toast(warning, "warning")
}

/** Whether another session or another opencode has resumed or archived a work since it was read. */
function isBegunSince(before: Work | null, newest: Work | undefined): boolean {
  if (newest === undefined) return before !== null
  return (
    before?.lead_session_id !== newest.lead_session_id ||
    before.driver !== newest.driver ||
    before.status !== newest.status
  )
}

function booked(boulder: Boulder, sessionId: string, spent: readonly Spent[]): Boulder {
  const led = workLed(placeIn(boulder, [sessionId]))
  return led === null ? boulder : putWork(boulder, book(spent)(led))
}

/** The works that have left `boulder.json`. An older file still knows them. */
async function archivedIds(
  { archive }: Pick<Shell, "archive">,
  { files }: OlderBoulder,
): Promise<ReadonlySet<string>> {
  if (files.length === 0) return new Set()
  return new Set((await archive.list()).works.map((work) => work.work_id))
}

const UNNAMED = /^New session - \d{4}-/

/** Names a session after its plan if nobody has named it. */
async function nameSession({ api }: Pick<Shell, "api">, id: string, name: string): Promise<void> {
  const session = await api.session(id)
  if (session !== null && UNNAMED.test(session.title)) await api.rename(id, cleanLine(name))
}

function olderNotes(older: OlderBoulder): readonly string[] {
  const { files, dropped } = older
  const taken = `state imported from ${files.join(", ")}, which stays as it is`
  return files.length === 0 ? dropped : [taken, ...dropped]
}

/** One warning, however many rivals there are. */
function rivalNotes(plugins: readonly string[]): readonly string[] {
  const rival = rivalIn(plugins)
  if (rival === null) return []
  return [
    `${rival} is configured too and may continue sessions as well: the two would fight, keep one`,
  ]
}
