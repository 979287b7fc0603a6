// Prints what `--json` prints: one object with the version of its shape.
import { harmlessJson } from "../../plan/model/foreign-text.ts"

/** Raised if a field is renamed, removed or changes its meaning; not for a new field. */
const VERSION = 1

/** A JSON object with its `version` and these fields, indented by this many blanks, with a line break. */
export function jsonText(fields: object, indent = 2): string {
  return `${harmlessJson({ version: VERSION, ...fields }, indent)}\n`
}
