import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ModelRequest } from "./host-model-request.ts"
import { toolUsesOf } from "./host-transcript.ts"
import { CHARS_A_TOKEN, tokensOf } from "./request-figures.ts"
import type { Reply, Script } from "./scripted-model.ts"
import { compactionAnswer } from "./task-states.ts"

const LINE = "an output line of a long build that says little and fills the context of its reader"

/** A plan with this many tasks in sections of twelve, each with a detail line that names it. */
export function bulkyPlan(tasks: number): string {
  const rows = Array.from({ length: tasks }, (_, at) => {
    const section = at % 12 === 0 ? `\n### Part ${at / 12 + 1}\n\n` : ""
    return `${section}- [ ] ${at + 1}. Build part number ${at + 1}\n  Detail-of-${at + 1}: build it and look at what it prints.`
  })
  return `# A long plan\n\n## TODOs\n${rows.join("\n")}\n`
}

export interface BulkyOptions {
  readonly project: () => string
  readonly planPath: string
  /** Tokens that each task's command prints. */
  readonly outputTokens: number
  /** Whether the model ends its turn when a notice says so. If not, it goes on to the end. */
  readonly heedsNotices?: boolean
}

/**
 * A model that works through a plan by itself: for the first open task it runs one command with a long output, then ticks the task's box.
 * It sees on disk what is open, so neither a compaction nor a crash confuses it.
 */
export function bulkyScript(options: BulkyOptions): Script {
  return (request) => {
    const usage = { input: tokensOf(request), output: 40 }
    if (request.kind === "title") return undefined
    if (request.kind === "compaction") return { text: summaryFor(request, options), usage }
    return { ...nextReply(request, options), usage }
  }
}

function nextReply(request: ModelRequest, options: BulkyOptions): Reply {
  const begin = request.messages.findLastIndex((message) => message.role === "user")
  const turn = toolUsesOf(request.messages.slice(begin + 1))
  const isTold = turn.some((use) => use.result.includes("nd this turn"))
  if (isTold && options.heedsNotices !== false) return { text: "The round is done." }
  const filePath = join(options.project(), options.planPath)
  const label = /^- \[ \] (\d+)\./m.exec(readFileSync(filePath, "utf8"))?.[1]
  if (label === undefined) return { text: "Everything is built." }
  const isBuilt = turn.some((use) => use.result.includes(`${label}> ${LINE}`))
  return isBuilt
    ? { toolCalls: [tickOf(filePath, label)] }
    : { toolCalls: [buildOf(label, options.outputTokens)] }
}

/** A summary of a usual size: with the state if our prompt asks for one, else with the same facts in words. */
function summaryFor(request: ModelRequest, { project, planPath }: BulkyOptions): string {
  const plan = readFileSync(join(project(), planPath), "utf8")
  const built = [...plan.matchAll(/^- \[x\] (\d+)\./gm)].map(([, label]) => `part ${label}`)
  const state = {
    goal: `Build every part that ${planPath} lists, one after the other, and look at what each build prints.`,
    progress: [`Built and looked at: ${built.slice(-12).join(", ") || "none yet"}.`],
    open_items: ["All parts whose boxes are open in the plan."],
    next_step: `Build part ${built.length + 1}, look at its output, then tick its box.`,
    blockers: [],
    key_artifacts: [planPath, "build/log.txt", "build/parts.json"],
    decisions: ["Each part is built by its own command, so that one that fails stops no other."],
    user_constraints: ["Tick a box only after the build has printed its last line."],
  }
  const summary = [SUMMARY, `${built.length} parts are built.`].join(" ")
  return request.allText().includes('"task_state"')
    ? compactionAnswer(state, summary)
    : [summary, ...Object.values(state).flat()].join("\n- ")
}

/** About 150 tokens. */
const SUMMARY =
  "The plan is worked from its top to its end. For each part the build was run with its own command; its output was long, said of no error, and ended with the line that the plan asks for. After that the part's box was ticked with an edit of the plan, and nothing else in the plan was changed. No build had to be run a second time, no file outside the build folder was touched, and no test was left out. The builds take about as long as one another. What they print is of no further use once the box is ticked, since it can be had again by running the command once more."

function tickOf(filePath: string, label: string) {
  const args = { filePath, oldString: `- [ ] ${label}.`, newString: `- [x] ${label}.` }
  return { name: "edit", args }
}

function buildOf(label: string, outputTokens: number) {
  const count = Math.ceil((outputTokens * CHARS_A_TOKEN) / (LINE.length + label.length + 3))
  const command = `for i in $(seq ${count}); do echo "${label}> ${LINE}"; done`
  return { name: "bash", args: { command, description: `Build part ${label}` } }
}
