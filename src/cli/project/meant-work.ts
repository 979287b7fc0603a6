// Finds the work that a person has named.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import type { ReadView } from "../../boulder/live-view.ts"
import { leadingView, stateSeen } from "../../boulder/work-state.ts"
import {
  candidateAt,
  choosePlan,
  looksLikePath,
  pathsOf,
  requestOf,
} from "../../decide/choose-plan.ts"
import { listedWork, nameIfNeeded, nameOfWork } from "../../decide/name-work.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import { ofWork, starting, type Typed, whereNoneLeads } from "../../prompts/typed-command.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import type { PlanFiles } from "../../store/plans/plan-files.ts"
import { workAt } from "../../store/plans/work-of-plan.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { Refusal } from "../terminal/cli-error.ts"
import { localTime } from "../terminal/local-time.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { type FoundWorks, findWorks, isArchived, type KnownWork } from "./known-works.ts"
import { type Project, readBoulder } from "./project.ts"

/** What a person can name a work by. */
interface Named extends Pick<Work, "active_plan" | "plan_name"> {
  readonly status: KnownWork["status"]
}

/** How commands about a work are typed here. */
export type CalledWork = ReturnType<typeof calledWork>

/** How commands about a work are typed here: `name` names the work if necessary; one of `views` may belong to whoever leads it. */
export function typedOf(
  work: Pick<Work, "work_id">,
  {
    typed,
    name,
    views,
  }: { readonly typed: Typed; readonly name: string | null; readonly views: readonly ReadView[] },
): Typed {
  return ofWork(leadingView(work, views) === undefined ? whereNoneLeads(typed) : typed, name)
}

/** The state of a work as told here, and how it is put into words; `name` names the work in commands if necessary. */
export function seenHere(
  work: Work,
  { name, views }: { readonly name: string | null; readonly views: readonly ReadView[] },
  terminal: Pick<Terminal, "typed" | "now">,
) {
  const now = terminal.now()
  const typed = typedOf(work, { typed: terminal.typed, name, views })
  const state = stateSeen(work, views, { more: pauseWords(work, localTime), now })
  return { state, reader: { timeOf: localTime, now, typed } }
}

/** How commands about a work are typed here, given all works. */
export function calledWork(
  work: Work,
  boulder: Boulder | null,
  { typed }: Pick<Terminal, "typed">,
) {
  const name = nameOfWork(work, Object.values(boulder?.works ?? {}))
  // `ofIt` types the same commands with the name, if they need it.
  return { typed, name, ofIt: ofWork(typed, nameIfNeeded(work, boulder)) }
}

/** Without a name: the only open work or, if `fits` is given, the only open one that fits; else the refusal to throw. */
export function unnamedWork(
  boulder: Boulder | null,
  typed: Typed,
  fits: (work: Work) => boolean = () => true,
): Work | Refusal {
  const open = openWorks(boulder)
  const fitting = open.filter(fits)
  const [only] = fitting.length === 0 ? open : fitting
  if (only !== undefined && (fitting.length === 1 || open.length === 1)) return only
  return new Refusal(
    only === undefined
      ? `Expected an open plan; found none in this project. ${howToStart(typed)}`
      : `Expected the name of one of ${open.length} open plans; found no name. ${listed(open, Object.values(boulder?.works ?? {}))}`,
  )
}

/** The work of this project that a person means, among those that are not archived. Throws a `Refusal` that names the works there are. */
export async function workMeant(
  project: Project,
  name: string,
  terminal: Pick<Terminal, "typed" | "cwd">,
  fits?: (work: Work) => boolean,
): Promise<Work> {
  const { typed } = terminal
  if (requestOf(name) === "") return orThrow(unnamedWork(await readBoulder(project), typed, fits))
  const found = await findWorks(project)
  const known = await knownWork(project, found, name, terminal)
  const work = found.boulder?.works[known.work_id]
  if (work !== undefined) return work
  const { completed_count: settled, total_count: total } = known
  const called = nameOfWork(known, found.works)
  throw new Refusal(
    `Expected a plan that is not archived; found ${called}, with ${settled}/${total} tasks settled. What is kept of it: ${typed("works", called)}`,
  )
}

