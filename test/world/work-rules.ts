// Rules for what a work may say of itself, and what the plugin may say about it.
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { Work } from "../../src/boulder/boulder.ts"
import { isSettled, type Plan } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { callerOf } from "./family.ts"
import { firstBroken, type Invariant } from "./invariant.ts"
import type { Said } from "./ledger.ts"
import { olderState } from "./older-state.ts"
import type { World } from "./world.ts"
import { bare, PLAN, rowsOf } from "./world-plan.ts"

const MOST_BYTES = 256 * 1_024
const MOST_TIMERS = 200
/** The most tokens (o200k) of our frame, by where it is said: the README's figures. */
const MOST_TOKENS: Readonly<Record<string, number>> = {
  prompt: 450,
  "/start-work": 600,
  "after task": 150,
}

const approvedByAct: Invariant = {
  name: "approval only by an act",
  broken: ({ work, ledger, recentPlans }) => {
    const wave = work?.approved_wave ?? null
    const isNew = wave !== null && wave !== ledger.approvedWave
    ledger.approvedWave = wave
    if (!isNew) return null
    if (!ledger.approvals.some(({ at, until = at }) => until >= ledger.waveBackAt))
      return "the wave counts as approved; nobody has approved it since its last review"
    // The plan may be edited while the approval is written.
    return recentPlans.some(isWaveDue) ? null : "the wave counts as approved; tasks are open"
  },
}

/** Whether only rows of the plan's wave are open. */
function isWaveDue(plan: string): boolean {
  return rowsOf(plan).every(({ isOfWave, state }) => isOfWave || state === "done")
}

const saidApproved: Invariant = {
  name: "the model is told of an approval only behind an act",
  broken: ({ ledger }) =>
    firstBroken(ledger.news, ({ text, where, at }) =>
      text.includes("The user has approved the final wave") &&
      !where.startsWith("after") &&
      !ledger.approvals.some((one) => one.at <= at)
        ? `${where}: "The user has approved the final wave"; nobody has`
        : null,
    ),
}

const completeByPlan: Invariant = {
  name: "a work is complete only where its plan is",
  broken: ({ work, plan, ledger }) => {
    if (work?.status !== "completed" || ledger.completedAs === plan) return null
    const read = parsePlan(plan, { path: PLAN })
    const isOver = read.tasks.every((task) => isSettled(task) || task.optional)
    if (isOver) {
      ledger.completedAs = plan
      return rejectedRow(ledger) ?? unapproved(read, work, ledger)
    }
    // The plan may have been edited after its end.
    return ledger.completedAs === null ? "the work is complete; its plan has open tasks" : null
  },
}

/** A wave that was back must have been approved, or ticked in a turn of the user's. */
function unapproved(plan: Plan, work: Work, { spokeAt, waveBackAt }: World["ledger"]) {
  const rows = plan.tasks.filter(({ section }) => section === "final-wave")
  const isBack = ({ key, titleHash }: Plan["tasks"][number]) => {
    const row = work.final_wave[key]
    return row?.title_hash === titleHash && row.verdict === "pass" && row.outdated !== true
  }
  const isAllowed = work.approved_wave !== null || spokeAt >= waveBackAt
  return rows.length === 0 || !rows.every(isBack) || isAllowed
    ? null
    : "the work is complete; nobody has approved its wave"
}

function rejectedRow({ rejected, approvals }: World["ledger"]): string | null {
  const row = [...rejected].find(([, since]) => !approvals.some(({ at }) => at > since))
  return row === undefined ? null : `the work is complete; the last review of ${row[0]} rejected it`
}

const rejectionStays: Invariant = {
  name: "a rejection stays until its own row's review",
  broken: ({ work, plan, ledger }) => {
    if (work === null || work.status === "completed") return null
    const read = parsePlan(plan, { path: PLAN })
    return firstBroken([...ledger.rejected.keys()], (title) => {
      const task = read.tasks.find((one) => one.title === bare(title))
      const row = task === undefined ? undefined : work.final_wave[task.key]
      return row?.verdict === "pass"
        ? `${title} was rejected by its last review, and counts as passed`
        : null
    })
  },
}

const HINT = /Preferred reuse session for (\S+): (ses_\w+)/g

