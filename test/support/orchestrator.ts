import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ModelRequest } from "./host-model-request.ts"
import { type ToolUse, textsOf, toolUsesOf } from "./host-transcript.ts"
import type { Reply, Script } from "./scripted-model.ts"

export interface OrchestratorOptions {
  /** The project's folder. Asked again for each request, since a test may only learn it later. */
  readonly project: () => string
  /** The plan, relative to the project. */
  readonly planPath: string
  /** Ends its turn after this many ticked tasks, so that the plugin's continuation is needed. Default 3. */
  readonly tasksPerTurn?: number
  /** Whether a session that a hint offers is resumed (the default), or a new one is always opened. */
  readonly reuse?: "hint" | "never"
  /** What a subagent says. Undefined takes the default subagent, which writes one file and reports. */
  readonly child?: (request: ModelRequest) => Reply | undefined
}

/** A task as the plugin's window shows it. */
interface Row {
  readonly key: string
  readonly title: string
  /** 1-based first and last line in the plan. */
  readonly line: number
  readonly endLine: number
  /** Whether its verdict was a rejection, so that it is delegated again. */
  readonly redo: boolean
}

/** A result with this word is not accepted: the orchestrator sends the task back. */
export const INCOMPLETE = "INCOMPLETE"

const MAX_ATTEMPTS = 3

/**
 * A model that plays a sensible orchestrator and its subagents. It reads the plugin's window, reads each task in the plan, delegates it
 * with its key in the description, sends an incomplete result back to the session that the hint names, ticks the box, and ends its turn
 * after a few tasks. It runs the final wave in parallel, ticks none of its rows, and asks for approval; a user's message that says
 * "approved" makes it tick them. Everything it knows comes from the request and the plan on disk, so a restart of the host does not confuse
 * it.
 */
export function orchestratorScript(options: OrchestratorOptions): Script {
  return (request) => {
    if (request.kind !== "main") return undefined
    if (!request.toolNames.includes("task")) return options.child?.(request) ?? subagent(request)
    const said = wordsToRepeat(request.lastUserText)
    return said === null ? lead(request, options) : { text: said }
  }
}

/** The task key that a subagent's prompt names; "" for a prompt of another form. */
export function keyInPrompt(request: ModelRequest): string {
  const texts = textsOf(request.messages, "user")
  return /^Task (\S+):/m.exec(texts.join("\n"))?.[1] ?? ""
}

function subagent(request: ModelRequest): Reply {
  const key = keyInPrompt(request)
  if (request.stepOfTurn > 0) {
    const verdict = key.startsWith("final-wave:") ? "\n\nVERDICT: APPROVE" : ""
    return { text: `Done: ${key} is in place and works.${verdict}` }
  }
  const filePath = `work/${key.replace(/[^a-z0-9]+/gi, "-")}.txt`
  return { toolCalls: [{ name: "write", args: { filePath, content: `${key}\n` } }] }
}

function lead(request: ModelRequest, options: OrchestratorOptions): Reply {
  const turn = toolUsesOf(sinceLastUser(request))
  const plan = readFileSync(join(options.project(), options.planPath), "utf8").split("\n")
  const scene: Scene = { request, options, turn, plan }
  if (/\bapproved\b/i.test(request.lastUserText)) return tickWave(scene)
  const rows = windowIn(request.lastUserText, scene)
  if (rows.length === 0) return { text: "ok" }
  return nextStep(scene, rows)
}

interface Scene {
  readonly request: ModelRequest
  readonly options: OrchestratorOptions
  /** The tools used since the newest user message. */
  readonly turn: readonly ToolUse[]
  /** The plan's lines. */
  readonly plan: readonly string[]
}

function nextStep(scene: Scene, rows: readonly Row[]): Reply {
  const { plan, turn, options } = scene
  const open = rows.filter((row) => isOpen(plan, row.line) && !hasReturned(scene, row))
  const row = open[0]
  if (row === undefined) return { text: closingLine(rows) }
  const ticked = rows.filter((one) => isTickedIn(turn, one) && !isOpen(plan, one.line))
  if (ticked.length >= (options.tasksPerTurn ?? 3))
    return { text: `${ticked.length} tasks done and verified.` }
  if (isWave(row)) return delegateAll(scene, open.filter(isWave))
  const results = turn.filter((use) => isDelegationOf(use, row))
  const last = results.at(-1)
  if (last === undefined) {
    const wasRead = turn.some((use) => use.name === "read" && use.args["offset"] === row.line)
    return wasRead
      ? { toolCalls: [delegation(scene, row, DO_IT)] }
      : { toolCalls: [read(scene, row)] }
  }
  if (isAccepted(last)) return tick(scene, row)
  if (results.length >= MAX_ATTEMPTS) return { text: `${row.key} does not get done.` }
  return { toolCalls: [delegation(scene, row, FINISH_IT)] }
}

const DO_IT = "Do this task completely, then report what you did and how you checked it."
const FINISH_IT = "Your last result was incomplete. Finish what is missing and report again."
const REVIEW_IT =
  "Review the finished work. End with a line `VERDICT: APPROVE` or `VERDICT: REJECT`."

function delegateAll(scene: Scene, rows: readonly Row[]): Reply {
  return { toolCalls: rows.map((row) => delegation(scene, row, REVIEW_IT)) }
}

