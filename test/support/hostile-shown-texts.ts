import { NO_COST, NO_WORK_COST } from "../../src/boulder/cost.ts"
import { MAX_REASON_CHARS, MAX_SUMMARY_CHARS, MAX_TASK_CHARS } from "../../src/boulder/handoff.ts"
import { boundedTaskState } from "../../src/boulder/task-state.ts"
import { namedWork } from "../../src/cli/project/meant-work.ts"
import { html } from "../../src/cli/report/html.ts"
import { COMMANDS } from "../../src/cli/table/command-table.ts"
import { didYouMean } from "../../src/cli/table/nearest-name.ts"
import { UsageError } from "../../src/cli/terminal/cli-error.ts"
import { age, duration, parseCommand, positiveNumber } from "../../src/cli/terminal/parse-args.ts"
import { paintOf } from "../../src/cli/terminal/terminal.ts"
import {
  columnsOf,
  fitLine,
  hangingLines,
  indentedLines,
  padLine,
  wrapLine,
  wrapText,
} from "../../src/cli/views/columns.ts"
import { costText } from "../../src/cli/views/cost-view.ts"
import { handoffsText } from "../../src/cli/views/handoff-view.ts"
import { outcomeText } from "../../src/cli/views/outcome-text.ts"
import { progressLine } from "../../src/cli/views/progress-bar.ts"
import { openRunView } from "../../src/cli/views/run-view.ts"
import { statusText } from "../../src/cli/views/status-view.ts"
import {
  taskStateMarkdown,
  taskStatesView,
  taskStateView,
} from "../../src/cli/views/task-state-view.ts"
import { whyText } from "../../src/cli/views/why-text.ts"
import { worksText } from "../../src/cli/views/works-text.ts"
import { rivalIn } from "../../src/decide/rivals.ts"
import { V1_WORDS } from "../../src/opencode/host/v1/v1-words.ts"
import { goneNote, movedNote } from "../../src/opencode/user/start-notes.ts"
import { formatName } from "../../src/plan/formats.ts"
import {
  cleanLine,
  cleanText,
  harmlessJson,
  printable,
  withoutFrames,
} from "../../src/plan/model/foreign-text.ts"
import { clearedOutput } from "../../src/prompts/cleared-output.ts"
import { compactionPrompt, fallbackSummary } from "../../src/prompts/compaction-text.ts"
import { continuationText } from "../../src/prompts/continuation-text.ts"
import { handoffText, listText } from "../../src/prompts/handoff-text.ts"
import { foundWords, problemWords } from "../../src/prompts/option-words.ts"
import { estimateTokens, quote } from "../../src/prompts/quote.ts"
import { decidedWords, doneWords, reasonSays, reasonWords } from "../../src/prompts/reasons.ts"
import { refusalText } from "../../src/prompts/refusal-text.ts"
import { sayText } from "../../src/prompts/say-text.ts"
import { shellWord } from "../../src/prompts/shell-word.ts"
import { startText } from "../../src/prompts/start-text.ts"
import { taskStateText } from "../../src/prompts/task-state-text.ts"
import { toolText } from "../../src/prompts/tool-text.ts"
import { aboutFile, inShell } from "../../src/prompts/typed-command.ts"
import { begunText } from "../../src/prompts/work-facts-text.ts"
import { fittingStateWords, waitWords } from "../../src/prompts/work-state-words.ts"
import { aPlan, aTask, aTaskSession, at, aWindow, aWork, LEAD, NOW } from "./builders.ts"
import { BY_NAME } from "./by-name.ts"
import { shownOn } from "./cli-in-process.ts"
import { aHandoff } from "./handoff-builders.ts"
import type { HostileReader } from "./hostile-readers.ts"
import { aStoredTaskState, aTaskState } from "./task-states.ts"

const COLUMNS = 80
const WIDE = 20_000