const fittingOffers: Invariant = {
  name: "every offered session is of this task, of this family, and idle",
  broken: (world) =>
    firstBroken(world.ledger.news, (said) =>
      firstBroken([...said.text.matchAll(HINT)], ([, key = "", id = ""]) => {
        const problem = unfit(world, said, key, id)
        return problem === null ? null : `${said.where}: offers ${id} for ${key}, ${problem}`
      }),
    ),
}

function unfit(world: World, { busy, titles }: Said, key: string, id: string): string | null {
  if (!world.db.sessions.has(id)) return "which is gone"
  if (busy.includes(id)) return "which is busy"
  const named = titles.get(key) ?? []
  const isOfTask = world.ledger.calls.some(
    ({ child, names, state }) =>
      child === id &&
      (state === "returned" || wasLimited(world, id)) &&
      names.some((one) => one && named.includes(one)),
  )
  if (!isOfTask) return "which has not worked on it"
  return callerOf(world, id) === null ? "which nobody has called" : null
}

/** A call that its provider's limit has ended is continued in the same session. */
function wasLimited({ db }: World, id: string): boolean {
  return db.messages(id).some(({ info }) => info.error?.data["statusCode"] === 429)
}

const usersTurn: Invariant = {
  name: "a user's turn is never cut",
  broken: ({ ledger }) =>
    firstBroken(ledger.news, ({ text, where, isUsersTurn, isChild }) =>
      isUsersTurn &&
      !isChild &&
      where.startsWith("after") &&
      text.includes("The next round starts automatically.")
        ? `${where}, in a turn that the user began: its round is ended`
        : null,
    ) ??
    firstBroken(ledger.threw, ({ message, isUsersTurn }) =>
      isUsersTurn && message.includes("hard limit")
        ? `a tool is refused in a turn that the user began: ${message}`
        : null,
    ),
}

const abortedByUser: Invariant = {
  name: "only the user's stop is a stop",
  broken: ({ work, ledger: { stoppedAt } }) =>
    work?.pause_reason === "aborted" && !work.session_ids.some((id) => stoppedAt.has(id))
      ? "the work is paused as aborted; nobody has pressed ESC"
      : null,
}

const cleanText: Invariant = {
  name: "what is injected is short, and has no frame but ours",
  broken: ({ ledger }) =>
    firstBroken(ledger.news, ({ text, where }) => {
      const frames = text.split("<boulder").length - 1
      const tokens = where in MOST_TOKENS ? encode(lastFrameIn(text)).length : 0
      if (tokens > (MOST_TOKENS[where] ?? 0)) return `${where}: ${tokens} tokens`
      return text.includes("<boulder source") || frames > 3 ? `${where}: a foreign frame` : null
    }),
}

/** The last of our frames; nothing if there is none: then all of the text is the model's, or the host's. */
function lastFrameIn(text: string): string {
  return text.includes("<boulder>") ? text.slice(text.lastIndexOf("<boulder>")) : ""
}

const hooksHold: Invariant = {
  name: "no hook throws but a refusal",
  broken: ({ ledger }) =>
    firstBroken(ledger.threw, ({ name, message }) =>
      name === "tool.execute.before" && message.startsWith("boulder: ")
        ? null
        : `${name} throws: ${message}`,
    ),
}

const bounded: Invariant = {
  name: "memory and files stay bounded",
  broken: ({ disk, clock }) => {
    const size = disk.textOf(".boulder/boulder.json")?.length ?? 0
    if (size > MOST_BYTES) return `boulder.json has ${size} bytes`
    return clock.timers > MOST_TIMERS ? `${clock.timers} timers are set` : null
  },
}

const sound: Invariant = {
  name: "what was written is never lost, and never damaged",
  broken: ({ disk, boulder, ledger, begin }) => {
    if (disk.paths().some((path) => path.includes("boulder.json.corrupt-")))
      return "a file was found damaged"
    const text = disk.textOf(".boulder/boulder.json")
    const isOlder = begin.older === "in-place" && text === olderState(PLAN)
    if (text !== null && boulder === null && !isOlder) return "boulder.json cannot be read"
    const revision = boulder?.revision ?? 0
    if (revision < ledger.revision) return `revision ${revision} behind ${ledger.revision}`
    ledger.revision = revision
    return null
  },
}

/** What works say, and what is said about them. */
export const WORK_RULES: readonly Invariant[] = [
  approvedByAct,
  saidApproved,
  completeByPlan,
  rejectionStays,
  fittingOffers,
  usersTurn,
  abortedByUser,
  cleanText,
  hooksHold,
  bounded,
  sound,
]
