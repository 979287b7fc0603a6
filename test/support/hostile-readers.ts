import { emptyBoulder } from "../../src/boulder/boulder.ts"
import { checkpointText, isSameCheckpoint } from "../../src/boulder/checkpoint.ts"
import { decodeCompaction } from "../../src/boulder/decode-compaction.ts"
import { newHandoff, saveHandoff } from "../../src/boulder/handoff-changes.ts"
import { targetOf } from "../../src/boulder/handoff-target.ts"
import { reasonAlone, unblockIn } from "../../src/boulder/handoff-unblock.ts"
import { isBefore, msOf } from "../../src/boulder/iso-time.ts"
import { jsonOf } from "../../src/boulder/json-of.ts"
import { liveViewOf } from "../../src/boulder/live-view.ts"
import { workIdOf } from "../../src/boulder/new-work.ts"
import { fromPlanArgument, planArgument } from "../../src/boulder/plan-argument.ts"
import { boundedTaskState, parseTaskState } from "../../src/boulder/task-state.ts"
import { unsafePartOf } from "../../src/boulder/unsafe-part.ts"
import { upgradeOlderFormat } from "../../src/boulder/upgrade-older-format.ts"
import { fleetOptionIn } from "../../src/cli/project/fleet-option-in.ts"
import { blockedReason, firstLineOf, resultIn } from "../../src/decide/blocked-line.ts"
import { captureTask, type DelegationWords } from "../../src/decide/capture-task.ts"
import {
  candidateAt,
  choosePlan,
  looksLikePath,
  pathsOf,
  planNameOf,
  requestOf,
} from "../../src/decide/choose-plan.ts"
import { classifyFailure, tooLongWords } from "../../src/decide/classify-failure.ts"
import { contextTokensOf, tokenCountOf } from "../../src/decide/context-tokens.ts"
import { guardWrite } from "../../src/decide/guard-write.ts"
import { groupedByReason, handoffProgress } from "../../src/decide/handoff-offers.ts"
import { proofOf } from "../../src/decide/proof/proof.ts"
import { checkRun } from "../../src/decide/shell/check-run.ts"
import {
  filesWritten,
  openBehind,
  reachOf,
  spanOfCheck,
} from "../../src/decide/shell/files-written.ts"
import { inOwnFolder, mayRun } from "../../src/decide/shell/find-check.ts"
import { shellTokens } from "../../src/decide/shell/shell-tokens.ts"
import { tokenLimits } from "../../src/decide/token-limits.ts"
import { frameIn, refusalIn } from "../../src/headless/boulder-frame.ts"
import { lastLines } from "../../src/headless/serve-opencode.ts"
import { eventStream } from "../../src/opencode/host/http/event-stream.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { childOfCall, sessionIdIn } from "../../src/opencode/host/v1/child-of-call.ts"
import { cleanResults } from "../../src/opencode/host/v1/clean-results.ts"
import { clearOldOutputs } from "../../src/opencode/host/v1/clear-outputs.ts"
import { writtenIn } from "../../src/opencode/host/v1/incoming-message.ts"
import { pathsInArgs, pathsInPatch, wordsInArgs } from "../../src/opencode/host/v1/paths-in-args.ts"
import {
  contextTokensIn,
  removeOldSummaries,
  userWordsIn,
} from "../../src/opencode/host/v1/summary-messages.ts"
import { toolCallOf, toolResultOf } from "../../src/opencode/host/v1/tool-call-of.ts"
import { heardIn, translateEvent } from "../../src/opencode/host/v1/translate-event.ts"
import { takeOverIn } from "../../src/opencode/user/occupied.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { occupiedIn, occupiedText } from "../../src/prompts/occupied-text.ts"
import { handoffArgs } from "../../src/prompts/tool-definitions.ts"
import { nodeFilePort } from "../../src/store/disk/file-port.ts"
import { decoded } from "../../src/store/fleet/away.ts"
import { scopeOfRemote } from "../../src/store/fleet/fleet-scope.ts"
import { savedIn } from "../../src/store/fleet/kept-saves.ts"
import { parseHandoffFile } from "../../src/store/handoffs/handoff-file.ts"
import { planText } from "../../src/store/plans/plan-limits.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openProofFiles } from "../../src/store/records/proof-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { checkBoulder, parseBoulderFile } from "../../src/store/revisions/boulder-file.ts"
import { readOlderInPlace } from "../../src/store/revisions/older-boulder.ts"
import { aPlan, aTask, at, aWork, LEAD, NOW } from "./builders.ts"
import { aHandoff, anActor, someProgress } from "./handoff-builders.ts"
import { HOSTILE_TEXT_USERS } from "./hostile-shown-texts.ts"
import { aStoredTaskState, aTaskState } from "./task-states.ts"

