// What the panel shows: one pure function of what the view files tell.
// Over 250 lines: each slot shows the same work, and the lines of all are made of the same few parts.
import { isKnown, isNone } from "../boulder/cost.ts"
import type { WorkState, WorkView } from "../boulder/live-view.ts"
import { columnsOf, fitLine, wrapLine } from "../cli/views/columns.ts"
import { progressBar } from "../cli/views/progress-bar.ts"
import { costWords } from "../prompts/budget-words.ts"
import {
  fittingStateWords,
  type StateReader,
  stateName,
  stateWords,
} from "../prompts/work-state-words.ts"
import type { Seen } from "./follow-views.ts"
import { callWords, limitWords, shortNumber } from "./short-words.ts"

/** The colour of a line, in the user's theme. */
export type Tone = "text" | "muted" | "good" | "warning" | "error" | "accent"

/** A line of the panel, no wider than its columns. */
export interface PanelLine {
  readonly text: string
  readonly tone: Tone
}

/** What each of the host's slots shows; null or no line if there is nothing to show. */
export interface Panel {
  readonly sidebar: readonly PanelLine[]
  /** To the right of the prompt. */
  readonly mini: PanelLine | null
  /** The line below everything. */
  readonly bottom: PanelLine | null
  readonly home: PanelLine | null
}

/** What a panel is made from. */
export interface PanelFacts extends Seen, Required<StateReader> {
  /** The session on the screen; null on any other page. */
  readonly session: string | null
  readonly columns: number
}

const NO_PANEL: Panel = { sidebar: [], mini: null, bottom: null, home: null }

/** Shown if the panel cannot be made. */
export const BROKEN_PANEL: Panel = {
  ...NO_PANEL,
  sidebar: [{ text: "boulder: cannot be shown", tone: "warning" }],
}

/** The width that a sidebar gives us. */
const SIDEBAR_COLUMNS = 37
const MINI_COLUMNS = 34
const SHORT_BAR = 8
const SHOWN_BLOCKED = 3

/** What the panel shows; nothing if no work is open and the session has none. */
export function panelOf(facts: PanelFacts): Panel {
  const { works, session } = facts
  const open = works.filter(({ state }) => state.kind !== "complete")
  const mine = works.find((work) => isOf(work, session))
  const shown = mine ?? open[0]
  if (shown === undefined) return problemPanel(facts)
  const others = open.filter((work) => work !== shown)
  return {
    sidebar: [...problemLines(facts), ...sidebarLines(shown, facts), ...others.map(otherLine)],
    mini: miniLine(shown),
    bottom: bottomLine(shown, others.length, facts),
    home: open.length === 0 ? null : homeLine(open, facts),
  }
}

function isOf({ lead_session_id: lead, running }: WorkView, session: string | null): boolean {
  return session !== null && (lead === session || running.some((one) => one.session_id === session))
}

/** Wrong options are shown even without a work. */
function problemPanel(facts: PanelFacts): Panel {
  const words = problemWords(facts)
  if (words === null) return NO_PANEL
  const line = (columns: number): PanelLine => ({
    text: fitLine(words, Math.max(1, columns)),
    tone: "warning",
  })
  const { columns } = facts
  return {
    ...NO_PANEL,
    sidebar: problemLines(facts),
    bottom: line(columns - 1),
    home: line(columns - 4),
  }
}

function problemLines(facts: PanelFacts): readonly PanelLine[] {
  const words = problemWords(facts)
  return words === null ? [] : wrapped(words, "warning")
}

function problemWords({ problems, typed }: PanelFacts): string | null {
  if (problems.length === 0) return null
  const what = problems.length === 1 ? "an option is wrong" : `${problems.length} options are wrong`
  return `boulder: ${what}, see ${typed("status")}`
}

