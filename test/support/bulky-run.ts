import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ModelRequest } from "./host-model-request.ts"
import { toolUsesOf } from "./host-transcript.ts"
import type { Reply, Script } from "./scripted-model.ts"

/** About the tokens of English and code: what the scripted model counts by. */
const CHARS_A_TOKEN = 4
const LINE = "an output line of a long build that says little and fills the context of its reader"

/** A plan of so many tasks in sections of twelve, each with a detail line that names it. */
export function bulkyPlan(tasks: number): string {
  const rows = Array.from({ length: tasks }, (_, at) => {
    const section = at % 12 === 0 ? `\n### Part ${at / 12 + 1}\n\n` : ""
    return `${section}- [ ] ${at + 1}. Build part number ${at + 1}\n  Detail-of-${at + 1}: build it and look at what it prints.`
  })
  return `# A long plan\n\n## TODOs\n${rows.join("\n")}\n`
}

/** The tokens of a request as this model counts them. */
export function tokensOf(request: ModelRequest): number {
  return Math.ceil(textOf(request).length / CHARS_A_TOKEN)
}

/** What is sent, in the order in which a provider's prompt cache sees it. */
export function textOf({ body }: ModelRequest): string {
  return JSON.stringify(body.tools ?? []) + JSON.stringify(body.messages ?? [])
}

export interface BulkyOptions {
  readonly project: () => string
  readonly planPath: string
  /** Tokens that each task's command prints. */
  readonly outputTokens: number
  /** Whether a notice that says so ends the turn; a model that heeds none goes on to the end. */
  readonly heedsNotices?: boolean
}

/**
 * A model that works a plan by itself: for the first open task one command with a long output, then the tick of its
 * box. What is open it sees on the disk, so that neither a compaction nor a crash confuses it.
 */
export function bulkyScript(options: BulkyOptions): Script {
  return (request) => {
    const usage = { input: tokensOf(request), output: 40 }
    if (request.kind === "title") return undefined
    if (request.kind === "compaction") return { text: "Tasks were built one by one.", usage }
    return { ...nextReply(request, options), usage }
  }
}

function nextReply(request: ModelRequest, options: BulkyOptions): Reply {
  const begin = request.messages.findLastIndex((message) => message.role === "user")
  const turn = toolUsesOf(request.messages.slice(begin + 1))
  const isTold = turn.some((use) => use.result.includes("End this turn."))
  if (isTold && options.heedsNotices !== false) return { text: "The round is done." }
  const filePath = join(options.project(), options.planPath)
  const label = /^- \[ \] (\d+)\./m.exec(readFileSync(filePath, "utf8"))?.[1]
  if (label === undefined) return { text: "Everything is built." }
  const isBuilt = turn.some((use) => use.result.includes(`${label}> ${LINE}`))
  return isBuilt
    ? { toolCalls: [tickOf(filePath, label)] }
    : { toolCalls: [buildOf(label, options.outputTokens)] }
}

function tickOf(filePath: string, label: string) {
  const args = { filePath, oldString: `- [ ] ${label}.`, newString: `- [x] ${label}.` }
  return { name: "edit", args }
}

function buildOf(label: string, outputTokens: number) {
  const count = Math.ceil((outputTokens * CHARS_A_TOKEN) / (LINE.length + label.length + 3))
  const command = `for i in $(seq ${count}); do echo "${label}> ${LINE}"; done`
  return { name: "bash", args: { command, description: `Build part ${label}` } }
}