/** What reads a text from outside, and how it gets a hostile one. */
export interface HostileReader {
  /** The file below `src`, and the name of the exported function. */
  readonly reader: string
  /** What the text stands for, if there are several ways. */
  readonly as?: string
  readonly read: (text: string) => unknown
}

const PLAN = parsePlan("## TODOs\n- [ ] 1. Add the login route\n- [ ] 2. B.\n- [ ] C\n")
const WORK = aWork()
const BOULDER = { schema_version: 3, revision: 1, works: { [WORK.work_id]: WORK } }

/** What reads the words of hosts, models, files and people, except plans. */
export const READERS: readonly HostileReader[] = [
  ...HOSTILE_TEXT_USERS,
  { reader: "decide/blocked-line.ts blockedReason", read: blockedReason },
  {
    reader: "decide/blocked-line.ts blockedReason",
    as: "behind BLOCKED",
    read: (text) => blockedReason(`done\nBLOCKED: ${text}`),
  },
  {
    reader: "decide/blocked-line.ts blockedReason",
    as: "between BLOCKED and the colon",
    read: (text) => blockedReason(`BLOCKED${text}: a\nunblock${text}`),
  },
  { reader: "decide/blocked-line.ts resultIn", read: resultIn },
  { reader: "decide/blocked-line.ts firstLineOf", read: firstLineOf },
  capture("as its description", (text) => ({ description: text, prompt: "", resumes: null })),
  capture("as its prompt", (text) => ({ description: "", prompt: text, resumes: text })),
  {
    reader: "decide/capture-task.ts captureTask",
    as: "the plan's titles",
    read: (text) =>
      captureTask(aPlan([aTask({ label: "1", title: text })]), WORK, {
        description: text,
        prompt: text,
        resumes: null,
      }),
  },
  {
    reader: "opencode/host/v1/child-of-call.ts childOfCall",
    read: (text) => childOfCall({ metadata: { sessionId: text }, toldByHost: text, output: text }),
  },
  {
    reader: "opencode/host/v1/child-of-call.ts childOfCall",
    as: "a block of the task's metadata",
    read: (text) =>
      childOfCall({
        metadata: null,
        toldByHost: null,
        output: `<task_metadata>\n${text}\n</task_metadata>`,
      }),
  },
  {
    reader: "opencode/host/v1/child-of-call.ts sessionIdIn",
    read: (text) => [sessionIdIn({ sessionId: text }), sessionIdIn(jsonOf(text))],
  },
  {
    reader: "decide/context-tokens.ts tokenCountOf",
    read: (text) => [tokenCountOf(text), tokenCountOf(jsonOf(text))],
  },
  {
    reader: "decide/context-tokens.ts contextTokensOf",
    read: (text) => [contextTokensOf({ total: text }), contextTokensOf(jsonOf(text))],
  },
  { reader: "decide/choose-plan.ts planNameOf", read: planNameOf },
  { reader: "decide/choose-plan.ts candidateAt", read: candidateAt },
  { reader: "decide/choose-plan.ts requestOf", read: requestOf },
  { reader: "decide/choose-plan.ts pathsOf", read: pathsOf },
  {
    reader: "decide/choose-plan.ts requestOf",
    as: "in quotes",
    read: (text) => requestOf(`"${text}"`),
  },
  { reader: "decide/choose-plan.ts looksLikePath", read: looksLikePath },
  {
    reader: "decide/choose-plan.ts choosePlan",
    read: (text) =>
      choosePlan(
        [
          { path: text, name: text },
          { path: "a", name: "a" },
        ],
        `${text}y`,
      ),
  },
  { reader: "opencode/host/v1/paths-in-args.ts pathsInPatch", read: pathsInPatch },
  {
    reader: "opencode/host/v1/paths-in-args.ts pathsInArgs",
    read: (text) => [
      pathsInArgs(jsonOf(text)),
      pathsInArgs({ patch: text, edits: [{ path: text }], [text]: text }),
    ],
  },
  {
    reader: "opencode/host/v1/paths-in-args.ts wordsInArgs",
    read: (text) => [wordsInArgs(jsonOf(text)), wordsInArgs({ edits: [{ [text]: text }, [text]] })],
  },
  {
    reader: "opencode/host/v1/tool-call-of.ts toolCallOf",
    read: (text) => {
      const calls = [text, jsonOf(text), { description: text, prompt: text, task_id: text }].map(
        (args) => callOf("task", args),
      )
      return calls.map((call) => [call.delegation(), call.paths()])
    },
  },
  {
    reader: "opencode/host/v1/tool-call-of.ts toolResultOf",
    read: (text) => toolResultOf({ output: text, metadata: jsonOf(text) }).childOf(text),
  },
  { reader: "boulder/plan-argument.ts planArgument", read: planArgument },
  {
    reader: "boulder/plan-argument.ts fromPlanArgument",
    read: (text) => [fromPlanArgument(text), fromPlanArgument(`plan:${text}`)],
  },
  {
    reader: "decide/guard-write.ts guardWrite",
    read: (text) =>
      guardWrite({
        writer: "subagent",
        paths: [text, `.boulder/works/${text}`, ...pathsInPatch(text)],
        planPath: text,
        orchestratorWrites: "block",
      }),
  },
  {
    reader: "decide/handoff-offers.ts groupedByReason",
    read: (text) =>
      groupedByReason([
        {
          handoff: aHandoff({ blocked_reason: text }),
          kind: "blocked",
          since: NOW,
          isYours: false,
        },
      ]),
  },
  {
    reader: "decide/handoff-offers.ts handoffProgress",
    read: (text) =>
      handoffProgress([aHandoff({ summary: text, work_id: WORK.work_id })], WORK.work_id),
  },
  { reader: "boulder/decode-compaction.ts decodeCompaction", read: decodeCompaction },
  { reader: "opencode/user/occupied.ts takeOverIn", read: takeOverIn },
  {
    reader: "prompts/occupied-text.ts occupiedIn",
    as: "a plan's name",
    read: (text) =>
      occupiedIn(occupiedText({ planName: text, session: "ses_a", argument: "a" }, true)),
  },
  { reader: "boulder/live-view.ts liveViewOf", read: (text) => liveViewOf(jsonOf(text)) },
  {
    reader: "boulder/live-view.ts liveViewOf",
    as: "the fields of a view",
    read: (text) =>
      liveViewOf({ version: 1, writer: text, at: text, problems: text.split("a"), works: [text] }),
  },
  {
    reader: "boulder/decode-compaction.ts decodeCompaction",
    as: "the fields of its object",
    read: (text) =>
      decodeCompaction(
        JSON.stringify({
          task_state: aTaskState({ goal: text, progress: text.split("a") }),
          display_summary: text,
        }),
      ),
  },
  {
    reader: "boulder/decode-compaction.ts decodeCompaction",
    as: "a field that nobody asked for",
    read: (text) => decodeCompaction(`{"task_state":${text},"display_summary":"a"}`),
  },
  {
    reader: "boulder/task-state.ts parseTaskState",
    read: (text) => parseTaskState(text, LEAD),
  },
  {
    reader: "boulder/task-state.ts parseTaskState",
    as: "its fields",
    read: (text) =>
      parseTaskState(
        JSON.stringify(
          aStoredTaskState({ task_state: aTaskState({ goal: text, decisions: text.split("a") }) }),
        ),
        LEAD,
      ),
  },
  {
    reader: "boulder/task-state.ts boundedTaskState",
    read: (text) => boundedTaskState(aTaskState({ next_step: text, blockers: text.split(" ") })),
  },
  { reader: "boulder/json-of.ts jsonOf", read: jsonOf },
  { reader: "boulder/unsafe-part.ts unsafePartOf", read: (text) => unsafePartOf(jsonOf(text)) },
  { reader: "boulder/handoff-unblock.ts unblockIn", read: unblockIn },
  { reader: "boulder/handoff-unblock.ts reasonAlone", read: reasonAlone },
  {
    reader: "boulder/handoff-target.ts targetOf",
    as: "a task's name",
    read: (text) => target(text, true),
  },
  {
    reader: "boulder/handoff-target.ts targetOf",
    as: "a task's key with more behind it",
    read: (text) => target(`todo:1${text}`, false),
  },
  { reader: "boulder/new-work.ts workIdOf", read: (text) => workIdOf(text, text) },
  {
    reader: "boulder/checkpoint.ts checkpointText",
    read: (text) =>
      checkpointText({
        ...{ seq: 1, reason: "hard-limit", work: aWork({ active_plan: text }), plan: PLAN },
        ...{ planHash: text, window: text.split("a"), contextTokens: 0, taskState: text, at: text },
      }),
  },
  { reader: "boulder/iso-time.ts msOf", read: msOf },
  { reader: "boulder/iso-time.ts isBefore", read: (text) => isBefore(text, `${text}Z`, NOW) },
  {
    reader: "decide/token-limits.ts tokenLimits",
    read: (text) => tokenLimits({ soft: text, hard: `${text}%` }, 1, 1),
  },
  {
    reader: "opencode/host/v1/incoming-message.ts writtenIn",
    read: (text) => writtenIn([{ type: "text", text, metadata: { [text]: text } }]),
  },
  {
    reader: "opencode/host/v1/clean-results.ts cleanResults",
    read: (text) =>
      cleanResults([
        { info: { role: "user" }, parts: [{ synthetic: true, text: `<task ${text}` }] },
      ]),
  },
  { reader: "store/fleet/away.ts decoded", read: decoded },
  { reader: "store/fleet/fleet-scope.ts scopeOfRemote", read: scopeOfRemote },
  { reader: "store/fleet/kept-saves.ts savedIn", read: savedIn },
  {
    reader: "cli/project/fleet-option-in.ts fleetOptionIn",
    read: (text) =>
      fleetOptionIn(
        `{"plugin":[["opencode-boulder",{"handoffs":${JSON.stringify(text)}}]]}`,
        "opencode.json",
      ),
  },
  {
    reader: "boulder/handoff-changes.ts saveHandoff",
    read: (text) =>
      saveHandoff(anActor(LEAD), someProgress({ summary: text, reason: text, unblock: text }))(
        aHandoff({ summary: text, blocked_reason: text }),
        NOW,
      ),
  },
  {
    reader: "boulder/checkpoint.ts isSameCheckpoint",
    read: (text) => isSameCheckpoint(text, ` "at": ${text}`),
  },
  {
    reader: "boulder/handoff-changes.ts newHandoff",
    read: (text) =>
      newHandoff(
        {
          id: "hnd_1",
          project: text,
          workId: null,
          planName: text,
          taskKey: null,
          titleHash: null,
          taskText: text,
          fromOutside: false,
        },
        anActor(LEAD),
        someProgress({ summary: text, reason: text, unblock: text }),
        NOW,
      ),
  },
  {
    reader: "boulder/upgrade-older-format.ts upgradeOlderFormat",
    read: (text) => older(jsonOf(text)),
  },
  {
    reader: "boulder/upgrade-older-format.ts upgradeOlderFormat",
    as: "the fields of a work",
    read: (text) =>
      older({
        active_plan: text,
        plan_name: text,
        agent: text,
        session_ids: [text],
        started_at: text,
        [text]: text,
        unknown: jsonOf(text),
        task_sessions: {
          [text]: 1,
          "todo:1": { session_id: text, task_title: text, task_label: text },
        },
      }),
  },
  {
    reader: "boulder/upgrade-older-format.ts upgradeOlderFormat",
    as: "many works",
    read: (text) =>
      older({
        works: Object.fromEntries(
          Array.from(text.slice(0, text.length / 400), (_, index) => [
            `w${index}`,
            { active_plan: `a/${index}.md` },
          ]),
        ),
      }),
  },
  {
    reader: "store/plans/plan-limits.ts planText",
    read: (text) => planText("a.md", Buffer.from(text)),
  },
  {
    reader: "store/plans/plan-limits.ts planText",
    as: "bytes that are not UTF-8",
    read: (text) => planText("a.md", Buffer.from(`${text}\xff`, "latin1")),
  },
  { reader: "store/revisions/boulder-file.ts parseBoulderFile", read: parseBoulderFile },
  {
    reader: "store/revisions/boulder-file.ts parseBoulderFile",
    as: "a field of another version",
    read: (text) => parseBoulderFile(JSON.stringify(BOULDER).replace("{", `{"later":${text},`)),
  },
  {
    reader: "store/revisions/older-boulder.ts readOlderInPlace",
    read: (text) =>
      readOlderInPlace(
        JSON.stringify({ works: { [text]: { active_plan: "a.md", later: text } }, later: text }),
        { root: "/p", now: "2026-01-01T00:00:00Z", ours: emptyBoulder() },
      ),
  },
  {
    reader: "store/revisions/boulder-file.ts checkBoulder",
    read: (text) => checkBoulder({ ...BOULDER, later: text, [text]: jsonOf(text) }),
  },
  {
    reader: "store/handoffs/handoff-file.ts parseHandoffFile",
    read: (text) => parseHandoffFile(text, "p"),
  },
  {
    reader: "store/handoffs/handoff-file.ts parseHandoffFile",
    as: "its summary",
    read: (text) =>
      parseHandoffFile(
        JSON.stringify({ ...aHandoff({ summary: text }), store: { revision: 1, trail: [text] } }),
        text,
      ),
  },
  { reader: "decide/shell/check-run.ts checkRun", read: (text) => checkRun(text, "npm test", 0) },
  {
    reader: "decide/shell/check-run.ts checkRun",
    as: "the check",
    read: (text) => checkRun(`cd a && ${text} | tail`, text.slice(0, 1_000), 1),
  },
  { reader: "decide/shell/files-written.ts filesWritten", read: (text) => filesWritten(text) },
  {
    reader: "decide/shell/files-written.ts openBehind",
    read: (text) => openBehind(`npm test && ${text}`, ["npm test", text.slice(0, 1_000)]),
  },
  {
    reader: "decide/shell/find-check.ts inOwnFolder",
    read: (text) => [inOwnFolder(text), inOwnFolder(`cd ${text} && ${text}`)],
  },
  {
    reader: "decide/shell/find-check.ts mayRun",
    read: (text) => mayRun(shellTokens(text) ?? [], shellTokens("npm test") ?? []),
  },
  {
    reader: "decide/shell/files-written.ts spanOfCheck",
    read: (text) => spanOfCheck(`cd a && ${text} && b`, text.slice(0, 1_000)),
  },
  {
    reader: "decide/shell/files-written.ts reachOf",
    read: (text) => reachOf(text, ["npm test", text.slice(0, 1_000)]),
  },
  {
    reader: "decide/shell/files-written.ts filesWritten",
    as: "the arguments of a command",
    read: (text) => filesWritten(`a; sed -i ${text} > ${text}`),
  },
  {
    reader: "store/records/proof-files.ts openProofFiles",
    read: async (text) => {
      const entry = {
        kind: "tick",
        at: at(0),
        tier: "claimed",
        task: { key: text, title_hash: "" },
      }
      const files = openProofFiles(recordsOf(`${text}\n${JSON.stringify(entry)}`))
      return proofOf(PLAN, await files.read("w"))
    },
  },
  { reader: "store/records/journal.ts openJournal", read: (text) => journalOf(text).readLast(100) },
  {
    reader: "store/records/journal.ts openJournal",
    as: "the facts of a line",
    read: (text) =>
      journalOf(
        JSON.stringify({
          at: text,
          session: text,
          work: text,
          decision: text,
          reason: text,
          facts: { [text]: text },
        }),
      ).readLast(100),
  },
  {
    reader: "store/records/work-archive.ts openWorkArchive",
    read: async (text) => {
      const archive = openWorkArchive(recordsOf(text))
      return [await archive.list(), await archive.tasksOf("w")]
    },
  },
  {
    reader: "opencode/host/options.ts readOptions",
    read: (text) => readOptions(jsonOf(text) ?? text),
  },
  {
    reader: "opencode/host/options.ts readOptions",
    as: "its values",
    read: (text) =>
      readOptions({ [text]: text, reuse: text, long_run: { token_soft_limit: text, [text]: 1 } }),
  },
  {
    reader: "decide/classify-failure.ts classifyFailure",
    read: (text) => [
      classifyFailure(jsonOf(text), NOW),
      ...[{ responseBody: text }, { message: text, responseHeaders: { "retry-after": text } }].map(
        (data) => classifyFailure({ name: "APIError", data: { statusCode: 429, ...data } }, NOW),
      ),
    ],
  },
  {
    reader: "decide/classify-failure.ts tooLongWords",
    read: (text) => tooLongWords({ name: "ContextOverflowError", data: { message: text } }),
  },
  {
    reader: "opencode/host/v1/translate-event.ts translateEvent",
    read: (text) => [
      translateEvent(jsonOf(text), NOW),
      translateEvent({ type: text, properties: { sessionID: text } }, NOW),
      translateEvent(
        { type: "session.idle", properties: { sessionID: text, info: jsonOf(text) } },
        NOW,
      ),
      translateEvent(taskPart(text), NOW),
      translateEvent(
        {
          type: "permission.asked",
          properties: { id: "p", sessionID: text, patterns: text.split("a") },
        },
        NOW,
      ),
    ],
  },
  {
    reader: "opencode/host/v1/translate-event.ts heardIn",
    read: (text) => [
      heardIn(jsonOf(text), NOW),
      heardIn({ type: text, properties: { sessionID: text } }, NOW),
      heardIn({ type: "message.part.updated", properties: { part: jsonOf(text) } }, NOW),
    ],
  },
  {
    reader: "opencode/host/http/event-stream.ts eventStream",
    as: "in one piece",
    read: (text) => eventsOf(text, text.length),
  },
  {
    reader: "opencode/host/http/event-stream.ts eventStream",
    as: "in pieces of 64 characters",
    read: (text) => eventsOf(text, 64),
  },
  { reader: "headless/boulder-frame.ts frameIn", read: frameIn },
  { reader: "headless/boulder-frame.ts refusalIn", read: refusalIn },
  {
    reader: "headless/boulder-frame.ts refusalIn",
    as: "a refusal",
    read: (text) =>
      refusalIn(`<boulder>\nTell the user exactly this and do nothing else:\n${text}`),
  },
  { reader: "headless/serve-opencode.ts lastLines", read: lastLines },
  {
    reader: "opencode/host/v1/clear-outputs.ts clearOldOutputs",
    read: (text) => clearOldOutputs(messages(text)),
  },
  {
    reader: "opencode/host/v1/summary-messages.ts userWordsIn",
    read: (text) => userWordsIn(messages(text)),
  },
  {
    reader: "opencode/host/v1/summary-messages.ts contextTokensIn",
    read: (text) => contextTokensIn(messages(text)),
  },
  {
    reader: "opencode/host/v1/summary-messages.ts removeOldSummaries",
    read: (text) => removeOldSummaries(messages(text)),
  },
  {
    reader: "prompts/tool-definitions.ts handoffArgs",
    read: (text) => [
      handoffArgs.save_task_progress.safeParse(jsonOf(text)),
      handoffArgs.save_task_progress.safeParse({
        summary: text,
        status: text,
        blocked_reason: text,
        task: text,
        [text]: 1,
      }),
      handoffArgs.get_blocked_task.safeParse({ id: text, claim: text }),
    ],
  },
]

