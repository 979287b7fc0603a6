// Reads front matter as YAML and as nothing else.
import matter from "gray-matter"
import { looksLikeBox } from "../blocks/box.ts"
import type { PlanWarning } from "../model/plan.ts"
import { isRecord } from "./json-lists.ts"

/** The front matter of a plan: what it says and how many lines it takes. */
export interface FrontMatter {
  readonly data: Readonly<Record<string, unknown>>
  /** The number of lines from the opening to the closing `---`; 0 without front matter. */
  readonly lineCount: number
  /** The lines to read blocks from: those of the file, except a second `---` that closes no front matter. */
  readonly lines: readonly string[]
  readonly warnings: readonly PlanWarning[]
}

const MAX_LENGTH = 65_536
const OPENER = /^---(?!-)[ \t]*([^\r\n]*)$/
const CLOSER = /^---[ \t]*$/
/** In YAML a comment, in a plan a section; a single `#` is left to YAML. */
const HEADING = /^#{2,6}[ \t]+\S/
/** A break that does not turn the line above it into a heading. */
const BREAK = "***"
const REFERENCE = /(?<![^\s,[\]{}:])([&*])([^\s,[\]{}]+)/g
const YAML = /^(?:ya?ml)?[ \t]*$/i

/**
 * Reads front matter as YAML and as nothing else: gray-matter would run `---js` as code. What cannot be read becomes a warning. A block
 * with headings, or with rows and no YAML, is plain text between two breaks.
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const opener = OPENER.exec(lines[0] ?? "")
  const none = { data: {}, lineCount: 0, lines, warnings: [] }
  if (opener === null) return none
  const end = lines.findIndex((line, index) => index > 0 && CLOSER.test(line))
  if (end === -1) return none
  const block = lines.slice(1, end)
  const found = YAML.test(opener[1] ?? "") ? readYaml(block) : "only YAML is read, nothing is run"
  if (typeof found === "object") return { ...none, data: found, lineCount: end + 1 }
  const isText = found === HAS_HEADINGS || block.some((line) => looksLikeBox(line) === "list")
  const message = isText
    ? `The block after the first --- is read as plain text, since it looks like a plan (${found}).`
    : `The front matter is skipped: ${found}.`
  const warnings = [{ line: 1, rule: "front-matter", message }]
  return isText
    ? { ...none, lines: lines.with(end, BREAK), warnings }
    : { ...none, lineCount: end + 1, warnings }
}

const HAS_HEADINGS = "it holds headings"

function readYaml(block: readonly string[]): Record<string, unknown> | string {
  return block.some((line) => HEADING.test(line)) ? HAS_HEADINGS : parseYaml(block)
}

function parseYaml(block: readonly string[]): Record<string, unknown> | string {
  const yaml = block.map(withoutBreaks).filter(isFilled).join("\n")
  if (yaml.length > MAX_LENGTH)
    return `it has ${yaml.length} characters, at most ${MAX_LENGTH} are read`
  if (repeatsItself(yaml)) return "it repeats parts of itself (&name, *name), which is not read"
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

/**
 * Whether a part is named (`&name`) and used again (`*name`), so that a few bytes repeat something as long as half of the text. No format
 * writes its plans that way.
 */
function repeatsItself(yaml: string): boolean {
  const given = new Set<string>()
  const meant = new Set<string>()
  for (const [, sign, name = ""] of yaml.matchAll(REFERENCE))
    (sign === "&" ? given : meant).add(name)
  return [...given].some((name) => meant.has(name))
}

/** gray-matter takes quadratic time for blank lines, and no key that we read needs one. */
function isFilled(line: string): boolean {
  return line.trim() !== ""
}

/** Line breaks for its patterns, but not for us. */
function withoutBreaks(line: string): string {
  return line.replaceAll("\u2028", " ").replaceAll("\u2029", " ")
}

function refuse(): object {
  throw new Error("only YAML is read, nothing is run")
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split("\n", 1)[0]?.slice(0, 120) ?? ""
}
