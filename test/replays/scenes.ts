import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { ModelRequest } from "../support/host-model-request.ts"
import type { OpencodeHost } from "../support/opencode-host.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { type Act, ends, isCall } from "./act.ts"
import { PLAN_PATH, planWith } from "./shop.ts"

/** A host with its lead session, for a scene in which more is done than a start. */
export interface Stage {
  readonly host: OpencodeHost
  readonly session: string
  /** A command or a message of the user; resolves at the end of its turn. */
  command(name: string, args?: string): Promise<void>
  say(text: string): Promise<void>
}

/** How a real host is brought to a point of a run at which our words decide. */
export interface Scene {
  /** Names its file in `test/replays/recorded`. */
  readonly name: string
  /** The text of ours that is at stake. */
  readonly text: string
  /** What is right to do then; what the readers do is held against it. */
  readonly right: string
  readonly isRight: (acts: readonly Act[]) => boolean
  /** The replies of the lead before the point: the request behind the last is the point. */
  readonly lead?: readonly (Reply | ((request: ModelRequest) => Reply))[]
  /** The replies of the subagent before a point of its own. */
  readonly child?: readonly Reply[]
  /** What a subagent reports, by the key in its description; a word on what it did otherwise. */
  readonly reports?: Readonly<Record<string, string>>
  /** The keys of tasks whose subagents meet a usage limit of their provider. */
  readonly limited?: readonly string[]
  readonly plan?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly permission?: unknown
  readonly contextLimit?: number
  /** Whose request is the point: the lead's, a subagent's, or the one for a summary. */
  readonly of?: "child" | "compaction"
  /** What the user does; a start by default. */
  readonly play?: (stage: Stage) => Promise<void>
}

const call = (name: string, args: object): Reply => ({ toolCalls: [{ name, args }] })
const task = (description: string, more: object = {}) => ({
  name: "task",
  args: {
    description,
    prompt: `Do ${description}. Read the plan's lines for it first. Report what you did.`,
    subagent_type: "general",
    ...more,
  },
})
const delegated = (description: string, more: object = {}): Reply => ({
  toolCalls: [task(description, more)],
})
const complete = (key: string): Reply =>
  call("save_task_progress", {
    task: key,
    status: "complete",
    summary: "Checked: it does what the plan asks.",
  })
const look = call("bash", {
  command:
    "cat migrations/004-sessions.sql && node scripts/migrate.js --check && node --test 2>&1 | grep -E '^# (pass|fail)'",
  description: "Check todo:1",
})
/** The whole file that the window names: what holds for every task, and the tasks. */
const readFirst = ({ lastUserText }: ModelRequest): Reply =>
  call("read", { filePath: SHARD_NAMED.exec(lastUserText)?.[1] ?? PLAN_PATH })
const said = (text: string): Reply => ({ text })

const CLI = join(import.meta.dir, "../../dist/cli/main.js")

/** The user acts by themselves, and nothing of ours in between. */
const QUIET = { continuation: { cooldown_seconds: 600 } }

/** The first call passes, whatever words stand before it; or the words do, where there is no call. */
const one = (test: (act: Act) => boolean) => (acts: readonly Act[]) => {
  const first = acts.find((act) => !ends(act)) ?? acts[0]
  return first !== undefined && test(first)
}
const none = (test: (act: Act) => boolean) => (acts: readonly Act[]) =>
  acts.length > 0 && !acts.some(test)
const both =
  (...tests: readonly ((acts: readonly Act[]) => boolean)[]) =>
  (acts: readonly Act[]) =>
    tests.every((test) => test(acts))
const reads = (act: Act) => isCall(act, /^(?:read|bash|grep|glob|list)$/)
const saves = (key: string, status: string) => (act: Act) =>
  isCall(act, /save_task_progress$/, new RegExp(`"${status}"`)) && isCall(act, /./, new RegExp(key))
