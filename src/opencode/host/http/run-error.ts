// The error of a run that cannot be started or followed.
/** A run that cannot be started or followed. The message says what was expected, what was found and what to do. */
export class RunError extends Error {
  override readonly name = "RunError"
}