/** What shows a foreign text to a person or a model, and what reads a command line. */
export const HOSTILE_TEXT_USERS: readonly HostileReader[] = [
  { reader: "plan/model/foreign-text.ts cleanLine", read: cleanLine },
  { reader: "plan/model/foreign-text.ts cleanText", read: cleanText },
  { reader: "plan/model/foreign-text.ts printable", read: printable },
  { reader: "plan/model/foreign-text.ts withoutFrames", read: withoutFrames },
  {
    reader: "plan/model/foreign-text.ts withoutFrames",
    as: "what stands in a tag",
    read: (text) => withoutFrames(`<b${text}<${text}>&${text};<boulder${text}`),
  },
  {
    reader: "plan/model/foreign-text.ts harmlessJson",
    read: (text) => harmlessJson({ [text]: text }, 1),
  },
  { reader: "cli/views/columns.ts columnsOf", read: columnsOf },
  { reader: "cli/views/columns.ts fitLine", read: (text) => fitLine(text, COLUMNS) },
  {
    reader: "cli/views/columns.ts fitLine",
    as: "to a great width",
    read: (text) => fitLine(text, WIDE),
  },
  { reader: "cli/views/columns.ts padLine", read: (text) => padLine(text, COLUMNS) },
  { reader: "cli/views/columns.ts wrapText", read: (text) => wrapText(text, COLUMNS) },
  { reader: "cli/views/columns.ts wrapLine", read: (text) => wrapLine(text, COLUMNS) },
  {
    reader: "cli/views/columns.ts wrapLine",
    as: "to a great width",
    read: (text) => wrapLine(text, WIDE),
  },
  {
    reader: "cli/views/columns.ts indentedLines",
    read: (text) => indentedLines(text, 40, ["", "  "]),
  },
  {
    reader: "cli/views/columns.ts hangingLines",
    read: (text) => hangingLines("  name  ", text, 40),
  },
  { reader: "decide/rivals.ts rivalIn", read: (text) => rivalIn([text, `oh-my-${text}`]) },
  { reader: "plan/formats.ts formatName", read: (text) => formatName(text) },
  { reader: "cli/report/html.ts html", read: (text) => html`<p title="${text}">${text}</p>` },
  {
    reader: "cli/table/nearest-name.ts didYouMean",
    read: (text) => didYouMean(text, [text, `${text}x`, "status"]),
  },
  {
    reader: "cli/terminal/parse-args.ts parseCommand",
    read: (text) =>
      refused(() => parseCommand([text, `--session=${text}`, `--${text}`], COMMANDS.why)),
  },
  {
    reader: "cli/terminal/parse-args.ts positiveNumber",
    read: (text) => refused(() => positiveNumber(text, "--n")),
  },
  {
    reader: "cli/terminal/parse-args.ts duration",
    read: (text) => refused(() => duration(text, "--timeout")),
  },
  { reader: "cli/terminal/parse-args.ts age", read: (text) => refused(() => age(text, "--older")) },
  {
    reader: "cli/project/meant-work.ts namedWork",
    read: (text) => {
      const works = [aWork({ plan_name: text, active_plan: text })]
      const meant = namedWork(works, `${text}y`, BY_NAME)
      return meant instanceof Error ? meant.message : meant
    },
  },
  { reader: "opencode/user/start-notes.ts movedNote", read: movedNote },
  {
    reader: "opencode/user/start-notes.ts goneNote",
    read: (text) =>
      goneNote([aWork({ plan_name: text, active_plan: text })], () => text, BY_NAME).join(),
  },
  {
    reader: "cli/views/status-view.ts statusText",
    read: (text) =>
      statusText(
        [
          {
            work: aWork({ plan_name: text, active_plan: text }),
            name: text,
            typed: BY_NAME,
            state: {
              kind: "waiting-for-you",
              for: "question",
              asks: text,
              session: null,
            },
            reading: { kind: "unavailable", message: text },
            blocked: [
              { key: text, title: text, reason: text, unblock: text, isHeld: false, handoff: null },
            ],
            last: { at: at(0), session: null, work: null, decision: text, reason: text, facts: {} },
            pace: null,
          },
        ],
        shownOn(COLUMNS),
      ),
  },
  {
    reader: "cli/views/task-state-view.ts taskStateView",
    read: (text) => taskStateView(stored(text), NOW),
  },
  {
    reader: "cli/views/task-state-view.ts taskStatesView",
    read: (text) => taskStatesView([stored(text)], NOW, COLUMNS),
  },
  {
    reader: "cli/views/task-state-view.ts taskStateMarkdown",
    read: (text) => taskStateMarkdown(stored(text), facts(text)),
  },
  { reader: "prompts/reasons.ts reasonWords", read: (text) => reasonWords(text) },
  {
    reader: "prompts/work-state-words.ts waitWords",
    read: (text) =>
      waitWords(
        { kind: "waiting-for-you", for: "question", asks: text, session: text },
        { typed: inShell(text) },
      ),
  },
  {
    reader: "prompts/work-state-words.ts fittingStateWords",
    read: (text) =>
      fittingStateWords(
        { kind: "paused", reason: "aborted", more: text },
        { typed: inShell(text) },
        () => false,
      ),
  },
  {
    reader: "prompts/option-words.ts problemWords",
    read: (text) => problemWords(text, { expected: text }, text),
  },
  { reader: "prompts/option-words.ts foundWords", read: (text) => foundWords(text) },
  { reader: "prompts/reasons.ts doneWords", read: (text) => doneWords(text) },
  {
    reader: "prompts/reasons.ts decidedWords",
    read: (text) => decidedWords({ decision: text, reason: text }),
  },
  { reader: "prompts/reasons.ts reasonSays", read: (text) => reasonSays(text) },
  {
    reader: "cli/views/why-text.ts whyText",
    read: (text) =>
      whyText(
        [
          {
            at: text,
            session: text,
            work: text,
            decision: text,
            reason: text,
            facts: { [text]: text, task: text, why: text },
          },
        ],
        {
          columns: 80,
          paint: paintOf(false),
          withFacts: true,
          planOf: () => text,
          taskOf: () => ({ key: text, title: text }),
        },
      ),
  },
  {
    reader: "cli/views/handoff-view.ts handoffsText",
    read: (text) =>
      handoffsText(
        [aHandoff({ summary: text, task_text: text, blocked_reason: text, unblock: text })],
        { now: NOW, columns: COLUMNS, all: true, machines: new Map([[aHandoff().id, text]]) },
      ),
  },
  {
    reader: "cli/views/works-text.ts worksText",
    read: (text) =>
      worksText(
        [
          {
            ...aWork({ plan_name: text, active_plan: text }),
            said: "idle",
            called: text,
            waits: text,
            isCarried: false,
          },
        ],
        NOW,
        COLUMNS,
      ),
  },
  {
    reader: "cli/views/cost-view.ts costText",
    read: (text) => {
      const cost = { ...NO_WORK_COST, usd: 1, rounds: [{ number: 1, ...NO_COST }] }
      const work = { ...aWork({ plan_name: text, active_plan: text }), cost }
      const session = aTaskSession(aTask({ label: "1" }))
      const task = { ...session, task_key: text, task_title: text }
      return costText([{ work, tasks: [task], outlook: null }], COLUMNS)
    },
  },
  {
    reader: "cli/views/outcome-text.ts outcomeText",
    read: (text) =>
      outcomeText(
        { kind: "needs-user", need: { reason: "question", detail: text } },
        { plan: text, sessionId: null, serverStopped: true, typed: BY_NAME, name: null },
      ),
  },
  {
    reader: "cli/views/progress-bar.ts progressLine",
    read: (text) =>
      progressLine({ settled: 1, total: 2, task: { key: text, title: text } }, COLUMNS),
  },
  {
    reader: "cli/views/run-view.ts openRunView",
    read: (text) => {
      const terminal = {
        out: () => {},
        isInteractive: true,
        columns: () => COLUMNS,
        typed: BY_NAME,
      }
      const view = openRunView(terminal, { showHints: true })
      view.show({ kind: "hint", from: "task", text })
      view.show({ kind: "user", text })
      view.show({ kind: "task", key: text, title: text, state: "delegated", resumed: false })
      view.end()
    },
  },
  { reader: "prompts/quote.ts quote", read: (text) => quote(text, 40) },
  {
    reader: "prompts/quote.ts quote",
    as: "with much room",
    read: (text) => quote(text, 1_000_000),
  },
  {
    reader: "prompts/quote.ts estimateTokens",
    read: (text) => estimateTokens(text.slice(0, 4_000)),
  },
  {
    reader: "prompts/cleared-output.ts clearedOutput",
    read: (text) => clearedOutput(text, text, 1),
  },
  {
    reader: "prompts/refusal-text.ts refusalText",
    read: (text) => refusalText("plan-by-subagent", text, text),
  },
  { reader: "prompts/shell-word.ts shellWord", read: shellWord },
  {
    reader: "prompts/typed-command.ts aboutFile",
    read: (text) => aboutFile(`opencode-boulder plan <file> ${text}`, text),
  },
  { reader: "prompts/say-text.ts sayText", read: (text) => sayText([text]) },
  {
    reader: "prompts/task-state-text.ts taskStateText",
    read: (text) => taskStateText(stored(text).task_state, LEAD),
  },
  {
    reader: "prompts/handoff-text.ts handoffText",
    read: (text) => handoffText(aHandoff(saved(text)), { claimed: true, now: NOW, reuse: null }),
  },
  {
    reader: "prompts/tool-text.ts toolText",
    read: (text) =>
      toolText(
        {
          settled: 1,
          total: 2,
          cameBack: { kind: "blocked", taskKey: text, reason: text, block: null },
          next: { kind: "ask", isOfAnotherPlan: true, isLapsed: true, unreviewed: 1 },
          remark: null,
          lost: [{ kind: "silent", taskKey: text, minutes: 20 }],
          hints: [],
        },
        V1_WORDS,
      ) ?? "",
  },
  {
    reader: "prompts/compaction-text.ts compactionPrompt",
    read: (text) => compactionPrompt(stored(text).task_state, facts(text)),
  },
  {
    reader: "prompts/compaction-text.ts fallbackSummary",
    read: (text) =>
      fallbackSummary({
        failure: "cut-off",
        sessionId: LEAD,
        state: null,
        facts: facts(text),
        userWords: [text],
        resumedBy: V1_WORDS.resume,
      }),
  },
  {
    reader: "prompts/handoff-text.ts listText",
    read: (text) => {
      const handoff = aHandoff(saved(text))
      const offer = { handoff, since: 0, kind: "blocked", isYours: false, reuse: text } as const
      return listText({ groups: [[offer, offer]], total: 2, now: NOW })
    },
  },
  {
    reader: "prompts/work-facts-text.ts begunText",
    read: (text) => begunText(facts(text), V1_WORDS.resume),
  },
  {
    reader: "prompts/continuation-text.ts continuationText",
    read: (text) => {
      const task = aTask({ label: "1", title: text })
      return continuationText({
        planName: text,
        planPath: text,
        counts: aPlan([task]).counts,
        window: aWindow([task], { details: [text], shard: text }),
        settling: "by-tool",
        words: V1_WORDS,
        isTold: false,
        cutOffStep: text,
      })
    },
  },
  {
    reader: "prompts/start-text.ts startText",
    read: (text) => {
      const task = aTask({ label: "1", title: text })
      return startText({
        typed: BY_NAME,
        planName: text,
        planPath: text,
        plan: aPlan([task], { dialect: text }),
        resumed: false,
        window: aWindow([task], { details: [text], shard: text }),
        settling: "by-tool",
        words: V1_WORDS,
        notes: [text, text],
        waiting: null,
      })
    },
  },
]

/** A refusal in words is an answer; anything else that is thrown is not. */
function refused(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

/** What a handoff's schema lets through. */
function saved(text: string) {
  const reason = text.slice(0, MAX_REASON_CHARS)
  const task_text = text.slice(0, MAX_TASK_CHARS)
  const summary = text.slice(0, MAX_SUMMARY_CHARS)
  return { summary, task_text, blocked_reason: reason, unblock: reason, plan_name: task_text }
}

/** Within the bounds, like every state that was saved or loaded. */
function stored(text: string) {
  return aStoredTaskState({
    task_state: boundedTaskState(
      aTaskState({
        goal: text,
        next_step: text,
        progress: [text],
        decisions: text.split(" "),
      }),
    ),
  })
}

function facts(text: string) {
  const task = aTask({ label: "1", title: text })
  return {
    planName: text,
    planPath: text,
    settled: 1,
    total: 2,
    window: [task],
    blocked: [
      { key: text, title: text, reason: text, unblock: text, isHeld: false, handoff: null },
    ],
    sessions: [],
    begun: [{ taskKey: text, agent: text }],
    running: [{ sessionId: LEAD, title: text }],
  }
}
