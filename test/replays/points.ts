import { readFileSync } from "node:fs"

/** What a model does next: one tool call, or words that end its turn. */
export type Act =
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly text: string }

/** A point of a run where the words decide: what the model has read, and what is right to do then. */
export interface Point {
  readonly name: string
  /** The text of ours that is at stake: a golden file, or a combination of tool-texts.txt. */
  readonly text: string
  /** Words of the user, or the tool whose result the text stands under; the text itself where neither is given. */
  readonly under?: "user-words" | Act
  readonly said?: string
  readonly isRight: (act: Act) => boolean
  /** What a real model did, reading the request alone. */
  readonly recorded: { readonly by: string; readonly act: Act }
}

const CLAUDE = "claude, reading the request alone"
const PROMPTS = new URL("../fixtures/prompts/", import.meta.url)

const isCall = (act: Act, tool: RegExp, args: RegExp = /./): boolean =>
  "tool" in act && tool.test(act.tool) && args.test(JSON.stringify(act.args))
const ends = (act: Act): boolean => "text" in act
const task = (key: string, more: object = {}): Act => ({
  tool: "task",
  args: {
    description: `${key} do it`,
    prompt: "Do it, then report.",
    subagent_type: "general",
    ...more,
  },
})
const save = (key: string, status: string, more: object = {}): Act => ({
  tool: "save_task_progress",
  args: { summary: "Checked: it does what the plan asks.", status, task: key, ...more },
})
const read: Act = {
  tool: "read",
  args: { filePath: ".boulder/works/auth-rewrite-5f21c0de/shards/001.md", offset: 14, limit: 6 },
}
const check: Act = {
  tool: "bash",
  args: { command: "git diff --stat && npm test", description: "Verify the result" },
}
const ask: Act = {
  tool: "question",
  args: {
    questions: [
      {
        header: "Final wave",
        question: "F1 and F2 raise no objection. Approve?",
        options: [{ label: "Approve" }, { label: "Not yet" }],
      },
    ],
  },
}
const DELEGATED = task("todo:2")
const REVIEWED = task("final-wave:f2")
const by = (act: Act) => ({ by: CLAUDE, act })
const begins = (act: Act): boolean => isCall(act, /^(?:task|read)$/, /todo:|shards/)
const verifies = (act: Act): boolean =>
  isCall(act, /^(?:read|bash|grep|glob)$/) || isCall(act, /^save_task_progress$/, /"complete"/)

