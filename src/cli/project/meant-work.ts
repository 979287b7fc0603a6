// The work that a person has named.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import {
  choosePlan,
  looksLikePath,
  pathsOf,
  planNameOf,
  requestOf,
} from "../../decide/choose-plan.ts"
import { listedWork, nameIfNeeded, nameOfWork } from "../../decide/name-work.ts"
import { ofWork, starting, type Typed } from "../../prompts/typed-command.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import type { PlanFiles } from "../../store/plans/plan-files.ts"
import { workAt } from "../../store/plans/work-of-plan.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { Refusal } from "../terminal/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { type Project, readBoulder } from "./project.ts"

/** What a person names a work by. */
type Named = Pick<Work, "active_plan" | "plan_name">

/** The work that a person means, or what to tell them. */
export type MeantWork<Known = Work> =
  | { readonly kind: "work"; readonly work: Known }
  | { readonly kind: "none"; readonly message: string }

/** How commands about a work are typed here. */
export interface CalledWork {
  readonly typed: Typed
  /** What names it among all works. */
  readonly name: string
  /** The same commands with that name, where they need it. */
  readonly ofIt: Typed
}

/** How commands about a work are typed here, among the works that there are. */
export function calledWork(
  work: Work,
  boulder: Boulder | null,
  { typed }: Pick<Terminal, "typed">,
): CalledWork {
  const name = nameOfWork(work, Object.values(boulder?.works ?? {}))
  return { typed, name, ofIt: ofWork(typed, nameIfNeeded(work, boulder)) }
}

/**
 * Without a name: the only open work; where `fits` is given, the only open one that fits. With one: exact name or path,
 * normalised name, unique prefix. Never a guess.
 */
export function meantWork(
  boulder: Boulder | null,
  name: string,
  { typed, fits = () => true }: { readonly typed: Typed; readonly fits?: (work: Work) => boolean },
): MeantWork {
  const request = requestOf(name)
  const open = openWorks(boulder)
  if (request !== "") return namedWork(Object.values(boulder?.works ?? {}), request, typed)
  const fitting = open.filter(fits)
  const [only] = fitting.length === 0 ? open : fitting
  if (only !== undefined && (fitting.length === 1 || open.length === 1))
    return { kind: "work", work: only }
  return only === undefined
    ? none(`Expected an open work; found none in this project. ${howToStart(typed)}`)
    : none(
        `Expected the name of one of ${open.length} open works; found no name. ${listed(open, Object.values(boulder?.works ?? {}))}`,
      )
}

/** The work of this project that a person means. Throws a `Refusal` that names those there are. */
export async function workMeant(
  project: Project,
  name: string,
  { typed, cwd }: Pick<Terminal, "typed" | "cwd">,
  fits?: (work: Work) => boolean,
): Promise<Work> {
  const boulder = await readBoulder(project)
  const request = await asRecorded(Object.values(boulder?.works ?? {}), name, project.plans, cwd)
  const meant = meantWork(boulder, request, fits === undefined ? { typed } : { typed, fits })
  if (meant.kind === "work") return meant.work
  throw (await notStarted(project, request, typed)) ?? new Refusal(meant.message)
}

/** The refusal for a name that means a plan which nobody has started; null where it means none, or one that has a work. */
export async function notStarted(
  project: Project,
  name: string,
  typed: Typed,
): Promise<Refusal | null> {
  const request = requestOf(name)
  if (request === "") return null
  const boulder = await readBoulder(project)
  const { paths } = await findPlans(project.root, boulder)
  const candidates = paths.map((path) => ({ path, name: planNameOf(path) }))
  const choice = choosePlan(candidates, request)
  if (choice.kind !== "chosen") return null
  const { path, name: plan } = choice.candidate
  const works = [...Object.values(boulder?.works ?? {}), ...(await project.archive.list()).works]
  if (works.some(({ active_plan }) => active_plan === path)) return null
  const called = candidates.filter((one) => one.name === plan).length === 1 ? plan : path
  return new Refusal(
    `Expected a work called ${request}; found only a plan of that name (${path}), which was not started. To start it: ${starting(typed, called)}`,
  )
}

/** The same name; where it is a path to the plan of a work, by way of a link or not, the path that the work has. */
export async function asRecorded(
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

/** The one of these works that a name or a path means. */
export function namedWork<Known extends Named>(
  works: readonly Known[],
  request: string,
  typed: Typed,
): MeantWork<Known> {
  const candidates = works.map((work) => ({ path: work.active_plan, name: work.plan_name }))
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") {
    const work = works.find((one) => one.active_plan === choice.candidate.path)
    if (work !== undefined) return { kind: "work", work }
  }
  const among = works.filter((work) =>
    choice.kind === "ambiguous" ? choice.among.some(({ path }) => path === work.active_plan) : true,
  )
  const problem =
    choice.kind === "ambiguous" ? "several that could be meant" : "no work of that name"
  // A name that several have is meant: which of them is what is not known.
  const names = works.map((work) => nameOfWork(work, works))
  const meant = choice.kind === "ambiguous" ? "" : didYouMean(request, names)
  return none(
    `Expected a work called ${request}; found ${problem}.${meant} ${among.length === 0 ? howToStart(typed) : listed(among, works)}`,
  )
}

/** Some of `works` to name one of. */
function listed(some: readonly Named[], works: readonly Named[]): string {
  const names = some.slice(0, 9).map((work) => listedWork(work, works))
  const more = some.length > names.length ? `, and ${some.length - names.length} more` : ""
  return `Name one of: ${names.join(", ")}${more}.`
}

function none(message: string): MeantWork<never> {
  return { kind: "none", message }
}
