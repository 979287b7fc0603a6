// What `--json` prints: one object with the version of its shape.
import { harmlessJson } from "../../plan/model/foreign-text.ts"

/** Raised where a field is renamed, removed or means something else; a new field does not raise it. */
const VERSION = 1

/** A JSON object of these fields behind its `version`, with a line break; indented by so many blanks. */
export function jsonText(fields: object, indent = 2): string {
  return `${harmlessJson({ version: VERSION, ...fields }, indent)}\n`
}
