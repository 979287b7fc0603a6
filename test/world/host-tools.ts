// Runs tool calls in a simulated host: `task`, `question`, the plugin's own, and all others.
import type { HostCore, Reply, ToolCall } from "./host-core.ts"
import type { Message, Part, Session, ToolState } from "./host-database.ts"

/** How the calls of one answer have ended, for the turn that made them. */
export type CallEnd = "went-on" | "refused-by-user"

/** What the tools need from the turns: a child runs one. */
export interface TurnRunner {
  /** Runs a turn of a child to its end. */
  runChild(sessionId: string, prompt: string, agent: string, signal: AbortSignal): Promise<void>
}

interface Running {
  readonly core: HostCore
  readonly turns: TurnRunner
  readonly message: Message
  readonly part: Part
  readonly call: ToolCall & { readonly sessionId: string; readonly callId: string }
  readonly signal: AbortSignal
}

class Rejected extends Error {}

/** Runs a tool call from its first part to its last; never throws. */
export async function runCall(
  core: HostCore,
  turns: TurnRunner,
  message: Message,
  call: ToolCall,
  signal: AbortSignal,
): Promise<CallEnd> {
  const { id: messageID, sessionID } = message.info
  const callId = call.callId ?? `call_${core.db.newId("prt").slice(4, 16)}`
  const part: Part = {
    id: core.db.newId("prt"),
    sessionID,
    messageID,
    type: "tool",
    tool: call.tool,
    callID: callId,
    state: { status: "pending", input: {} },
  }
  message.parts.push(part)
  core.emitPart(part)
  const running = { core, turns, message, part, signal }
  try {
    await run({ ...running, call: { ...call, sessionId: sessionID, callId } })
    return "went-on"
  } catch (error) {
    // What an abort has cut off is closed with its message.
    if (signal.aborted) return "went-on"
    const text = error instanceof Error ? error.message : String(error)
    setState(core, part, { status: "error", error: text })
    return error instanceof Rejected ? "refused-by-user" : "went-on"
  }
}

async function run(given: Running): Promise<void> {
  const running = offered(given)
  const { core, call, part } = running
  const { tool, sessionId: sessionID, callId: callID, args } = call
  await core.hook("tool.execute.before", { tool, sessionID, callID }, { args })
  // What `task` runs is reported with its child.
  part.state = { status: "running", input: args, time: { start: core.db.now() } }
  if (tool !== "task") core.emitPart(part)
  if (call.isDenied) throw new Error(DENIED)
  if (call.needsPermission) await permitted(running)
  const result = await resultOf(running)
  await core.hook("tool.execute.after", { tool, sessionID, callID, args }, result)
  setState(core, part, { status: "completed", ...result })
}

const DENIED =
  "The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules"

/** A call of a tool that the model was not offered becomes a call of `invalid`. */
function offered(running: Running): Running {
  const { core, call, part } = running
  if (core.options.forbidsNesting !== true) return running
  const isChild = core.db.sessions.get(call.sessionId)?.parentID !== undefined
  const own = Object.keys(core.hooks.tool ?? {})
  const names = [...core.facts.tools, ...own].filter((name) => name !== "task" || !isChild)
  if (names.includes(call.tool)) return running
  const error = `Model tried to call unavailable tool '${call.tool}'. Available tools: ${names.join(", ")}.`
  part.tool = "invalid"
  return { ...running, call: { ...call, tool: "invalid", args: { tool: call.tool, error } } }
}

interface ToolResult {
  title: string
  output: string
  metadata: Record<string, unknown>
}

async function resultOf(running: Running): Promise<ToolResult> {
  const { core, call, signal } = running
  const own = core.hooks.tool?.[call.tool]
  if (call.tool === "task") return runTask(running)
  if (call.tool === "question") return askQuestion(running)
  if (call.tool === "invalid") {
    const output = `The arguments provided to the tool are invalid: ${String(call.args["error"])}`
    return { title: "Invalid Tool", output, metadata: {} }
  }
  if (own !== undefined) {
    const { info } = running.message
    const context = {
      sessionID: call.sessionId,
      messageID: info.id,
      callID: call.callId,
      agent: info.agent,
      directory: core.options.directory,
      worktree: core.options.directory,
      abort: signal,
      metadata: () => undefined,
      ask: async () => undefined,
    }
    const answer = await core.live(
      Promise.resolve(own.execute(call.args as never, context as never)),
    )
    const output = typeof answer === "string" ? answer : answer.output
    return { title: "", output, metadata: { truncated: false } }
  }
  const output = (await orCutOff(core, core.options.runTool?.(call), signal)) ?? "done"
  return { title: "", output, metadata: {} }
}

async function runTask(running: Running): Promise<ToolResult> {
  const { core, call, part, signal, turns } = running
  const { description, prompt, agent, resumed } = wordsOf(call.args, core.facts.checksTaskIds)
  const child = childFor(core, call.sessionId, { description, agent, resumed })
  const metadata = {
    parentSessionId: call.sessionId,
    sessionId: child.id,
    model: { modelID: child.model.id, providerID: child.model.providerID },
  }
  const { sessionId, callId } = call
  core.options.witness?.({ kind: "child", sessionId, callId, childId: child.id })
  setState(core, part, { status: "running", title: description, metadata })
  const run = turns.runChild(child.id, prompt, agent, signal)
  await (core.facts.cutsTasksOff ? orAborted(core, run, signal) : run)
  return { title: description, output: taskOutput(core, child.id), metadata }
}

