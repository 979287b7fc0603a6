/** Marks the parts that we write into a session, in their metadata: nobody takes them for the user's. */
export const MARKER = "opencode-boulder"

/** Beside it in our continuations: the number of the round that the turn belongs to. */
export const ROUND_MARKER = "opencode-boulder-round"