function sidebarLines(work: WorkView, facts: PanelFacts): readonly PanelLine[] {
  const { counts, state, round, blocked, limited = [] } = work
  const count = `${counts.settled}/${counts.total}`
  const name = fitLine(work.plan_name, SIDEBAR_COLUMNS - columnsOf(count) - 2)
  const gap = " ".repeat(SIDEBAR_COLUMNS - columnsOf(name) - columnsOf(count))
  return [
    { text: `${name}${gap}${count}`, tone: "text" },
    { text: progressBar(counts.settled, counts.total), tone: toneOf(state) },
    ...wrapped(stateWords(state, facts), toneOf(state)),
    ...(round === null || state.kind === "complete" ? [] : [muted(roundWords(work, round))]),
    ...work.window
      .filter(({ key, state }) => state !== "next" || !limited.some((task) => task.key === key))
      .flatMap((row) => rowLines(row, work, facts)),
    ...work.running
      .filter((call) => call.key === null || !work.window.some(({ key }) => key === call.key))
      .flatMap((call) => [
        fitted(`▶ ${call.key ?? call.agent ?? "a subagent"}`, "accent"),
        muted(`  ${callWords(call, facts.now)}`),
      ]),
    ...limited.slice(0, SHOWN_BLOCKED).map((task) => fitted(limitWords(task, facts), "warning")),
    ...blocked
      .slice(0, SHOWN_BLOCKED)
      .flatMap((task) => [
        fitted(`✖ ${task.key} ${task.title}`, "error"),
        muted(
          `  ${task.unblock === null ? (task.reason ?? "no reason is given") : `until ${task.unblock}`}`,
        ),
      ]),
    ...moreBlocked(work),
    ...proofLines(work),
    ...spentLines(work),
  ]
}

/** Counts all of them: the view file does not have every blocked task. */
function moreBlocked({ counts, blocked, state }: WorkView): readonly PanelLine[] {
  const shown = Math.min(blocked.length, SHOWN_BLOCKED)
  const left = state.kind === "complete" ? 0 : counts.blocked - shown
  if (left <= 0) return []
  return [muted(`  ${left}${shown === 0 ? "" : " more"} ${left === 1 ? "is" : "are"} blocked`)]
}

const SHOWN_UNPROVEN = 3

/** What is ticked but not proven; nothing if everything is proven. */
function proofLines({ proof }: WorkView): readonly PanelLine[] {
  if (proof == null || proof.unproven.length === 0) return []
  const more = proof.ticked - proof.proven - SHOWN_UNPROVEN
  return [
    fitted(`${proof.proven}/${proof.ticked} ticks proven`, "warning"),
    ...proof.unproven.slice(0, SHOWN_UNPROVEN).map(({ key, tier }) => muted(`  ${key}: ${tier}`)),
    ...(more > 0 ? [muted(`  and ${more} more`)] : []),
  ]
}

function rowLines(
  { key, title, state, waits_for: waits }: WorkView["window"][number],
  work: WorkView,
  facts: PanelFacts,
): readonly PanelLine[] {
  switch (state) {
    case "running": {
      const call = work.running.find((one) => one.key === key)
      return [
        fitted(`▶ ${key} ${title}`, "accent"),
        ...(call === undefined ? [] : [muted(`  ${callWords(call, facts.now)}`)]),
      ]
    }
    case "returned":
      return [fitted(`✓ ${key} ${title}`, "good"), muted("  its result is back")]
    case "waits":
      return [muted(`⋯ ${key} waits for ${waits.join(", ")}`)]
    case "next":
      return [fitted(`· ${key} ${title}`, "text")]
  }
}

function roundWords(work: WorkView, { number, settled, ended }: NonNullable<WorkView["round"]>) {
  const since = work.checkpoint === 0 ? "" : `, checkpoint ${work.checkpoint}`
  return ended ? `round ${number} is over${since}` : `round ${number}: ${settled} settled${since}`
}

function spentLines({ context, tokens, cost, state }: WorkView): readonly PanelLine[] {
  const isOpen = state.kind !== "complete"
  const { spent, since = 0, ceiling } = tokens
  const used = ceiling === null ? spent : spent - since
  const most = ceiling === null ? "" : ` of ${shortNumber(ceiling)}`
  return [
    ...(context === null || context.tokens === 0 || !isOpen
      ? []
      : [
          {
            text: `context ${shortNumber(context.tokens)} of ${shortNumber(context.soft_limit)}, at most ${shortNumber(context.hard_limit)}`,
            tone: context.tokens >= context.soft_limit ? ("warning" as const) : ("muted" as const),
          },
        ]),
    ...(spent === 0 ? [] : [muted(`tokens ${shortNumber(used)}${most}`)]),
    ...(isNone(cost)
      ? []
      : wrapped(`cost ${isKnown(cost) ? costWords(cost) : "unknown"}`, "muted")),
  ]
}

