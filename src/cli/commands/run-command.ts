// The command `run`.
import { openWorks } from "../../boulder/find-work.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { pathsOf, requestOf } from "../../decide/choose-plan.ts"
import { isUnfinished } from "../../decide/final-wave.ts"
import type { RunEvent } from "../../headless/run-event.ts"
import { runPlan } from "../../headless/run-plan.ts"
import type { ServerAccess } from "../../opencode/host/http/server-access.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { settledCount } from "../../plan/model/plan.ts"
import { leftOutLines, planRefusal } from "../../prompts/plan-refusal.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { firstInside } from "../../store/plans/plan-path.ts"
import { workOfPlan } from "../../store/plans/work-of-plan.ts"
import { readOlderBoulder } from "../../store/revisions/older-boulder.ts"
import { namedPlan, unnamedPlan } from "../project/named-plan.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { asCalled } from "../terminal/as-called.ts"
import { attachable } from "../terminal/attachable.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { duration } from "../terminal/parse-args.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import { outcomeText } from "../views/outcome-text.ts"
import { openRunView } from "../views/run-view.ts"

export const runCommand: Run<"run"> = async ({ values, names }, terminal) => {
  const { attach, model, agent, timeout } = values
  const project = await openProject(terminal)
  const facts = {
    attach: attach === undefined ? undefined : attachable(attach, terminal.env),
    model: model === undefined ? undefined : modelName(model),
    timeoutMs: timeout === undefined ? undefined : duration(timeout, "--timeout"),
  }
  const request = requestOf(names[0] ?? "")
  const { path, says, isOver } = await planToRun(project, request, terminal)
  for (const line of says) tell(terminal, `${cleanLine(line)}\n`)
  if (isOver) return 0
  const plan = request === "" ? "" : path
  let sessionId: string | null = null
  const view = openRunView(terminal, { showHints: values.verbose === true })
  const onEvent = (event: RunEvent): void => {
    if (event.kind === "session") sessionId = event.sessionId
    view.show(event)
  }
  const { root } = project
  const { env, signal } = terminal
  const noWait = values["no-wait"] === true
  const stays = staying(values.stay === true, facts.attach, env)
  const how = { agent, env, signal, onEvent, noWait, stays, ...facts }
  const outcome = await runPlan({ root, plan, ...how }).finally(() => view.end())
  const hasOthers = plan !== "" && openWorks(await readBoulder(project)).length > 1
  const { text, code } = outcomeText(outcome, {
    plan,
    sessionId,
    serverStopped: attach === undefined,
    typed: terminal.typed,
    name: hasOthers ? plan : null,
  })
  const write = code === 0 ? terminal.out : terminal.err
  write(`${text}\n`)
  if (outcome.kind === "complete") await tellLeftOut(project, path, terminal)
  return code
}

/** If nobody knows the server's password, nobody can answer it. */
function staying(stay: boolean, attach: ServerAccess | undefined, env: Terminal["env"]): boolean {
  if (stay && attach === undefined && (env["OPENCODE_SERVER_PASSWORD"] ?? "") === "")
    throw new UsageError(
      "Expected OPENCODE_SERVER_PASSWORD with --stay; found none. Set it here and where you answer.",
    )
  return stay
}

/**
 * The plan that a run should start: its path, "" if that is not known yet; which plan it is, how far it is, and, for a finished one, what is
 * not run. An unclear request is refused before a server is started.
 */
async function planToRun(project: Project, request: string, terminal: Terminal) {
  // Which of its works is meant is known only after `/start-work` has taken them over.
  if (request === "" && (await isOlderLeft(project, terminal)))
    return { path: "", says: [], isOver: false }
  const path = await (request === "" ? unnamedPlan(project) : planNamed(project, request, terminal))
  const read = await project.plans.read(path)
  if (read.kind === "unavailable") throw new Refusal(read.message)
  const works = Object.values((await readBoulder(project))?.works ?? {})
  const known = await workOfPlan(works, path, project.plans)
  const work = known && followTasks(read)(known)
  const { plan } = heldReading(read, work)
  const { state, counts } = plan
  const isOver = work === null || !isUnfinished(plan, work)
  const settled = `${settledCount(counts)}/${counts.total} tasks`
  if (state === "complete" && isOver) {
    const says = `Complete: ${settled} of ${path} settled; nothing to run.`
    return { path, says: [says, ...leftOutOf(read, path, terminal)], isOver: true }
  }
  const refusal = planRefusal(plan, path, isOver)
  if (refusal !== null) throw new Refusal(refusal.join("\n"))
  return { path, says: [`${path}: ${settled} settled`], isOver: false }
}

async function tellLeftOut({ plans }: Project, path: string, terminal: Terminal): Promise<void> {
  if (path === "") return
  const lines = leftOutOf(await plans.read(path), path, terminal)
  for (const line of lines) terminal.out(`${cleanLine(line)}\n`)
}

/** What a plan leaves out, with commands as typed here. */
function leftOutOf(
  read: PlanFileReading,
  path: string,
  { call }: Pick<Terminal, "call">,
): readonly string[] {
  if (read.kind !== "read") return []
  return leftOutLines(read.plan, path).map((line) => asCalled(line, call))
}

/** Whether there is state of an older plugin that was not taken over. */
async function isOlderLeft(project: Project, { now }: Terminal): Promise<boolean> {
  const taken = (await readBoulder(project))?.taken_over
  const at = { root: project.root, sessionId: "", now: isoOf(now()) }
  const { files, dropped } = await readOlderBoulder(taken === undefined ? at : { ...at, taken })
  return files.length + dropped.length > 0
}

async function planNamed(project: Project, request: string, terminal: Terminal): Promise<string> {
  const { root } = project
  const there = await namedPlan(project, request, terminal)
  if (there !== null) return there
  const missing = await firstInside(root, pathsOf(request)[1], terminal.cwd)
  if (missing !== null) return missing
  throw new Refusal(
    `Expected a plan inside the project; found ${request}. Name a file below ${root}.`,
  )
}

function modelName(text: string): string {
  if (/^[^/\s]+\/\S+$/.test(text)) return text
  throw new UsageError(`Expected --model to be provider/model; found ${text}. See: opencode models`)
}