function capture(as: string, words: (text: string) => DelegationWords): HostileReader {
  return {
    reader: "decide/capture-task.ts captureTask",
    as,
    read: (text) => captureTask(PLAN, WORK, words(text)),
  }
}

function target(named: string, isOwn: boolean) {
  return targetOf({
    sessionId: LEAD,
    status: "blocked",
    named,
    open: [aHandoff()],
    place: isOwn ? { workId: WORK.work_id, role: "lead", task: null } : null,
    works: [{ work: WORK, plan: PLAN }],
  })
}

function older(json: unknown) {
  return upgradeOlderFormat({ json, root: "/project", sessionId: LEAD, now: at(0) })
}

function journalOf(text: string) {
  const files = { ...nodeFilePort(), readText: async () => text, list: async () => [] }
  return openJournal({ root: "/nowhere", files })
}

function recordsOf(text: string) {
  const unused = async () => {
    throw new Error("nothing is written here")
  }
  return {
    read: async () => text,
    tryRead: async () => text,
    list: async () => [text, "w"],
    replace: unused,
    createOnce: unused,
    append: unused,
    size: async () => text.length,
    remove: unused,
    removeFolder: unused,
  }
}

function taskPart(text: string) {
  const state = {
    status: "completed",
    input: { description: text, task_id: text },
    output: text,
    metadata: { sessionId: text },
  }
  const part = {
    id: "p",
    type: "tool",
    tool: "task",
    sessionID: text,
    callID: text,
    messageID: text,
    state,
    text,
  }
  return { type: "message.part.updated", properties: { part } }
}

async function eventsOf(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const pieces = async function* () {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const events: unknown[] = []
  for await (const event of eventStream(pieces())) events.push(event)
  return events
}

/** Eight messages with rounds and summaries, every text of which is the hostile one. */
function messages(text: string) {
  const tool = (name: string) => ({
    type: "tool",
    tool: name,
    state: {
      status: "completed",
      input: { filePath: text, command: text },
      output: text,
      metadata: { exit: 0 },
    },
  })
  const one = (index: number, role: string, more: object) => ({
    info: { id: `msg_${index}`, sessionID: LEAD, role, ...more },
    parts: [
      { type: "text", text, metadata: { boulder: true, boulder_round: index } },
      { type: "text", text },
      tool("read"),
      tool("bash"),
      tool(text),
    ],
  })
  return [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
    one(index, index % 2 === 0 ? "user" : "assistant", { summary: index > 4, finish: text }),
  )
}

function callOf(tool: string, args: unknown) {
  return toolCallOf({ tool, sessionID: "ses_a", callID: "call" }, args)
}
