// The command `run`.
import {
  choosePlan,
  looksLikePath,
  pathsOf,
  planNameOf,
  requestOf,
} from "../../decide/choose-plan.ts"
import { isUnfinished } from "../../decide/final-wave.ts"
import type { RunEvent } from "../../headless/run-event.ts"
import { runPlan } from "../../headless/run-plan.ts"
import { type ServerAccess, serverAccess } from "../../headless/server-access.ts"
import { settledCount } from "../../plan/model/plan.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { firstThere } from "../../store/plans/plan-path.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { duration, parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { outcomeText } from "../views/outcome-text.ts"
import { openRunView } from "../views/run-view.ts"
import type { Command } from "./command.ts"

export const runCommand: Command = {
  summary: "Carry a plan to its end without the TUI, and say why it ended",
  help: `Usage: opencode-boulder run [plan] [--attach URL] [--model provider/model] [--agent NAME]
                            [--timeout TIME] [--no-wait] [--verbose]

Starts opencode serve in this project (or attaches to a running one), runs /start-work in a new
session, and follows the work until it ends: a bar, each task as it is delegated and as it
returns, and each decision with its reason. It answers nothing for you. Running it again resumes.
The plugin has to be in this project's opencode.json: "plugin": ["opencode-boulder"].

Arguments:
  [plan]                  Name or path of the plan. Without it: the work that is open, or the only plan.

Options:
  --attach URL            Use this server (opencode serve) and leave it running. It must work in this project.
  --model provider/model  The model; default is the project's own.
  --agent NAME            The agent that orchestrates; default is the project's own.
  --timeout TIME          Give up after this time, such as 90s, 30m or 2h. Default: no limit.
  --no-wait               End with exit code 3 at a limit of the provider. Default: wait until it is over,
                          where the options (limits.wait) say so, and go on.
  --verbose               Show each text that the plugin gives the model, word for word.
  --help                  Show this help.

Environment:
  OPENCODE_BIN            The opencode to start. Default: the project's own, else the one on the PATH.
  OPENCODE_SERVER_PASSWORD, OPENCODE_SERVER_USERNAME   Those of the server. One that is started here
                          without them has a password that nobody is told: set your own to join
                          it with opencode attach. In the URL of --attach other users can see it.

Exit codes:
  0  the plan is complete
  1  failed: refused to start, no plugin, server gone, time over; the message says which
  2  usage
  3  you are needed, with the reason: paused, approval, question, permission, a limit with --no-wait
  130  interrupted (Ctrl-C); the work can be resumed

Example:
  opencode-boulder run auth-rewrite --timeout 2h
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(
      args,
      {
        attach: { type: "string" },
        model: { type: "string" },
        agent: { type: "string" },
        timeout: { type: "string" },
        verbose: { type: "boolean" },
        "no-wait": { type: "boolean" },
      },
      1,
    )
    const { attach, model, agent, timeout } = values
    const project = await openProject(terminal)
    const facts = {
      attach: attach === undefined ? undefined : attachable(attach, terminal.env),
      model: model === undefined ? undefined : modelName(model),
      timeoutMs: timeout === undefined ? undefined : duration(timeout, "--timeout"),
    }
    const { plan, done } = await planToRun(project, requestOf(positionals[0] ?? ""))
    if (done !== null) {
      terminal.out(`${done}\n`)
      return 0
    }
    let sessionId: string | null = null
    const view = openRunView(terminal, { showHints: values.verbose === true })
    const onEvent = (event: RunEvent): void => {
      if (event.kind === "session") sessionId = event.sessionId
      view.show(event)
    }
    const { root } = project
    const { env, signal } = terminal
    const noWait = values["no-wait"] === true
    try {
      const outcome = await runPlan({ root, plan, agent, env, signal, onEvent, noWait, ...facts })
      view.end()
      const serverStopped = attach === undefined
      const { text, code } = outcomeText(outcome, { plan, sessionId, serverStopped })
      const write = code === 0 ? terminal.out : terminal.err
      write(`${text}\n`)
      return code
    } finally {
      view.end()
    }
  },
}

/** The plan's path. One that cannot be meant is refused before a server is started. */
async function planToRun(
  project: Project,
  request: string,
): Promise<{ readonly plan: string; readonly done: string | null }> {
  if (request === "") return { plan: "", done: null }
  const there = looksLikePath(request) ? await firstThere(project.root, pathsOf(request)) : null
  const path = there ?? (await namedPlan(project, request))
  const reading = await project.plans.read(path)
  if (reading.kind === "unavailable") throw new Refusal(reading.message)
  const { state, counts } = reading.plan
  const settled = settledCount(counts)
  const works = Object.values((await readBoulder(project))?.works ?? {})
  const work = works.find((one) => one.active_plan === path)
  const isDone = state === "complete" && (work === undefined || !isUnfinished(reading.plan, work))
  const done = isDone ? `Complete: ${settled}/${counts.total} tasks settled; nothing to run.` : null
  return { plan: path, done }
}

async function insideRoot({ plans, root }: Project, request: string): Promise<string> {
  const path = await plans.inRoot(request)
  if (path !== null) return path
  throw new Refusal(
    `Expected a plan inside the project; found ${request}. Name a file below ${root}.`,
  )
}

async function namedPlan(project: Project, request: string): Promise<string> {
  const { root } = project
  const { paths } = await findPlans(root)
  const candidates = paths.map((path) => ({ path, name: planNameOf(path) }))
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") return choice.candidate.path
  const isSeveral = choice.kind === "ambiguous"
  if (!isSeveral && looksLikePath(request)) return insideRoot(project, pathsOf(request)[1])
  const among = (isSeveral ? choice.among : choice.known).slice(0, 9)
  const list = among.map(({ path, name }) => `${name} (${path})`).join(", ")
  const found = isSeveral ? "several that could be meant" : "none"
  const todo =
    list === "" ? "Write one to .boulder/plans/<name>.md, or give a path." : `Name one of: ${list}.`
  throw new Refusal(`Expected a plan called ${request}; found ${found}. ${todo}`)
}

/** What was given is not shown: it may hold a password. */
function attachable(given: string, env: Terminal["env"]): ServerAccess {
  const access = serverAccess(given, env)
  if (access !== null) return access
  throw new UsageError(
    "Expected --attach to be the URL of a server, such as http://127.0.0.1:4096; found none.",
  )
}

function modelName(text: string): string {
  if (/^[^/\s]+\/\S+$/.test(text)) return text
  throw new UsageError(
    `Expected --model to be provider/model; found ${text}. See: opencode models.`,
  )
}
