// What a lead writes by itself, and whose it is where it works on several tasks before it ticks them.

/** The files that nobody's subagent has written since the last ticks. */
export interface LooseWrites {
  /** With the first time, and the task in whose turn that was; null while nobody's turn has ended since. */
  readonly files: Map<string, { readonly first: number; turn: string | null }>
  /** Where the last turn of each task has ended. */
  readonly turns: Map<string, number>
}

/** None so far. */
export function noLooseWrites(): LooseWrites {
  return { files: new Map(), turns: new Map() }
}

/** Of a file that was written before, the first time stays. */
export function keepLoose({ files }: LooseWrites, path: string, at: number): void {
  if (!files.has(path)) files.set(path, { first: at, turn: null })
}

/** A check that only one task has has passed: what was written since the turn before was its turn. */
export function endTurn({ files, turns }: LooseWrites, id: string, at: number): void {
  const since = [...files.values()].filter(({ turn }) => turn === null)
  if (since.length === 0) return
  for (const one of since) one.turn = id
  turns.set(id, at)
}

/**
 * The files that are a task's if it is ticked now, with the first time of each: all but what was first written in another
 * task's turn, behind its own. A task that had no turn has all of them.
 */
export function looseOf({ files, turns }: LooseWrites, id: string): ReadonlyMap<string, number> {
  const ended = turns.get(id) ?? Number.POSITIVE_INFINITY
  const own = [...files].filter(
    ([, { first, turn }]) => turn === null || turn === id || first < ended,
  )
  return new Map(own.map(([path, { first }]) => [path, first]))
}
