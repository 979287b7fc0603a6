// Errors of the command line that are the user's to fix.
/** The command line was not understood: exit 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** What was asked cannot be done as things are: exit 1. The message says what was expected, what was found, and what to do. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}