function taskOutput(core: HostCore, childId: string): string {
  const last = core.db.lastAssistant(childId)
  const text = last?.parts.findLast(({ type }) => type === "text")?.text ?? ""
  const { failsWithChild, framesResults } = core.facts
  if (failsWithChild && last?.info.error?.name === "MessageAbortedError") {
    core.emitStatus(childId, "idle")
    throw new Error("Task cancelled")
  }
  const failure = last === undefined ? undefined : failureOf(last)
  if (failure !== undefined && failsWithChild)
    throw new Error(`Subagent failed (task_id: ${childId}): ${failure}`)
  return framed(childId, text, framesResults)
}

/** Why a child's last answer does not count: its provider's error, or that of its last tool. */
function failureOf({ info, parts }: Message): string | undefined {
  if (info.error !== undefined) return String(info.error.data["message"])
  const last = parts.findLast(({ type }) => type === "tool" || type === "text")
  return last?.state?.error
}

function wordsOf(
  { description, prompt, subagent_type: agent, task_id: resumed }: Record<string, unknown>,
  checksIds: boolean,
) {
  if (typeof description !== "string" || typeof prompt !== "string" || typeof agent !== "string")
    throw new Error(
      "The task tool was called with invalid arguments: SchemaError(Missing key\n  at description)",
    )
  if (checksIds && typeof resumed === "string" && !resumed.startsWith("ses"))
    throw new Error(`Expected a string starting with "ses", got "${resumed}"`)
  if (!KNOWN_AGENTS.has(agent))
    throw new Error(`Unknown agent type: ${agent} is not a valid agent type`)
  return { description, prompt, agent, resumed }
}

/** The child of a call. If the call resumes a session that the host knows, that session is the child, whoever created it. */
function childFor(
  core: HostCore,
  parentID: string,
  { description, agent, resumed }: { description: string; agent: string; resumed: unknown },
): Session {
  const known = typeof resumed === "string" ? core.db.sessions.get(resumed) : undefined
  if (known !== undefined) return known
  const title = `${description} (@${agent} subagent)`
  const child = core.db.addSession({ title, agent, parentID })
  const { agent: _, ...nameless } = child
  const info = core.facts.namesAgents ? child : nameless
  core.emit("session.created", { sessionID: child.id, info })
  return child
}

function framed(id: string, text: string, inElement: boolean): string {
  return inElement
    ? `<task id="${id}" state="completed">\n<task_result>\n${text}\n</task_result>\n</task>`
    : `task_id: ${id} (for resuming to continue this task if needed)\n\n<task_result>\n${text}\n</task_result>`
}

/** Whether the host knows an agent with that name. */
export function isAgent(name: string): boolean {
  return KNOWN_AGENTS.has(name)
}

const KNOWN_AGENTS: ReadonlySet<string> = new Set(["general", "explore", "build", "plan"])

async function askQuestion(running: Running): Promise<ToolResult> {
  const { call } = running
  const questions = Array.isArray(call.args["questions"]) ? call.args["questions"] : []
  const reply = await asked(running, "question", questions)
  if (reply.kind === "no") throw new Rejected("The user dismissed this question")
  const { answers = [] } = reply
  const told = questions.map((one, at) => `"${questionIn(one)}"="${answers[at]?.join(", ")}"`)
  const output = `User has answered your questions: ${told.join(", ")}. You can now continue with the user's answers in mind.`
  return { title: "", output, metadata: { answers } }
}

function questionIn(one: unknown): string {
  return typeof one === "object" && one !== null ? String(Reflect.get(one, "question")) : ""
}

async function permitted(running: Running): Promise<void> {
  const reply = await asked(running, "permission", [])
  if (reply.kind === "yes") return
  const words = "The user rejected permission to use this specific tool call"
  if (reply.feedback === undefined) throw new Rejected(`${words}.`)
  throw new Error(`${words} with the following feedback: ${reply.feedback}`)
}

/** Asks the user and waits for the reply. */
async function asked(
  { core, call, message, signal }: Running,
  kind: "permission" | "question",
  questions: readonly unknown[],
): Promise<Reply> {
  const id = core.db.newId(kind === "permission" ? "per" : "que")
  const { sessionId: sessionID, callId: callID } = call
  const tool = { messageID: message.info.id, callID }
  const reply = new Promise<Reply>((answer) => {
    core.asked.set(id, { id, kind, sessionId: sessionID, callId: callID, questions, answer })
  })
  if (kind === "question") core.emit("question.asked", { id, sessionID, questions, tool })
  else
    core.emit("permission.asked", {
      id,
      sessionID,
      permission: call.tool,
      patterns: ["*"],
      metadata: {},
      always: [],
      tool,
    })
  try {
    return (await orAborted(core, reply, signal)) ?? { kind: "no" }
  } finally {
    core.asked.delete(id)
  }
}

/** What a tool gives; if it is aborted, the words for that. */
async function orCutOff(
  core: HostCore,
  promise: Promise<string> | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await orAborted(core, promise, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return "(no output)\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>"
  }
}

/** What a promise gives; throws if the turn is aborted. */
async function orAborted<Value>(
  core: HostCore,
  promise: Promise<Value> | undefined,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (promise === undefined) return undefined
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(new Error("Tool execution aborted"))
    signal.addEventListener("abort", () => reject(new Error("Tool execution aborted")))
  })
  return core.live(Promise.race([promise, aborted]))
}

function setState(core: HostCore, part: Part, given: Partial<ToolState>): void {
  const before = part.state ?? { status: "pending", input: {} }
  const end = given.status === "running" ? {} : { end: core.db.now() }
  const time = { start: before.time?.start ?? core.db.now(), ...end }
  part.state = { ...before, ...given, time }
  core.emitPart(part)
}