function delegation({ request, options, plan }: Scene, row: Row, order: string) {
  const offered = options.reuse === "never" ? null : offeredSession(request, row.key)
  const details = plan.slice(row.line, row.endLine).join("\n").trimEnd()
  return {
    name: "task",
    args: {
      description: `${row.key} ${row.title}`,
      prompt: `Task ${row.key}: ${row.title}\n\n${details}\n\n${order}`,
      subagent_type: "general",
      ...(offered === null ? {} : { task_id: offered }),
    },
  }
}

/** The id in the newest hint for this key. */
function offeredSession(request: ModelRequest, key: string): string | null {
  const start = `Preferred reuse session for ${key}: `
  const text = request.allText()
  const at = text.lastIndexOf(start)
  return at < 0 ? null : (/^ses_[0-9A-Za-z]+/.exec(text.slice(at + start.length))?.[0] ?? null)
}

function read({ options }: Scene, row: Row) {
  const args = {
    filePath: join(options.project(), options.planPath),
    offset: row.line,
    limit: row.endLine - row.line + 1,
  }
  return { name: "read", args }
}

/** Ticks a row. Reads it again first if the host wants that, and gives up after a few tries. */
function tick(scene: Scene, row: Row): Reply {
  const { plan, turn, options } = scene
  const tries = turn.filter((use) => isTickOf(use, row))
  if (tries.length >= MAX_ATTEMPTS) return { text: `The box of ${row.key} cannot be ticked.` }
  if (tries.length > 0 && turn.at(-1)?.name === "edit") return { toolCalls: [read(scene, row)] }
  const oldString = plan[row.line - 1] ?? ""
  const newString = oldString.replace("[ ]", "[x]")
  const filePath = join(options.project(), options.planPath)
  return { toolCalls: [{ name: "edit", args: { filePath, oldString, newString } }] }
}

function tickWave(scene: Scene): Reply {
  const { plan } = scene
  const index = plan.findIndex((line) => /^- \[ \] F\d+/.test(line))
  if (index < 0) return { text: "The final wave is approved and ticked." }
  const label = /F\d+/.exec(plan[index] ?? "")?.[0] ?? ""
  const key = `final-wave:${label.toLowerCase()}`
  const row = { key, title: "", line: index + 1, endLine: index + 1, redo: false }
  const wasRead = scene.turn.some((use) => use.name === "read")
  return wasRead ? tick(scene, row) : { toolCalls: [read(scene, row)] }
}

/** The rows of the newest window in a text of the plugin. The lines are of the file that the text names. */
function windowIn(
  text: string,
  { options, plan }: Pick<Scene, "options" | "plan">,
): readonly Row[] {
  let file: readonly string[] = plan
  return text.split("\n").flatMap((shown) => {
    const path = /^(?:Next|And) \(lines of (\S+?)[;)]/.exec(shown)?.[1]
    if (path !== undefined) file = readFileSync(join(options.project(), path), "utf8").split("\n")
    const found = /^- (\S+) "(.*)" \(lines? (\d+)(?:-(\d+))?\)(.*)$/.exec(shown)
    if (found === null) return []
    const [, key = "", title = "", from = "0", to = from, note = ""] = found
    const row = file[Number(from) - 1] ?? ""
    const line = plan.findIndex((one) => withoutMark(one) === withoutMark(row)) + 1
    const endLine = line + Number(to) - Number(from)
    return line === 0 ? [] : [{ key, title, line, endLine, redo: note.includes("REJECTED") }]
  })
}

function withoutMark(row: string): string {
  return row.replace(/^(\s*[-*] )\[.\]/, "$1[ ]")
}

function wordsToRepeat(text: string): string | null {
  const found = /Tell the user exactly this and do nothing else:\n([\s\S]*?)\n<\/boulder>/.exec(
    text,
  )
  return found?.[1] ?? null
}

function closingLine(rows: readonly Row[]): string {
  return rows.some(isWave)
    ? "The final wave is back, every reviewer approves. Do you approve it too?"
    : "The tasks of this window are done and verified."
}

function sinceLastUser({ messages }: ModelRequest) {
  return messages.slice(messages.findLastIndex((message) => message.role === "user") + 1)
}

function isOpen(plan: readonly string[], line: number): boolean {
  return (plan[line - 1] ?? "").includes("[ ]")
}

function isWave(row: Row): boolean {
  return row.key.startsWith("final-wave:")
}

/** Whether a row of the wave has returned. Such rows are not ticked, so only the conversation shows it. */
function hasReturned({ request, turn }: Scene, row: Row): boolean {
  if (!isWave(row)) return false
  const uses = row.redo ? turn : toolUsesOf(request.messages)
  return uses.some((use) => isDelegationOf(use, row) && isAccepted(use))
}

function isDelegationOf(use: ToolUse, row: Row): boolean {
  return use.name === "task" && String(use.args["description"]).startsWith(`${row.key} `)
}

function isAccepted({ result }: ToolUse): boolean {
  return result.includes("<task_result>") && !result.includes(INCOMPLETE)
}

function isTickOf({ name, args }: ToolUse, row: Row): boolean {
  const label = row.key.split(":")[1] ?? ""
  return name === "edit" && String(args["oldString"]).toLowerCase().includes(`[ ] ${label}`)
}

function isTickedIn(turn: readonly ToolUse[], row: Row): boolean {
  return turn.some((use) => isTickOf(use, row))
}
