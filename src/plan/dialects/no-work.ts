// Whether a heading tells of what stands beside the work.
import { headingWords, numberedWords } from "./heading-words.ts"

const ALSO_WORK = "tests?|testing"
const BESIDE =
  "risks?|issues|findings|questions?|verification|acceptance|requirements?|criteria|constraints?|background|context|goals?|decisions?|assumptions?|cause|overview|summary|notes?|references?|problems?|scope|done|completed|finished|history|changelog"
const NO_WORK = new RegExp(`\\b(?:${ALSO_WORK}|${BESIDE})\\b`, "i")
/** What a heading begins with that asks for something to be done: `Fix issues in the parser`. */
const ASKS =
  /^(?:fix|add|write|update|create|implement|remove|delete|build|refactor|rename|move|extend|replace|migrate|handle|improve|clean|resolve|address|document|make|introduce|wire|extract|support|generate|enable|port|convert)(?![\p{L}\p{N}-])/iu
/** A heading with a number tells of nothing else where these are all its words. */
const ONLY = new RegExp(
  `^(?:(?:${BESIDE}|and|or|of|the|to|in|for|on|out|open|known|key|current|root|non|design|technical|project|problem|statement|mitigations?|considerations?|analysis|made|user|functional|product|success)(?:[^\\p{L}\\p{N}]+|$))+$`,
  "iu",
)

/**
 * Whether a heading tells of what stands beside the work, such as `Risks and open questions`: numbers and states below it
 * are no tasks'. One that asks for work is none, nor one with a number that says more than such words: `2. Add tests`.
 */
export function tellsNoWork(text: string): boolean {
  const words = headingWords(text)
  if (!NO_WORK.test(words) || ASKS.test(words)) return false
  return numberedWords(text) === words || ONLY.test(words)
}