/** At least the sixteen points at which a real model was misled, and their neighbours. */
export const POINTS: readonly Point[] = [
  {
    name: "a start begins with the first task, by its key",
    text: "start",
    isRight: begins,
    recorded: by(read),
  },
  {
    name: "a resumed start settles what is back before it delegates anew",
    text: "start-resumed",
    isRight: (act) => verifies(act) || isCall(act, /^task$/, /task_id":"ses_/),
    recorded: by(check),
  },
  {
    name: "a continuation goes on with the window",
    text: "continuation",
    isRight: begins,
    recorded: by(read),
  },
  {
    name: "the lines are read in the file that is named",
    text: "continuation-in-full",
    isRight: (act) => isCall(act, /^read$/, /shards\/001/) || verifies(act),
    recorded: by({
      tool: "read",
      args: {
        filePath: ".boulder/works/auth-rewrite-5f21c0de/shards/001.md",
        offset: 9,
        limit: 13,
      },
    }),
  },
  {
    name: "two files, each with its own lines",
    text: "continuation-two-shards",
    isRight: begins,
    recorded: by(read),
  },
  {
    name: "a turn without progress is followed by an act",
    text: "continuation-without-progress",
    isRight: (act) => begins(act) || isCall(act, /^save_task_progress$/, /"blocked"/),
    recorded: by(task("todo:2")),
  },
  {
    name: "what a compaction cut off is taken up by its own words",
    text: "continuation-cut-off",
    isRight: (act) => !ends(act),
    recorded: by({ tool: "read", args: { filePath: "src/login/limit.ts" } }),
  },
  {
    name: "a result that is back is looked at, not asked for again",
    text: "continuation-sessions",
    isRight: (act) => verifies(act) || isCall(act, /^task$/, /task_id":"ses_/),
    recorded: by(check),
  },
  {
    name: "of a wave only the rejected row is run again",
    text: "continuation-final-wave",
    isRight: (act) => isCall(act, /^(?:task|read)$/) && !isCall(act, /^task$/, /final-wave:f1/),
    recorded: by(task("final-wave:f2")),
  },
  {
    name: "an approved wave is ticked, not run",
    text: "continuation-approved",
    isRight: (act) => isCall(act, /^(?:save_task_progress|edit|read)$/),
    recorded: by(save("final-wave:f1", "complete")),
  },
  {
    name: "only blocked tasks: the user is told",
    text: "start-only-blocked",
    isRight: ends,
    recorded: by({ text: "Only blocked tasks are left. todo:5 waits for the key in .env; …" }),
  },
  {
    name: "a text to repeat is repeated",
    text: "say",
    isRight: (act) => "text" in act && act.text.startsWith("Plan auth-rewrite stopped."),
    recorded: by({ text: "Plan auth-rewrite stopped. /start-work auth-rewrite goes on with it." }),
  },
  {
    name: "a result is verified, then saved as complete",
    text: "result, go-on, reuse",
    under: DELEGATED,
    isRight: verifies,
    recorded: by(check),
  },
  {
    name: "a result at the soft limit: save, then end",
    text: "result, end soft-limit",
    under: DELEGATED,
    isRight: (act) => ends(act) || verifies(act),
    recorded: by(save("todo:2", "complete")),
  },
  {
    name: "a result at the hard limit takes no tool but ours",
    text: "result, end hard-limit",
    under: DELEGATED,
    isRight: (act) => ends(act) || isCall(act, /^save_task_progress$/),
    recorded: by(save("todo:2", "complete")),
  },
  {
    name: "a round that is over stays over",
    text: "settled, ended",
    under: DELEGATED,
    isRight: ends,
    recorded: by({ text: "The round is over; todo:2 is settled." }),
  },
  {
    name: "the end of a round behind another tool",
    text: "another tool, end checkpoint-due",
    under: check,
    isRight: ends,
    recorded: by({ text: "Three tasks are settled. I end this turn here." }),
  },
  {
    name: "a blocked task: on with another",
    text: "blocked, go-on",
    under: DELEGATED,
    isRight: (act) =>
      isCall(act, /^(?:task|read)$/) && !isCall(act, /^task$/, /"description":"todo:2/),
    recorded: by(task("todo:3")),
  },
  {
    name: "a block that is not marked is marked first",
    text: "blocked, not marked, go-on",
    under: DELEGATED,
    isRight: (act) => isCall(act, /^(?:edit|read|save_task_progress)$/),
    recorded: by(save("todo:2", "blocked", { blocked_reason: "no key for the cloud" })),
  },
  {
    name: "nothing but a block: the turn ends",
    text: "blocked, wait",
    under: DELEGATED,
    isRight: ends,
    recorded: by({ text: "todo:2 is blocked: no key for the cloud. The work waits." }),
  },
  {
    name: "a wave that is back is asked about with the tool",
    text: "review pass, ask",
    under: REVIEWED,
    isRight: (act) => isCall(act, /^question$/, /"header":"Final wave".*"Approve".*"Not yet"/),
    recorded: by(ask),
  },
  {
    name: "a row of the wave is not ticked by itself",
    text: "review pass, go-on",
    under: REVIEWED,
    isRight: (act) => !isCall(act, /^(?:edit|save_task_progress)$/),
    recorded: by(task("final-wave:f3")),
  },
  {
    name: "a rejection is mended before its review",
    text: "review reject, go-on",
    under: REVIEWED,
    isRight: (act) => isCall(act, /^(?:task|read)$/),
    recorded: by({
      tool: "task",
      args: { description: "Mend what F2 found", prompt: "…", subagent_type: "general" },
    }),
  },
  {
    name: "a review without a verdict is asked for one",
    text: "review without a verdict, go-on",
    under: REVIEWED,
    isRight: (act) => isCall(act, /^task$/, /final-wave:f2/),
    recorded: by(task("final-wave:f2", { task_id: "ses_e02a05cf0ffeiVkhL7Rr1p5CHI" })),
  },
  {
    name: "a call that named no task: the next one begins with a key",
    text: "unnamed, go-on",
    under: { tool: "task", args: { description: "Look around", prompt: "…" } },
    isRight: (act) => isCall(act, /^task$/, /"description":"(?:todo|final-wave):/),
    recorded: by(task("todo:3")),
  },
  {
    name: "a task that another call has is not started a third time",
    text: "taken-by-another, go-on",
    under: DELEGATED,
    isRight: (act) => !isCall(act, /^task$/, /"description":"todo:2/),
    recorded: by(check),
  },
  {
    name: "what was done alone is delegated from then on",
    text: "another tool, go-on, edited-source",
    under: { tool: "edit", args: { filePath: "src/login/route.ts" } },
    isRight: (act) => !isCall(act, /^(?:edit|write)$/, /src\//),
    recorded: by(task("todo:2")),
  },
  {
    name: "a tick without a delegation",
    text: "another tool, go-on, settled-alone",
    under: { tool: "edit", args: { filePath: ".boulder/plans/auth-rewrite.md" } },
    isRight: (act) => isCall(act, /^(?:task|read)$/),
    recorded: by(task("todo:3")),
  },
  {
    name: "a note of what waits costs nothing where the user wants something else",
    text: "handoff-offers",
    under: "user-words",
    said: "What does src/login/route.ts do?",
    isRight: (act) => !isCall(act, /blocked_task/),
    recorded: by({ tool: "read", args: { filePath: "src/login/route.ts" } }),
  },
  {
    name: "and is followed where the user wants just that",
    text: "handoff-offers",
    under: "user-words",
    said: "Take up the task that was left blocked.",
    isRight: (act) => isCall(act, /^(?:get_blocked_task|list_blocked_tasks)$/),
    recorded: by({ tool: "get_blocked_task", args: { id: "hnd_0000000000000001" } }),
  },
]

/** The words of ours that a point is about: the first text of its golden file. */
export function wordsOf({ text }: Point): string {
  const notices = readFileSync(new URL("tool-texts.txt", PROMPTS), "utf8").split(/^# /m)
  const notice = notices.find(
    (one) => one.split("\n")[0]?.replace(/ \(and \d+ more.*$/, "") === text,
  )
  const whole = notice ?? readFileSync(new URL(`${text}.txt`, PROMPTS), "utf8")
  const frame = /<boulder>\n[\s\S]*?\n<\/boulder>/.exec(whole)?.[0]
  if (frame === undefined) throw new Error(`Expected a text of ours called ${text}`)
  return frame
}
