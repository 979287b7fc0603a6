import matter from "gray-matter"
import { looksLikeBox } from "./box.ts"
import type { PlanWarning } from "./plan.ts"

/** The front matter of a plan: what it says and how many lines it takes. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>
  /** Lines from the opening to the closing `---`; 0 without front matter. */
  readonly lineCount: number
  readonly warnings: readonly PlanWarning[]
}

const NONE: FrontMatter = { data: {}, lineCount: 0, warnings: [] }
const MAX_LENGTH = 65_536
const OPENER = /^---(?!-)[ \t]*([^\r\n]*)$/
const CLOSER = /^---[ \t]*$/
const YAML = /^(?:ya?ml)?[ \t]*$/i

/**
 * Reads front matter as YAML and as nothing else: gray-matter would run `---js` as code. What
 * cannot be read becomes a warning; rows in a block that is no YAML are plain text, not hidden.
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const opener = OPENER.exec(lines[0] ?? "")
  if (opener === null) return NONE
  const end = lines.findIndex((line, index) => index > 0 && CLOSER.test(line))
  if (end === -1) return NONE
  const block = lines.slice(1, end)
  const found = YAML.test(opener[1] ?? "") ? parseYaml(block) : "only YAML is read, nothing is run"
  if (typeof found === "object") return { data: found, lineCount: end + 1, warnings: [] }
  const hasRows = block.some((line) => looksLikeBox(line) === "list")
  const message = hasRows
    ? `The block after the first --- is read as plain text, since it holds tasks (${found}).`
    : `The front matter is passed over: ${found}.`
  const warnings = [{ line: 1, rule: "front-matter", message }]
  return { data: {}, lineCount: hasRows ? 0 : end + 1, warnings }
}

function parseYaml(block: readonly string[]): Record<string, unknown> | string {
  const yaml = block.join("\n")
  if (yaml.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  try {
    const { data } = matter(`---\n${yaml}\n---\n`, {
      language: "yaml",
      engines: {
        javascript: refuse,
        js: refuse,
        coffee: refuse,
        coffeescript: refuse,
        cson: refuse,
        json: refuse,
        toml: refuse,
      },
    })
    return isRecord(data) ? data : "it is not a list of keys and values"
  } catch (error) {
    return `it is no valid YAML (${firstLine(error)})`
  }
}

function refuse(): object {
  throw new Error("only YAML is read, nothing is run")
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null && !Array.isArray(data)
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n", 1)[0]?.slice(0, 120) ?? ""
}
