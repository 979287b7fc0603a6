// Keeps only the last entries of a map or a set.
/** Keeps the last `max` entries of a map or a set, so that what a process remembers is bounded. */
export function forgetOldest(
  known: Pick<Set<string>, "size" | "keys" | "delete">,
  max: number,
): void {
  for (const oldest of known.keys()) {
    if (known.size <= max) return
    known.delete(oldest)
  }
}
