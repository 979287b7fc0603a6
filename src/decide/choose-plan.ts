// Finds the plan that a start means, or says why that is not clear.
import { fromPlanArgument } from "../boulder/plan-argument.ts"

/** A plan file that was found; its path is relative to the root and uses `/`. */
export interface PlanCandidate {
  readonly path: string
  readonly name: string
}

/** The plan that was found at a path. */
export function candidateAt(path: string): PlanCandidate {
  return { path, name: planNameOf(path) }
}

/** Which plan a person means, or what to tell them. Never a guess. */
export type PlanChoice<Candidate extends PlanCandidate = PlanCandidate> =
  | { readonly kind: "chosen"; readonly candidate: Candidate }
  | { readonly kind: "ambiguous"; readonly among: readonly Candidate[] }
  | { readonly kind: "missing"; readonly known: readonly Candidate[] }

/** File names that say nothing by themselves: the folder names the plan. */
const NAMELESS: ReadonlySet<string> = new Set([
  ...["tasks.md", "plan.md", "todo.md", "tasks.json", "prd.json", "feature_list.json"],
])

/** The name of a plan file: its own without `@`, or its folder's if all such files have the same name. */
export function planNameOf(path: string): string {
  const parts = path.split("/")
  const file = parts.at(-1) ?? path
  const folder = parts.at(-2)
  if (NAMELESS.has(file.toLowerCase()) && folder !== undefined && !folder.startsWith("."))
    return folder
  return file.replace(ENDING, "").replace(AT, "")
}

/** `2026-01-31-` and `001-`, which tools put before a name. */
const NUMBERS = /^(?:\d+-)+/

/** The name of a file may begin with `@` (`@fix_plan.md`). Otherwise `@` attaches a file. */
const AT = /^@/

/** Cursor's plans end in `.plan.md`. */
const ENDING = /(?:(?<=.)\.plan)?\.(?:md|markdown|json)$/i

/** What was typed after a command, decoded and without the quotes that the host's command line adds. */
export function requestOf(text: string): string {
  let request = text.trim()
  const quoted = /^(["'])([\s\S]*)\1$/.exec(request)
  if (quoted?.[2] !== undefined) request = quoted[2].trim()
  return fromPlanArgument(request)
}

/** The paths that a request may mean, the likeliest first: as typed, then without `@`. */
export function pathsOf(request: string): readonly [typed: string, bare: string] {
  return [request, request.replace(AT, "")]
}

/**
 * Tries, in this order: the exact path, plan name, file name or folder's path, as typed and then without `@`; the normalised name; a unique
 * prefix, which may skip the date or number that a name begins with, unless the request names a file. If several match, the only one that `isAtHand`
 * wins. Otherwise gives the list to ask about. Of candidates with one path only the first counts.
 */
export function choosePlan<Candidate extends PlanCandidate>(
  candidates: readonly Candidate[],
  request: string,
  isAtHand: (candidate: Candidate) => boolean = () => false,
): PlanChoice<Candidate> {
  const [, bare] = pathsOf(request)
  const wanted = normalised(bare)
  const isPrefix = wanted !== "" && !looksLikePath(request)
  const ways: ((candidate: PlanCandidate) => boolean)[] = [
    ...pathsOf(request).flatMap((exact) => [
      ({ path }: PlanCandidate) => path === exact,
      ({ name }: PlanCandidate) => name === exact,
      ({ path }: PlanCandidate) => path.endsWith(`/${exact}`) && !exact.includes("/"),
      ({ path }: PlanCandidate) =>
        exact.includes("/") && folderOf(path) === exact.replace(ENDS, ""),
    ]),
    ({ name }) => normalised(name) === wanted,
    ({ name }) => isPrefix && normalised(name).startsWith(wanted),
    ({ name }) => isPrefix && normalised(name).replace(NUMBERS, "").startsWith(wanted),
  ]
  for (const way of ways) {
    const among = firstOfEach(candidates.filter(way))
    const [only, ...others] = among.length > 1 ? among.filter(isAtHand) : among
    if (only !== undefined && others.length === 0) return { kind: "chosen", candidate: only }
    if (among.length > 1) return { kind: "ambiguous", among }
  }
  return { kind: "missing", known: candidates }
}

/** What does not belong to a folder's path: `./` before it, `/` after it. */
const ENDS = /^\.\/|\/$/g

/** The path of the folder that holds a file; null for the root. */
function folderOf(path: string): string | null {
  const end = path.lastIndexOf("/")
  return end === -1 ? null : path.slice(0, end)
}

function firstOfEach<Candidate extends PlanCandidate>(
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const paths = new Set<string>()
  return candidates.filter(({ path }) => !paths.has(path) && paths.add(path))
}

/** Whether a request names a file rather than a plan. */
export function looksLikePath(request: string): boolean {
  return request.includes("/") || /\.(md|markdown|json)$/i.test(request)
}

function normalised(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(ENDING, "")
    .replace(/[\s_.-]+/g, "-")
}