/** The work, possibly an archived one, that a person means by its id, its name or its plan's path. Throws a `Refusal` if none is meant. */
export async function knownWork(
  project: Project,
  { works }: Pick<FoundWorks, "works">,
  name: string,
  { typed, cwd }: Pick<Terminal, "typed" | "cwd">,
): Promise<KnownWork> {
  const byId = works.find(({ work_id: id }) => id === name)
  if (byId !== undefined) return byId
  const request = await asRecorded(works, name, project.plans, cwd)
  const meant = namedWork(works, request, typed)
  if (meant instanceof Refusal) await refuseUnstarted(project, works, request, typed)
  return orThrow(meant)
}

function orThrow<Known>(meant: Known | Refusal): Known {
  if (meant instanceof Refusal) throw meant
  return meant
}

/** Throws the `Refusal` for a name that means a plan which nobody has started. */
async function refuseUnstarted(
  project: Project,
  works: readonly Named[],
  request: string,
  typed: Typed,
): Promise<void> {
  const { paths } = await findPlans(project.root, { works })
  const candidates = paths.map(candidateAt)
  const choice = choosePlan(candidates, request)
  if (choice.kind !== "chosen") return
  const { path, name: plan } = choice.candidate
  if (works.some(({ active_plan }) => active_plan === path)) return
  const called = candidates.filter((one) => one.name === plan).length === 1 ? plan : path
  throw new Refusal(
    `Expected a plan called ${request} that was started; found only ${path}, which was not. To start it: ${starting(typed, called)}`,
  )
}

/** The same name. If it is a path to a work's plan, through a link or not, the path as recorded in the work. */
async function asRecorded(
  works: readonly Named[],
  name: string,
  plans: Pick<PlanFiles, "inRoot">,
  cwd: string,
): Promise<string> {
  const request = requestOf(name)
  if (!looksLikePath(request)) return name
  return (await workAt(works, pathsOf(request), { plans, from: cwd }))?.active_plan ?? name
}

function howToStart(typed: Typed): string {
  return `To start one: ${starting(typed, { as: "<plan>" })}`
}

/**
 * The one of these works that a name or path means: exact name or path, normalised name, or unique prefix; of several the only one that is
 * not archived; else the refusal to throw. Never a guess.
 */
export function namedWork<Known extends Named>(
  works: readonly Known[],
  request: string,
  typed: Typed,
): Known | Refusal {
  const candidates = works.map((work) => ({ path: work.active_plan, name: work.plan_name, work }))
  const choice = choosePlan(candidates, request, ({ work }) => !isArchived(work))
  if (choice.kind === "chosen") return choice.candidate.work
  const isSeveral = choice.kind === "ambiguous"
  const among = (isSeveral ? choice.among : choice.known).map(({ work }) => work)
  const names = works.map((work) => nameOfWork(work, works))
  // The name belongs to several, and it is not known which one is meant.
  const found = isSeveral
    ? "several that could be meant."
    : `none of that name.${didYouMean(request, names)}`
  return new Refusal(
    `Expected a plan called ${request}; found ${found} ${among.length === 0 ? howToStart(typed) : listed(among, works)}`,
  )
}

/** Some of `works`, listed to choose from. */
function listed(
  some: readonly Pick<Work, "active_plan" | "plan_name">[],
  works: readonly Pick<Work, "active_plan" | "plan_name">[],
): string {
  const names = some.slice(0, 9).map((work) => listedWork(work, works))
  const more = some.length > names.length ? `, and ${some.length - names.length} more` : ""
  return `Name one of: ${names.join(", ")}${more}.`
}
