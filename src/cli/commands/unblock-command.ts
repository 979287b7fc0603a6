// The command `unblock`.
import type { Work } from "../../boulder/boulder.ts"
import { changeWork } from "../../boulder/change-work.ts"
import { followReading } from "../../boulder/follow-tasks.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { reopenWork } from "../../boulder/reopen-work.ts"
import { causeHolds } from "../../decide/reopen.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { markTaskInPlan } from "../../store/plans/write-plan.ts"
import { meantWork, withoutLinks } from "../project/meant-work.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { unblockedText } from "../views/work-text.ts"
import type { Command } from "./command.ts"

export const unblockCommand: Command = {
  summary: "Take the block from a task, and go on with its plan",
  help: `Usage: opencode-boulder unblock <task> [plan]

Marks a blocked task open in its plan: its box, and the BLOCKED line below it. A work that was
paused because of blocked tasks is set going again. A running opencode sees it within seconds.
Editing the plan by hand does the same.

Arguments:
  <task>    The task's key or label, as opencode-boulder status shows it: todo:3, or 3.
  [plan]    Name or path of the plan. May be left out where only one work is open.

Options:
  --help    Show this help.

Exit codes:
  0  done        1  refused, with the reason        2  usage

Example:
  opencode-boulder unblock todo:3 auth-rewrite
`,
  async run(args, terminal) {
    const { positionals } = parseCommand(args, {}, 2)
    const [named, plan = ""] = positionals
    if (named === undefined) throw new UsageError("Expected the key of a task; found none.")
    const project = await openProject(terminal)
    const boulder = await readBoulder(project)
    const meant = meantWork(boulder, await withoutLinks(boulder, plan, project.plans))
    if (meant.kind === "none") throw new Refusal(meant.message)
    const { work } = meant
    const { task, follow } = await blockedTask(project, work, named)
    const { key, titleHash } = task
    const mark = { key, titleHash, state: "open", note: null } as const
    const done = await markTaskInPlan(project.root, work.active_plan, mark)
    if (done.kind === "refused") throw new Refusal(done.message)
    const goesOn = await goOn(project, work, { key, follow }, terminal)
    terminal.out(`${cleanLine(unblockedText(work, task, goesOn))}\n`)
    return 0
  },
}

/** A blocked task, and how what the work remembers is followed into the plan while it still has the task's note. */
interface Blocked {
  readonly task: Task
  readonly follow: (work: Work) => Work
}

async function blockedTask(project: Project, work: Work, named: string): Promise<Blocked> {
  const reading = await project.plans.read(work.active_plan)
  if (reading.kind === "unavailable") throw new Refusal(reading.message)
  const task = taskNamed(reading.plan, named)
  if (task?.state === "blocked") return { task, follow: followReading(reading) }
  const blocked = reading.plan.tasks.filter(({ state }) => state === "blocked")
  const found = task === undefined ? "no such task" : `${task.key} ${task.state}`
  const which = blocked.slice(0, 9).map(({ key }) => key)
  throw new Refusal(
    `Expected a blocked task of ${work.plan_name}; found ${found}. Blocked are: ${which.join(", ") || "none"}.`,
  )
}

function taskNamed({ tasks }: Plan, named: string): Task | undefined {
  const name = named.toLowerCase()
  return (
    tasks.find(({ key }) => key === name) ??
    tasks.find(({ label }) => label?.toLowerCase() === name)
  )
}

/** Forgets the block, and sets the work going where it was the last of what had paused it. */
async function goOn(
  project: Project,
  work: Work,
  { key, follow }: { readonly key: string } & Pick<Blocked, "follow">,
  terminal: Terminal,
): Promise<boolean> {
  const now = isoOf(terminal.now())
  const reason = work.pause_reason
  const isOfBlocks = reason === "only-blocked-left" || reason === "task-blocked"
  const reading = await project.plans.read(work.active_plan)
  const reopens = isOfBlocks && !causeHolds(reason, reading, work)
  const { boulder } = await project.store.update(
    changeWork(work.work_id, now, (newest) => {
      const before = follow(newest)
      const { [key]: block, ...blocked } = before.blocked
      const forgotten = block === undefined ? before : { ...before, blocked }
      return reopens ? reopenWork(reason, now)(forgotten) : forgotten
    }),
  )
  return boulder.works[work.work_id]?.status === "active"
}
