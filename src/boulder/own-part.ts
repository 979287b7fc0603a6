// Marks the parts that we write into a session, in their metadata.
/** The key in the metadata of all parts that we write into a session: nobody takes them for the user's. */
export const OWN_PART = "opencode-boulder"

/** Beside it in our continuations: the number of the round that the turn belongs to. */
export const ROUND_OF_PART = "opencode-boulder-round"