/** A command that writes nothing. */
const checks = (act: Act) =>
  isCall(act, /^bash$/) && !isCall(act, /^bash$/, /(?<!\d)> ?[\w./]|sed -i|\btee\b|git commit/)

const ticks = (act: Act) =>
  isCall(act, /^(?:edit|write|apply_patch)$/, /auth-rewrite\.md/) ||
  isCall(act, /save_task_progress$/, /"complete"/)
const delegates = (key: string) => (act: Act) =>
  isCall(act, /^task$/, new RegExp(`"description":"${key}\\b`))

/** Where a window names the file of its lines. */
const SHARD_NAMED = /lines of (\S+?)[;)]/
const WAVE = planWith("1", "2", "3", "4", "5", "6")
const F1 = task("final-wave:f1 Plan compliance")
const F2 = task("final-wave:f2 Code review")
const PASS = "Read the plan and the code side by side.\n\nVERDICT: APPROVE"
const REJECT =
  "src/login/limit.js swallows an error of the store: a broken store lets every login through.\n\nVERDICT: REJECT"
const TASK_7 =
  "- [ ] 7. Log each session that is revoked\n  **What to do**: `src/login/revoke.js` writes a line to the log\n\n## Final"
/** The plan with what its first tasks do in their titles. */
const LONG_PLAN = planWith()
  .replace(
    "1. Add the sessions table",
    "1. Add the sessions table that a login opens a row in, with an id of 128 random bits, the user, when it was opened, the address and the device that it was opened from, and when it was revoked, all times in UTC",
  )
  .replace(
    "2. Open a session at login",
    "2. Open a session at login instead of signing a token, set the cookie `sid` to its id with `HttpOnly`, `Secure` and `SameSite=Lax`, and give the same answer to a wrong mail and to a wrong password, in the same time",
  )
  .replace(
    "3. Limit the rate of logins",
    "3. Limit the rate of logins to five tries a minute and address, counted over all servers in the store that the sessions lie in, answer 429 with `Retry-After` behind that, and let no error of the store open the door",
  )
const SUMMARY = compactionAnswer(
  aTaskState({
    goal: "Move the login to sessions that can be revoked",
    progress: ["todo:1 and todo:2 are settled"],
    open_items: ["todo:3, the rate limit"],
    next_step: "Check the result of todo:3 with npm test",
    blockers: [],
    key_artifacts: ["src/login/limit.js"],
    decisions: ["The counter of todo:3 lives in memory"],
    user_constraints: ["No change below src/billing"],
  }),
  "Sessions are opened at login; the rate limit is being written.",
)

