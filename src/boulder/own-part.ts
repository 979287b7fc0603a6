// Marks the parts that we write into a session, by their metadata.
import { fieldOf } from "./fields-of.ts"

/** The key in the metadata of every part that we write into a session, so that nobody takes it for the user's. */
export const OWN_PART = "opencode-boulder"

/** In our continuations also: the number of the round that the turn belongs to. */
export const ROUND_OF_PART = "opencode-boulder-round"

/** Whether a part with this metadata is one of ours. */
export function isOwnPart(metadata: unknown): boolean {
  return fieldOf(metadata, OWN_PART) !== undefined
}
