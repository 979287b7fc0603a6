// What a lead writes by itself, and whose it is: each write is the task's whose check is run next behind it.

/** The files that no subagent has written, and that no tick has taken yet. */
export interface LooseWrites {
  readonly files: Map<string, LooseFile>
  /** Written since the last run: the next one says whose they are. */
  readonly fresh: Set<string>
  /** Whose checks were run behind what is fresh; none while nothing was run. */
  readonly tried: Set<string>
}

interface LooseFile {
  readonly first: number
  /** Whose it was before it was written last; null for a file of which no run has told. */
  before: ReadonlySet<string> | null
  owners: ReadonlySet<string> | null
}

/** None so far. */
export function noLooseWrites(): LooseWrites {
  return { files: new Map(), fresh: new Set(), tried: new Set() }
}

/** The lead has written a file at this place in the order of all. */
export function keepLoose({ files, fresh, tried }: LooseWrites, path: string, at: number): void {
  if (tried.size > 0) fresh.clear()
  tried.clear()
  fresh.add(path)
  const known = files.get(path)
  if (known === undefined) files.set(path, { first: at, before: null, owners: null })
  else known.before = known.owners
}

/**
 * The lead has run a check of these tasks: what it wrote since the runs before is theirs; of several checks in a row, all
 * theirs, but of tasks that a subagent has worked on only where the lead works none of them itself. A file that had owners stays with those of them whose check is run now, and with all where that is none's. A task keeps its
 * only file: `hasOwn` says whether it has others that are not loose.
 */
export function claimLoose(
  { files, fresh, tried }: LooseWrites,
  ids: readonly string[],
  { isDelegated, hasOwn }: Record<"isDelegated" | "hasOwn", (id: string) => boolean>,
): void {
  for (const id of ids) tried.add(id)
  const lone = [...tried].filter((id) => !isDelegated(id))
  const asked = new Set(lone.length > 0 ? lone : tried)
  const rest = [...files].filter(([path]) => !fresh.has(path)).map(([, { owners }]) => owners)
  const hasOther = (id: string): boolean => hasOwn(id) || rest.some((owners) => owners?.has(id))
  for (const path of fresh) {
    const file = files.get(path)
    if (file === undefined) continue
    const before = file.before ?? asked
    const left = [...before].filter((id) => asked.has(id))
    const kept = [...before].filter((id) => left.length === 0 || !hasOther(id))
    file.owners = new Set([...left, ...kept])
  }
}

/**
 * The files that are a task's if it is ticked now, with the first time of each. What no run has told of is none of a task that a
 * subagent has worked on.
 */
export function looseOf(
  { files }: LooseWrites,
  id: string,
  isDelegated: boolean,
): ReadonlyMap<string, number> {
  const own = [...files].filter(([, { owners }]) => owners?.has(id) ?? !isDelegated)
  return new Map(own.map(([path, { first }]) => [path, first]))
}

/** The files of which no run has told whose they are. */
export function untoldIn({ files }: LooseWrites): readonly string[] {
  return [...files].flatMap(([path, { owners }]) => (owners === null ? [path] : []))
}

/** A task is ticked: of its files those stay loose that are another's too. */
export function takeLoose({ files, fresh }: LooseWrites, id: string, isDelegated: boolean): void {
  for (const [path, file] of files) {
    const isUntold = file.owners === null
    file.before = without(file.before, id)
    file.owners = without(file.owners, id)
    if (isUntold ? isDelegated : file.owners !== null) continue
    files.delete(path)
    fresh.delete(path)
  }
}

function without(ids: ReadonlySet<string> | null, id: string): ReadonlySet<string> | null {
  const left = [...(ids ?? [])].filter((one) => one !== id)
  return left.length === 0 ? null : new Set(left)
}
