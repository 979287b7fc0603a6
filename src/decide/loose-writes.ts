// What a lead writes by itself, and whose it is where it works on several tasks before it ticks them.

/** The files that nobody's subagent has written since the last ticks. */
export interface LooseWrites {
  readonly files: Map<string, LooseFile>
  /** Where the last turn of each task has ended. */
  readonly turns: Map<string, number>
  readonly bySubagent: ReadonlyMap<string, ReadonlySet<string>>
}

interface LooseFile {
  readonly first: number
  /** The task in whose turn that was; null while nobody's turn has ended since. */
  turn: string | null
  /** The subagent of a task that was open then had written it before. */
  readonly isMended: boolean
}

/** None so far; `bySubagent` has what the subagents of each task have written. */
export function noLooseWrites(bySubagent: LooseWrites["bySubagent"]): LooseWrites {
  return { files: new Map(), turns: new Map(), bySubagent }
}

/** Of a file that was written before, the first time stays. */
export function keepLoose(
  { files }: LooseWrites,
  path: string,
  { at, isMended }: { readonly at: number; readonly isMended: boolean },
): void {
  if (!files.has(path)) files.set(path, { first: at, turn: null, isMended })
}

/** What a lead mends of one task's subagent is not of another task that a subagent has worked on, too. */
function isOthers({ bySubagent }: LooseWrites, id: string, [path, file]: [string, LooseFile]) {
  return file.isMended && bySubagent.get(id)?.has(path) === false
}

/** A check that only one task has has passed: what was written since the turn before was its turn. */
export function endTurn(loose: LooseWrites, id: string, at: number): void {
  const since = [...loose.files].filter((one) => one[1].turn === null && !isOthers(loose, id, one))
  if (since.length === 0) return
  for (const [, file] of since) file.turn = id
  loose.turns.set(id, at)
}

/**
 * The files that are a task's if it is ticked now, with the first time of each: all but what was first written in another
 * task's turn, behind its own. A task that had no turn has all of them.
 */
export function looseOf(loose: LooseWrites, id: string): ReadonlyMap<string, number> {
  const ended = loose.turns.get(id) ?? Number.POSITIVE_INFINITY
  const own = [...loose.files].filter((one) => {
    const [, { first, turn }] = one
    return !isOthers(loose, id, one) && (turn === null || turn === id || first < ended)
  })
  return new Map(own.map(([path, { first }]) => [path, first]))
}