function otherLine({ plan_name: name, counts, state }: WorkView): PanelLine {
  const tail = ` ${counts.settled}/${counts.total} ${stateName(state)}`
  return muted(`${fitLine(name, SIDEBAR_COLUMNS - columnsOf(tail))}${tail}`)
}

function miniLine({ counts, state }: WorkView): PanelLine {
  const name = state.kind === "working" ? "" : ` ${stateName(state)}`
  const text = `${progressBar(counts.settled, counts.total, SHORT_BAR)} ${counts.settled}/${counts.total}${name}`
  return { text: fitLine(text, MINI_COLUMNS), tone: toneOf(state) }
}

/** What is left of that which does not fit. */
const CUT = " …"

/** What a lead is working on: running tasks first, then those whose result it is looking at, then the next. */
const AT_HAND = ["running", "returned", "next"] as const

function bottomLine(work: WorkView, others: number, facts: PanelFacts): PanelLine {
  const { counts, state, running } = work
  const atHand = AT_HAND.map((state) => work.window.find((row) => row.state === state)).find(
    Boolean,
  )
  const head = `${fitLine(work.plan_name, 24)} ${counts.settled}/${counts.total}`
  const more = [
    ...(state.kind === "working" && atHand !== undefined ? [`${atHand.key} ${atHand.title}`] : []),
    ...(running.length > 1 ? [`${running.length} subagents`] : []),
    ...(counts.blocked > 0 && state.kind !== "complete" ? [`${counts.blocked} blocked`] : []),
    ...(facts.problems.length > 0 ? [`wrong options: ${facts.typed("status")}`] : []),
    ...(others > 0 ? [others === 1 ? "1 more plan" : `${others} more plans`] : []),
  ]
  const around = ` ${head} · ${more.length === 0 ? "" : CUT}`
  const room = facts.columns - 1 - columnsOf(around)
  const said = fittingStateWords(state, facts, (words) => columnsOf(words) <= room)
  return {
    text: fitLine(` ${[head, said, ...more].join(" · ")}`, Math.max(1, facts.columns - 1)),
    tone: toneOf(state),
  }
}

function homeLine(open: readonly WorkView[], facts: PanelFacts): PanelLine {
  const plans = open.map(
    ({ plan_name: name, counts, state }) =>
      `${fitLine(name, 24)} ${counts.settled}/${counts.total} ${stateName(state)}`,
  )
  const head = open.length === 1 ? "Unfinished plan" : `${open.length} unfinished plans`
  const isAsked = open.some(({ state }) => state.kind === "waiting-for-you")
  const isAtWork = open.every(({ state }) => state.kind === "working")
  const todo = isAtWork ? "" : ` · ${facts.typed(isAsked ? "answer" : "run")}`
  const columns = Math.max(1, facts.columns - 4)
  const named = fitLine(`${head}: ${plans.join(", ")}`, Math.max(1, columns - columnsOf(todo)))
  return { text: fitLine(`${named}${todo}`, columns), tone: "muted" }
}

function toneOf({ kind }: WorkState): Tone {
  return TONES[kind]
}

const TONES: Readonly<Record<WorkState["kind"], Tone>> = {
  working: "good",
  "waiting-for-you": "accent",
  waiting: "warning",
  paused: "warning",
  idle: "muted",
  complete: "good",
}

function muted(text: string): PanelLine {
  return fitted(text, "muted")
}

function fitted(text: string, tone: Tone): PanelLine {
  return { text: fitLine(text, SIDEBAR_COLUMNS), tone }
}

function wrapped(text: string, tone: Tone): readonly PanelLine[] {
  return wrapLine(text, SIDEBAR_COLUMNS).map((line) => fitted(line, tone))
}
