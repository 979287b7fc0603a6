// Keeps only the last entries of a map or a set.
interface Known {
  readonly size: number
  keys(): Iterable<string>
  delete(key: string): boolean
}

/** Keeps the last `max` entries of a map or a set, so that what a process remembers is bounded. */
export function forgetOldest(known: Known, max: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= max) return
    known.delete(oldest)
  }
}
