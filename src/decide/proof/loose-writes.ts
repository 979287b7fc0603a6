// What a lead writes itself, and which task it belongs to: the one whose check runs next.

/** Files that no subagent has written and no tick has taken yet. */
export interface LooseWrites {
  readonly files: Map<string, LooseFile>
  /** Written since the last run: the next run says whose they are. */
  readonly fresh: Set<string>
  /** The tasks whose checks have run since the fresh files were written; none if nothing has run. */
  readonly tried: Set<string>
}

interface LooseFile {
  readonly first: number
  /** The owners before its last write; null if no run has named any. */
  before: ReadonlySet<string> | null
  owners: ReadonlySet<string> | null
}

/** The lead has written a file, at this position in the order of everything. */
export function keepLoose({ files, fresh, tried }: LooseWrites, path: string, at: number): void {
  if (tried.size > 0) fresh.clear()
  tried.clear()
  fresh.add(path)
  const known = files.get(path)
  if (known === undefined) files.set(path, { first: at, before: null, owners: null })
  else known.before = known.owners
}

/**
 * The lead has run a check of these tasks, so what it has written since earlier runs is theirs. If several checks run in a row it belongs
 * to all of their tasks, but to tasks that a subagent has worked on only if the lead works on none of them itself. A file that had owners
 * stays with those whose check runs now, or with all of them if none does. A task keeps its only file: `hasOwn` says whether it has others
 * that are not loose.
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
 * The files that belong to a task if it is ticked now, each with the first time it was written. A file that no run has assigned does not
 * belong to a task that a subagent has worked on.
 */
export function looseOf(
  { files }: LooseWrites,
  id: string,
  isDelegated: boolean,
): ReadonlyMap<string, number> {
  const own = [...files].filter(([, { owners }]) => owners?.has(id) ?? !isDelegated)
  return new Map(own.map(([path, { first }]) => [path, first]))
}

/** The files that no run has assigned yet. */
export function untoldIn({ files }: LooseWrites): readonly string[] {
  return [...files].flatMap(([path, { owners }]) => (owners === null ? [path] : []))
}

/** A task is ticked: of its files, only those that belong to another task as well stay loose. */
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