/** Everything at which a real model was misled once, and its neighbours. */
export const SCENES: readonly Scene[] = [
  {
    name: "start",
    text: "the start",
    right:
      "reads the lines that hold for every task or those of todo:1, or delegates todo:1 by its key",
    isRight: one((act) => isCall(act, /^read$/, /shards\/001\.md/) || delegates("todo:1")(act)),
  },
  {
    name: "start-reads-the-right-file",
    text: "the file and the lines that the window names",
    right: "delegates todo:1 with what those lines say, or reads on in the same file",
    lead: [(request) => call("read", shardLines(request))],
    isRight: one(
      (act) => delegates("todo:1")(act) || isCall(act, /^(?:read|glob|grep|bash|list)$/),
    ),
  },
  {
    name: "result",
    text: "a result: verify, then settle",
    right: "looks at what was done before anything is settled",
    lead: [readFirst, delegated("todo:1 Add the sessions table")],
    isRight: one(reads),
  },
  {
    name: "result-verified",
    text: "a result: settle by the tool",
    right: "saves todo:1 as complete in one call",
    lead: [readFirst, delegated("todo:1 Add the sessions table"), look],
    isRight: one(saves("todo:1", "complete")),
  },
  {
    name: "settled-by-tool",
    text: "what the tool says of a settled task",
    right: "continues with todo:2",
    lead: [readFirst, delegated("todo:1 Add the sessions table"), look, complete("todo:1")],
    isRight: one((act) => delegates("todo:2")(act) || isCall(act, /^read$/)),
  },
  {
    name: "result-incomplete",
    text: "a result: send it back, with its session",
    right: "sends todo:2 back to its session, or looks first",
    plan: planWith("1"),
    lead: [readFirst, delegated("todo:2 Open a session at login")],
    reports: {
      "todo:2":
        "The session is opened and the cookie is set. INCOMPLETE: a wrong mail still gives 404 and a wrong password 401; I ran out of steps before I could make them the same.",
    },
    isRight: one((act) => isCall(act, /^task$/, /"task_id":"ses_/) || reads(act)),
  },
  {
    name: "subagent-blocked",
    text: "a blocked task: continue with others",
    right: "continues with another task and leaves todo:5 alone",
    plan: planWith("1", "2", "3"),
    lead: [readFirst, delegated("todo:5 Tell the user by mail of a new login")],
    reports: {
      "todo:5":
        "`.env` has no SMTP_URL and no other mail server is configured.\n\nBLOCKED: no SMTP_URL in .env; somebody with the mail account has to add it",
    },
    isRight: both(
      one((act) => delegates("todo:[46]")(act) || isCall(act, /^read$/)),
      none(delegates("todo:5")),
    ),
  },
  {
    name: "round-ends",
    text: "the end of a round",
    right: "ends the turn",
    options: { long_run: { checkpoint_every: 1 } },
    lead: [readFirst, delegated("todo:1 Add the sessions table"), look, complete("todo:1")],
    isRight: one(ends),
  },
  {
    name: "round-is-over",
    text: "a further result behind the end of a round",
    right: "settles what is right at most, then ends the turn",
    options: { long_run: { checkpoint_every: 1 } },
    lead: [
      readFirst,
      delegated("todo:1 Add the sessions table"),
      look,
      complete("todo:1"),
      delegated("todo:2 Open a session at login"),
    ],
    isRight: one((act) => ends(act) || reads(act) || saves("todo:2", "complete")(act)),
  },
  {
    name: "soft-limit-with-a-result",
    text: "a result at the soft limit",
    right: "looks at it or saves it, then ends the turn; nothing new is begun",
    lead: [
      { ...call("read", { filePath: "README.md" }), usage: { input: 70_000, output: 200 } },
      delegated("todo:1 Add the sessions table"),
    ],
    isRight: none((act) => isCall(act, /^task$/)),
  },
  {
    name: "hard-limit-refusal",
    text: "a refused tool at the hard limit",
    right: "saves what is done, or ends the turn",
    lead: [
      delegated("todo:1 Add the sessions table"),
      { ...look, usage: { input: 95_000, output: 200 } },
      call("read", { filePath: "src/login/route.js" }),
    ],
    isRight: one((act) => ends(act) || isCall(act, /save_task_progress$/)),
  },
  {
    name: "continuation",
    text: "a continuation",
    right: "continues with todo:2, by its lines or by a delegation",
    lead: [
      readFirst,
      delegated("todo:1 Add the sessions table"),
      look,
      complete("todo:1"),
      said("todo:1 is in place."),
    ],
    isRight: one((act) => reads(act) || delegates("todo:2")(act)),
  },
  {
    name: "continuation-result-back",
    text: "a continuation with a result that is back",
    right: "looks at the result or settles it; does not delegate todo:1 anew",
    lead: [
      readFirst,
      delegated("todo:1 Add the sessions table"),
      said("The subagent has written the migration."),
    ],
    isRight: one(
      (act) =>
        reads(act) || saves("todo:1", "complete")(act) || isCall(act, /^task$/, /"task_id":"ses_/),
    ),
  },
  {
    name: "continuation-task-limited",
    text: "a continuation with a task that waits for its provider's limit",
    right: "continues with todo:5 or todo:6, and leaves todo:4 until its limit is over",
    plan: planWith("1", "2", "3"),
    limited: ["todo:4"],
    lead: [
      readFirst,
      delegated("todo:4 Revoke sessions"),
      said("The provider of todo:4's subagent has reached its usage limit."),
    ],
    isRight: both(
      one((act) => reads(act) || delegates("todo:[56]")(act)),
      none(delegates("todo:4")),
    ),
  },
  {
    name: "continuation-without-progress",
    text: "a turn without progress",
    right: "acts: reads or delegates todo:1, or saves it as blocked",
    lead: [
      said("I will begin with the sessions table."),
      said("The sessions table comes next; I will see to it."),
    ],
    isRight: one((act) => isCall(act, /^(?:read|task)$/) || saves("todo:1", "blocked")(act)),
  },
  {
    name: "asks-with-question",
    text: "how to ask the user",
    right: "asks with the tool `question`, not with words",
    plan: planWith("1", "2"),
    lead: [readFirst, delegated("todo:3 Limit the rate of logins")],
    reports: {
      "todo:3":
        "Nothing is written yet. The address of a login can be the socket's, or the one in X-Forwarded-For. Which of the two is right depends on whether the shop runs behind a proxy that can be trusted; neither the plan nor the repository says so, and the wrong choice locks out every customer at once. Please ask the user: is there a trusted proxy?",
    },
    isRight: (acts) => acts.some((act) => isCall(act, /^question$/)) || one(reads)(acts),
  },
  {
    name: "asks-without-question",
    text: "how to wait where there is no `question`",
    right: "saves todo:3 as blocked with the question as its reason",
    plan: planWith("1", "2"),
    permission: { question: "deny" },
    lead: [readFirst, delegated("todo:3 Limit the rate of logins")],
    reports: {
      "todo:3":
        "Nothing is written yet. The address of a login can be the socket's, or the one in X-Forwarded-For. Which of the two is right depends on whether the shop runs behind a proxy that can be trusted; I have searched the repository and the plan, and neither says so. The wrong choice locks out every customer at once. Only the user can tell: is there a trusted proxy?",
    },
    isRight: one(saves("todo:3", "blocked")),
  },
  {
    name: "compaction-cut-off",
    text: "what a compaction has cut off",
    right: "resumes the step that is named: checks the result of todo:3",
    plan: planWith("1", "2"),
    contextLimit: 50_000,
    options: { long_run: { enabled: false } },
    lead: [
      delegated("todo:3 Limit the rate of logins"),
      { ...call("read", { filePath: "src/login/route.js" }), usage: { input: 49_000, output: 10 } },
    ],
    isRight: one((act) => reads(act) || saves("todo:3", "complete")(act)),
  },
  {
    name: "newer-than-the-task-state",
    text: "the header of the task state",
    right: "follows the user's newer word: the counter lives in the database",
    plan: planWith("1", "2"),
    options: QUIET,
    lead: [
      said("todo:3 is begun."),
      said("I will check the result of todo:3 once it is there."),
      said("Understood: the counter of todo:3 goes into the database, not into memory."),
    ],
    async play({ host, session, command, say }) {
      await command("start-work", "auth-rewrite")
      await host.client.session.summarize({
        path: { id: session },
        body: { providerID: "lab", modelID: "m" },
      })
      // The continuation behind a compaction comes first, so that each run has the same messages.
      await host.waitFor(() => host.model.mainRequests(session).length > 1, {
        what: "the work continues",
      })
      await host.waitIdle(session)
      await say(
        "One thing on task 3: the counter must live in the database, we run four processes.",
      )
      await say("Now continue with task 3.")
    },
    isRight: one(
      (act) => isCall(act, /^(?:read|bash|grep|glob)$/) || isCall(act, /^task$/, /database/i),
    ),
  },
  {
    name: "compaction-request",
    text: "the prompt of a compaction",
    right:
      "answers with the JSON that is asked for, with todo:1 as settled and the user's word kept",
    of: "compaction",
    options: QUIET,
    lead: [
      delegated("todo:1 Add the sessions table"),
      look,
      complete("todo:1"),
      said("todo:1 is in place."),
      said("Understood: times as Unix seconds from now on."),
    ],
    async play({ host, session, command, say }) {
      await command("start-work", "auth-rewrite")
      await say("Please keep times as Unix seconds in everything that follows.")
      void host.client.session.summarize({
        path: { id: session },
        body: { providerID: "lab", modelID: "m" },
      })
    },
    isRight: one((act) => "text" in act && /"task_state"/.test(act.text) && /Unix/i.test(act.text)),
  },
  {
    name: "call-without-a-key",
    text: "a call that names no task",
    right: "the next call begins with a key, or the result is looked at",
    lead: [readFirst, delegated("Set up the database table")],
    isRight: both(
      one((act) => reads(act) || delegates("todo:\\d")(act) || saves("todo:1", "complete")(act)),
      none((act) => isCall(act, /^task$/) && !delegates("(?:todo|final-wave):")(act)),
    ),
  },
  {
    name: "two-calls-for-one-task",
    text: "a task that another call has",
    right: "takes the result that is there; starts no third call",
    lead: [
      readFirst,
      {
        toolCalls: [
          task("todo:1 Add the sessions table"),
          // The first to come has the task: the second comes when that is on disk, and its subagent still works.
          { ...task("todo:1 Sessions table, again"), delayMs: 200 },
        ],
      },
    ],
    isRight: none(
      (act) => isCall(act, /^task$/) && delegates("todo:1")(act) && !isCall(act, /./, /task_id/),
    ),
  },
  {
    name: "edited-a-source",
    text: "the remark on a source that the lead edited",
    right: "edits no further source itself",
    lead: [
      call("read", { filePath: "src/login/route.js" }),
      call("edit", {
        filePath: "src/login/route.js",
        oldString: "/** POST /login: mail and password in, a signed token out. */",
        newString: "/** POST /login: mail and password in, a session out. */",
      }),
    ],
    isRight: none((act) => isCall(act, /^(?:edit|write|apply_patch)$/, /src\//)),
  },
  {
    name: "settled-alone",
    text: "the remark on a task that was settled without a delegation",
    right:
      "continues with todo:2 by a delegation; before it, it may read, or run the check that it has left out",
    lead: [
      readFirst,
      call("bash", {
        command:
          "echo 'CREATE TABLE sessions (id TEXT PRIMARY KEY, user_id TEXT, created_at TEXT, revoked_at TEXT);' > migrations/004-sessions.sql",
        description: "Write the migration",
      }),
      complete("todo:1"),
    ],
    isRight: one((act) => delegates("todo:2")(act) || isCall(act, /^read$/) || checks(act)),
  },
  {
    name: "wave-one-row-back",
    text: "a review that is back while another is open",
    right: "delegates F2 and ticks nothing",
    plan: WAVE,
    lead: [readFirst, { toolCalls: [F1] }],
    reports: { "final-wave:f1": PASS },
    isRight: both(
      one((act) => delegates("final-wave:f2")(act) || isCall(act, /^read$/)),
      none(ticks),
    ),
  },
  {
    name: "wave-rejected",
    text: "a review that rejects",
    right: "has it fixed under its task's key before F2 is delegated again; ticks nothing",
    plan: WAVE,
    lead: [readFirst, { toolCalls: [F1, F2] }],
    reports: { "final-wave:f1": PASS, "final-wave:f2": REJECT },
    isRight: both(
      one((act) => reads(act) || delegates("todo:\\d")(act)),
      none(ticks),
      none((act) => isCall(act, /^task$/) && !delegates("todo:\\d")(act)),
    ),
  },
  {
    name: "wave-no-verdict",
    text: "a review without a verdict",
    right: "asks the same session for its verdict",
    plan: WAVE,
    lead: [readFirst, { toolCalls: [F1] }],
    reports: { "final-wave:f1": "I have read everything. It looks fine to me on the whole." },
    isRight: one((act) => delegates("final-wave:f1")(act) && isCall(act, /./, /VERDICT/)),
  },
  {
    name: "wave-back",
    text: "the whole wave is back: ask for the approval",
    right: "asks with `question`: header `Final wave`, options `Approve` and `Not yet`",
    plan: WAVE,
    lead: [{ toolCalls: [F1, F2] }],
    reports: { "final-wave:f1": PASS, "final-wave:f2": PASS },
    isRight: one(
      (act) =>
        isCall(act, /^question$/, /"Final wave"/) &&
        isCall(act, /./, /"Approve"/) &&
        isCall(act, /./, /"Not yet"/),
    ),
  },
  {
    name: "wave-back-before-the-last-task",
    text: "the last task is settled by the tool while the wave is back: ask for the approval",
    right: "asks with `question`: header `Final wave`, options `Approve` and `Not yet`",
    plan: planWith("1", "2", "3", "4", "5"),
    lead: [
      delegated("todo:6 Write the docs"),
      { toolCalls: [F1, F2] },
      call("read", { filePath: "docs/login.md" }),
      complete("todo:6"),
    ],
    reports: { "final-wave:f1": PASS, "final-wave:f2": PASS },
    isRight: one((act) => isCall(act, /^question$/, /"Final wave"/)),
  },
  {
    name: "rework-after-reviews",
    text: "the last task is settled behind reviews that are older: run them again",
    right: "delegates both rows again; asks for no approval, and ticks nothing",
    plan: WAVE,
    options: QUIET,
    lead: [
      { toolCalls: [F1, F2] },
      said("Both reviews approve, without an objection. Shall I settle the final wave?"),
      said("You have approved the final wave: I settle its rows next."),
      delegated("todo:7 Log each session that is revoked"),
      call("read", { filePath: "src/login/revoke.js" }),
      complete("todo:7"),
    ],
    reports: { "final-wave:f1": PASS, "final-wave:f2": PASS },
    async play({ host, command, say }) {
      await command("start-work", "auth-rewrite")
      await command("start-work", "auth-rewrite")
      host.writeFile(PLAN_PATH, WAVE.replace("\n## Final", TASK_7))
      await say("Wait: I have added task 7 to the plan. Do it first.")
    },
    isRight: both(
      one(delegates("final-wave:f[12]")),
      (acts) => ["f1", "f2"].every((row) => acts.some(delegates(`final-wave:${row}`))),
      none((act) => ticks(act) || isCall(act, /^question$/)),
    ),
  },
  {
    name: "fix-comes-back",
    text: "the fix of what a review rejects, under a task that is settled",
    right: "looks at the fix before the reviews are delegated again",
    plan: WAVE,
    lead: [
      { toolCalls: [F1, F2] },
      delegated("todo:3 Let an error of the store reach the caller of src/login/limit.js"),
    ],
    reports: {
      "final-wave:f1": PASS,
      "final-wave:f2": REJECT,
      "todo:3":
        "src/login/limit.js: an error of the store is thrown on, and the login answers 503. test/limit.test.js covers it. npm test: 2 passed, 0 failed.",
    },
    isRight: both(one(reads), none(ticks)),
  },
  {
    name: "fix-not-made",
    text: "the fix of what a review rejects, which could not be made",
    right: "looks into what is missing or asks the user; runs no review again and ticks nothing",
    plan: WAVE,
    lead: [
      { toolCalls: [F1, F2] },
      delegated("todo:3 Let an error of the store reach the caller of src/login/limit.js"),
    ],
    reports: {
      "final-wave:f1": PASS,
      "final-wave:f2": REJECT,
      "todo:3":
        "There is nothing to fix yet.\n\nBLOCKED: src/login/limit.js does not exist in this checkout",
    },
    isRight: both(
      one((act) => reads(act) || isCall(act, /^question$/) || delegates("todo:3")(act)),
      none((act) => ticks(act) || delegates("final-wave:f\\d")(act)),
    ),
  },
  {
    name: "two-results-back",
    text: "a continuation with two results that are back, below long titles",
    right: "looks at what came back; delegates neither task anew without its session",
    plan: LONG_PLAN,
    options: { continuation: { cooldown_seconds: 0 } },
    lead: [
      {
        toolCalls: [task("todo:1 Add the sessions table"), task("todo:2 Open a session at login")],
      },
      said("Both subagents have reported."),
    ],
    isRight: both(
      one(reads),
      none((act) => isCall(act, /^task$/, /todo:[12]/) && !isCall(act, /./, /"task_id":"ses_/)),
    ),
  },
  {
    name: "wave-not-yet",
    text: "a message of the user's that is no approval",
    right: "does what the user says first; ticks nothing and asks for nothing",
    plan: WAVE,
    options: QUIET,
    permission: { question: "deny" },
    lead: [
      { toolCalls: [F1, F2] },
      said("Both reviews approve. I have asked you for your approval."),
    ],
    reports: { "final-wave:f1": PASS, "final-wave:f2": PASS },
    async play({ command, say }) {
      await command("start-work", "auth-rewrite")
      await say(
        "No. First have the error in src/login/limit.js reported to the log, then we will see.",
      )
    },
    isRight: both(
      one((act) => isCall(act, /^(?:read|task|grep|bash|glob)$/)),
      none(ticks),
    ),
  },
  {
    name: "wave-approved",
    text: "an approved wave",
    right: "settles its rows; runs none again",
    plan: WAVE,
    options: QUIET,
    permission: { question: "deny" },
    lead: [
      { toolCalls: [F1, F2] },
      said("Both reviews approve. I have asked you for your approval."),
    ],
    reports: { "final-wave:f1": PASS, "final-wave:f2": PASS },
    async play({ command }) {
      await command("start-work", "auth-rewrite")
      // Typed by a person while the wave waits: that approves it.
      await command("start-work", "auth-rewrite")
    },
    isRight: both(
      one((act) => ticks(act) || isCall(act, /^read$/)),
      none((act) => isCall(act, /^task$/)),
    ),
  },
  {
    name: "only-blocked-left",
    text: "a start where only blocked tasks are left",
    right: "tells the user what would unblock them, and ends",
    plan: planWith("1", "2", "3", "4", "6", "F1", "F2")
      .replace("- [ ] 5.", "- [~] 5.")
      .replace(
        "in `.env`\n",
        "in `.env`\n  BLOCKED: no SMTP_URL. Unblock when: SMTP_URL is in .env\n",
      ),
    isRight: one((act) => "text" in act && /SMTP_URL/.test(act.text)),
  },
  {
    name: "unblocked-by-hand",
    text: "a task whose last result was BLOCKED, and which its user has unblocked",
    right:
      "looks whether that still holds, reads what was left, or sends todo:5 back to its session",
    plan: planWith("1", "2", "3", "4", "6"),
    options: QUIET,
    lead: [
      delegated("todo:5 Tell the user by mail of a new login"),
      said("todo:5 is blocked: no SMTP_URL in .env."),
    ],
    reports: {
      "todo:5": "src/login/mail.js is written; it cannot be sent.\n\nBLOCKED: no SMTP_URL in .env",
    },
    async play({ host, command }) {
      await command("start-work", "auth-rewrite")
      // In a terminal, so that no look at the edit comes before the start.
      execFileSync("node", [CLI, "stop", "auth-rewrite"], { cwd: host.project })
      host.writeFile(PLAN_PATH, planWith("1", "2", "3", "4", "6"))
      await command("start-work", "auth-rewrite")
    },
    isRight: one(
      (act) =>
        reads(act) || isCall(act, /^get_blocked_task$/) || isCall(act, /^task$/, /"task_id":"ses_/),
    ),
  },
  {
    name: "stop",
    text: "a line to repeat",
    right: "repeats the line, and does nothing else",
    options: QUIET,
    lead: [said("I will begin.")],
    async play({ command }) {
      await command("start-work", "auth-rewrite")
      await command("stop-work")
    },
    isRight: one((act) => "text" in act && act.text.includes("auth-rewrite stopped")),
  },
  {
    name: "handoff-note-elsewhere",
    text: "the note of what waits, where the user wants something else",
    right: "answers the user's question; takes nothing over",
    options: QUIET,
    lead: leftBehind(),
    play: (stage) => inANewSession(stage, "What does src/login/route.js do?"),
    isRight: none((act) => isCall(act, /blocked_task/)),
  },
  {
    name: "handoff-note-meant",
    text: "the note of what waits, where the user means it",
    right: "takes the task up with get_blocked_task",
    options: QUIET,
    lead: leftBehind(),
    play: (stage) =>
      inANewSession(stage, "SMTP_URL is in .env now. Take up the task that was left blocked."),
    isRight: one((act) => isCall(act, /(?:get|list)_blocked_tasks?$/)),
  },
  {
    name: "subagent-cannot-finish",
    text: "what a subagent is told",
    right: "ends with a line `BLOCKED: why`",
    of: "child",
    plan: planWith("1", "2", "3"),
    lead: [delegated("todo:5 Tell the user by mail of a new login", { prompt: MAIL_PROMPT() })],
    child: [
      call("bash", {
        command:
          "cat .env; env | grep -i smtp; grep -rni smtp --include=*.js --include=*.md . | head",
        description: "Look for the SMTP server",
      }),
      call("write", {
        filePath: "src/login/mail.js",
        content:
          'export const newLoginMail = (user) => ({\n  to: user.mail,\n  subject: "A new login",\n  text: "Somebody has logged in from a new device.",\n})\n',
      }),
      call("bash", {
        command: "ss -ltn | grep -E ':(25|465|587) ' || echo 'nothing listens on 25, 465 or 587'",
        description: "Look for a local mail server",
      }),
    ],
    isRight: one((act) => "text" in act && /^BLOCKED: \S/m.test(act.text)),
  },
]

/** A subagent's prompt that says nothing of how to end. */
function MAIL_PROMPT(): string {
  return "Send a mail to a user who logs in from a new device. Write src/login/mail.js; the SMTP server is the one of SMTP_URL in .env. The acceptance test is a mail that was really sent to root@localhost by that server. Report what you did."
}

/** A session that leaves todo:5 blocked behind. */
function leftBehind(): readonly Reply[] {
  return [
    call("save_task_progress", {
      task: "todo:5",
      status: "blocked",
      summary: "The mail's text is written in src/login/mail.js; it cannot be sent yet.",
      blocked_reason: "no SMTP_URL in .env. Unblock when: SMTP_URL is in .env",
    }),
    said("todo:5 waits."),
    said("Plan auth-rewrite stopped. To resume: /start-work auth-rewrite"),
  ]
}

async function inANewSession({ host, command }: Stage, text: string): Promise<void> {
  await command("start-work", "auth-rewrite")
  await command("stop-work")
  const other = await host.createSession()
  void host.prompt(other, text).catch(() => undefined)
}

/** The lines of todo:1 in the file that the start names. */
function shardLines({ lastUserText }: ModelRequest): object {
  const filePath = SHARD_NAMED.exec(lastUserText)?.[1] ?? PLAN_PATH
  const [, from = "1", to = from] = /todo:1 .*\(lines? (\d+)(?:-(\d+))?\)/.exec(lastUserText) ?? []
  return { filePath, offset: Number(from), limit: Number(to) - Number(from) + 1 }
}

export { SUMMARY }
