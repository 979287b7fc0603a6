// The command `completion`.

import { openWorks } from "../../boulder/find-work.ts"
import { planNameOf } from "../../decide/choose-plan.ts"
import { nameOfWork } from "../../decide/name-work.ts"
import { printable } from "../../plan/model/foreign-text.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { findWorks } from "../project/known-works.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { tasksIn } from "../project/task-records.ts"
import type { NameOf } from "../table/command-spec.ts"
import type { Run } from "../table/command-table.ts"
import { COMMAND_NAMES } from "../table/command-table.ts"
import { completionScript, isShell, SHELLS } from "../table/completion-script.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { UsageError } from "../terminal/cli-error.ts"

/** No more names than this are offered: nobody looks through them. */
const MAX_NAMES = 200
/** A shell would take anything else for more than a word, or for an option. */
const WORD = /^[\p{L}\p{N}_./@%+=:,][\p{L}\p{N}_./@%+=:,-]*$/u

export const completionCommand: Run<"completion"> = async ({ names }, terminal) => {
  const [asked = ""] = names
  if (isShell(asked)) {
    terminal.out(completionScript(asked, terminal.call))
    return
  }
  const list = Object.hasOwn(LISTS, asked) ? LISTS[asked] : undefined
  if (list === undefined)
    throw new UsageError(
      `Expected a shell (${SHELLS.join(", ")}); found ${printable(asked).slice(0, 80)}.${didYouMean(asked, SHELLS)}`,
    )
  const found = await list(await openProject({ ...terminal, err: () => undefined }))
  const shown = [...new Set(found)].filter((name) => WORD.test(name)).slice(0, MAX_NAMES)
  terminal.out(shown.map((name) => `${name}\n`).join(""))
}

type List = (project: Project) => Promise<readonly string[]>

/** The names of each kind that this project has. */
const LISTS: Readonly<Partial<Record<string, List>> & Record<NameOf, List>> = {
  request: async () => [],
  choice: async () => [],
  plan: async (project) =>
    named((await findPlans(project.root, await findWorks(project))).paths.map(asPlan)),
  work: async (project) => named((await findWorks(project)).works),
  task: async (project) => {
    const works = openWorks(await readBoulder(project))
    const plans = await Promise.all(works.map((work) => readPlanOf(project.plans, work)))
    const tasks = plans.flatMap(({ reading }) => tasksIn(reading))
    return tasks.filter(({ state }) => state === "blocked").map(({ key }) => key)
  },
  session: async ({ taskStates }) =>
    (await taskStates.list()).stored.map(({ session_id }) => session_id),
  handoff: async ({ handoffs }) => (await handoffs.open()).handoffs.map(({ id }) => id),
  command: async () => COMMAND_NAMES,
  shell: async () => SHELLS,
}

type Named = Parameters<typeof nameOfWork>[0]

/** The shortest words for each: paths if several have the same name. */
function named(works: readonly Named[]): readonly string[] {
  return works.slice(0, MAX_NAMES).map((work) => nameOfWork(work, works))
}

function asPlan(path: string): Named {
  return { active_plan: path, plan_name: planNameOf(path) }
}
