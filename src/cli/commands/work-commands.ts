// `stop`, `resume` and `approve`.
import type { Work } from "../../boulder/boulder.ts"
import { changeWork, stop } from "../../boulder/change-work.ts"
import { followReading } from "../../boulder/follow-tasks.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { reopenWork } from "../../boulder/reopen-work.ts"
import { approveNow, awaitsApproval } from "../../decide/final-wave.ts"
import { othersLed } from "../../decide/place.ts"
import { causeHolds, reopens } from "../../decide/reopen.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { meantWork, withoutLinks } from "../project/meant-work.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal } from "../terminal/cli-error.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import {
  approvedText,
  NOTHING_WAITS,
  resumedText,
  stillHoldsText,
  stoppedText,
} from "../views/work-text.ts"
import type { Command } from "./command.ts"

const EXITS = `Exit codes:
  0  done        1  refused, with the reason        2  usage
`
const WHICH = `Arguments:
  [plan]    Name or path of the plan. May be left out where only one work is open.

Options:
  --help    Show this help.
`

export const stopCommand: Command = {
  summary: "Stop carrying a plan on, until it is resumed",
  help: `Usage: opencode-boulder stop [plan]

Pauses a work. Nothing is prompted any more; a turn that is running ends by itself. Only resume or
/start-work sets it going again. A running opencode sees it within seconds.

${WHICH}
${EXITS}
Example:
  opencode-boulder stop auth-rewrite
`,
  run: (args, terminal) =>
    changing(args, terminal, async ({ work, project, now }) => {
      if (work.status === "completed")
        throw new Refusal(
          `Expected an open work; found ${work.plan_name} complete. There is nothing to stop.`,
        )
      await project.store.update(changeWork(work.work_id, now, stop))
      return stoppedText(work.plan_name)
    }),
}

export const resumeCommand: Command = {
  summary: "Set a paused plan going again",
  help: `Usage: opencode-boulder resume [plan]

Re-opens a paused work, whatever has paused it, unless its cause is still there (a plan that cannot
be read, has no task, or has only blocked tasks left). A work whose budget was spent gets a fresh
one. A running opencode goes on within seconds; without one, opencode-boulder run goes on.

${WHICH}
${EXITS}
Example:
  opencode-boulder resume auth-rewrite
`,
  run: (args, terminal) =>
    changing(args, terminal, async ({ work, project, now }) => {
      const reason = work.pause_reason
      if (work.status === "completed")
        throw new Refusal(
          `Expected a paused work; found ${work.plan_name} complete. Add tasks to its plan and start it anew.`,
        )
      if (work.status !== "paused" || reason === null) return resumedText(work.plan_name, null)
      const reading = await project.plans.read(work.active_plan)
      // Whatever has paused it: without a plan, or a task in it, nothing goes on.
      const holding = ["plan-unavailable", "plan-invalid", reason] as const
      const stillHolds = holding.find(
        (one) => !reopens(one, "start", causeHolds(one, reading, work)),
      )
      if (stillHolds !== undefined) throw new Refusal(stillHoldsText(work, stillHolds))
      await project.store.update((boulder) =>
        othersLed(boulder, work.work_id, work.lead_session_id).reduce(
          (done, other) => changeWork(other.work_id, now, stop)(done),
          changeWork(work.work_id, now, reopenWork(reason, now))(boulder),
        ),
      )
      return resumedText(work.plan_name, reason)
    }),
}

export const approveCommand: Command = {
  summary: "Approve the final wave that waits for you",
  help: `Usage: opencode-boulder approve [plan]

When every row of a plan's final wave has been run without a rejection, the work waits for you.
This approves that very wave: the agent then ticks its rows and the plan is complete. A running
opencode goes on within seconds; without one, opencode-boulder run goes on.

${WHICH}
${EXITS}
Example:
  opencode-boulder approve auth-rewrite
`,
  run: (args, terminal) =>
    changing(args, terminal, async ({ work, project, now }) => {
      const reading = await project.plans.read(work.active_plan)
      const follow = followReading(reading)
      const isOpen = work.status !== "completed" && reading.kind === "read"
      if (!isOpen || !awaitsApproval(reading.plan, follow(work)))
        throw new Refusal(`${NOTHING_WAITS} ${work.plan_name} is ${work.status}.`)
      const approve = (newest: Work) => approveNow(reading.plan)(follow(newest))
      await project.store.update(changeWork(work.work_id, now, approve))
      return approvedText(work)
    }),
}

interface Meant {
  readonly work: Work
  readonly project: Project
  /** ISO time. */
  readonly now: string
}

async function changing(
  args: readonly string[],
  terminal: Terminal,
  change: (meant: Meant) => Promise<string>,
): Promise<number> {
  const { positionals } = parseCommand(args, {}, 1)
  const project = await openProject(terminal)
  const boulder = await readBoulder(project)
  const name = await withoutLinks(boulder, positionals[0] ?? "", project.plans)
  const meant = meantWork(boulder, name)
  if (meant.kind === "none") throw new Refusal(meant.message)
  const text = await change({ work: meant.work, project, now: isoOf(terminal.now()) })
  terminal.out(`${cleanLine(text)}\n`)
  return 0
}
