/** Marks the parts that we write into a session, in their metadata: nobody takes them for the user's. */
export const MARKER = "opencode-boulder"
