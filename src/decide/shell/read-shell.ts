// Reads a shell command as a list of pipelines and what joins them.
import { shellTokens, type Token } from "./shell-tokens.ts"

/** Pipelines in order, each with what follows it; a line's end counts as `;`. */
export type ShellList = readonly Pipeline[]

export interface Pipeline {
  readonly isNegated: boolean
  readonly commands: readonly ShellCommand[]
  /** Its words and signs, with one blank between them. */
  readonly text: string
  readonly joint: "&&" | "||" | ";" | "&" | ""
}

export interface ShellCommand {
  /** As written, with quotes; none for a group. */
  readonly words: readonly string[]
  readonly redirections: readonly Redirection[]
  /** All its tokens, none for a group. */
  readonly tokens: readonly Token[]
  /** What stands in `( )` or `{ }`; null for any other command. */
  readonly group: { readonly isSubshell: boolean; readonly list: ShellList } | null
}

export interface Redirection {
  /** `>`, `2>&`, `<<` … */
  readonly sign: string
  readonly target: string
}

const MAX_DEPTH = 5
/** In words and signs; nobody writes a longer one. */
const MAX_TOKENS = 2_000
/** Words that turn the commands after them into more than a list. */
const RESERVED = new Set(
  "if then else elif fi while until do done for case esac select function coproc }".split(" "),
)

interface Reader {
  readonly tokens: readonly Token[]
  at: number
  isBroken: boolean
  depth: number
}

/** The pipelines of a command; null if it holds anything but simple commands and groups of them, or too many. */
export function readShell(text: string): ShellList | null {
  const tokens = shellTokens(text)
  if (tokens === null || tokens.length > MAX_TOKENS) return null
  const reader = { tokens, at: 0, isBroken: false, depth: 0 }
  const list = readList(reader)
  return reader.isBroken || reader.at < tokens.length ? null : list
}

function readList(reader: Reader): ShellList {
  const list: Pipeline[] = []
  skipLines(reader)
  while (!reader.isBroken && reader.at < reader.tokens.length && !isClosed(reader)) {
    const pipeline = readPipeline(reader)
    list.push({ ...pipeline, joint: readJoint(reader) })
    skipLines(reader)
  }
  const last = list.at(-1)
  if (last?.joint === "&&" || last?.joint === "||") reader.isBroken = true
  return list
}

function readJoint(reader: Reader): Pipeline["joint"] {
  const sign = signAt(reader)
  if (sign === "\n" || sign === ";") {
    reader.at += 1
    return ";"
  }
  if (sign !== "&&" && sign !== "||" && sign !== "&") return ""
  reader.at += 1
  return sign
}

function readPipeline(reader: Reader): Pipeline {
  const from = reader.at
  const isNegated = wordAt(reader) === "!"
  if (isNegated) reader.at += 1
  const commands = [readCommand(reader)]
  while (!reader.isBroken && (signAt(reader) === "|" || signAt(reader) === "|&")) {
    reader.at += 1
    skipLines(reader)
    commands.push(readCommand(reader))
  }
  const own = reader.tokens.slice(from, reader.at)
  const text = own.map((token) => (token.text === "\n" ? ";" : token.text)).join(" ")
  return { isNegated, commands, text, joint: "" }
}

function readCommand(reader: Reader): ShellCommand {
  if (wordAt(reader) === "{") return readGroup(reader, "{")
  if (signAt(reader) === "(") return readGroup(reader, "(")
  const from = reader.at
  const words: string[] = []
  const redirections: Redirection[] = []
  const isTest = wordAt(reader) === "[["
  while (readPart(reader, { words, redirections, isInTest: isTest && words.at(-1) !== "]]" }))
    reader.at += 1
  const isNone = words.length === 0 && redirections.length === 0
  if (isNone || RESERVED.has(words[0] ?? "") || signAt(reader) === "(") reader.isBroken = true
  return { words, redirections, tokens: reader.tokens.slice(from, reader.at), group: null }
}

/** Reads a word or a redirection of a command; false if neither stands here. */
function readPart(
  reader: Reader,
  to: {
    readonly words: string[]
    readonly redirections: Redirection[]
    readonly isInTest: boolean
  },
): boolean {
  const token = reader.tokens[reader.at]
  if (token === undefined) return false
  if (token.kind === "word" || to.isInTest) to.words.push(token.text)
  else if (token.kind === "redirection") to.redirections.push(readTarget(reader, token.text))
  else return false
  return true
}

/** The reader stands on the target after it. */
function readTarget(reader: Reader, sign: string): Redirection {
  reader.at += 1
  const target = wordAt(reader)
  if (target === null) reader.isBroken = true
  return { sign, target: target ?? "" }
}

function readGroup(reader: Reader, opened: "(" | "{"): ShellCommand {
  reader.at += 1
  reader.depth += 1
  if (reader.depth > MAX_DEPTH) reader.isBroken = true
  const list = readList(reader)
  reader.depth -= 1
  const isShut = opened === "(" ? signAt(reader) === ")" : wordAt(reader) === "}"
  if (!isShut || list.length === 0) reader.isBroken = true
  reader.at += 1
  const redirections: Redirection[] = []
  for (let token = reader.tokens[reader.at]; token?.kind === "redirection"; ) {
    redirections.push(readTarget(reader, token.text))
    reader.at += 1
    token = reader.tokens[reader.at]
  }
  if (wordAt(reader) !== null && wordAt(reader) !== "}") reader.isBroken = true
  return { words: [], redirections, tokens: [], group: { isSubshell: opened === "(", list } }
}

function skipLines(reader: Reader): void {
  while (signAt(reader) === "\n") reader.at += 1
}

function isClosed(reader: Reader): boolean {
  return signAt(reader) === ")" || wordAt(reader) === "}"
}

function signAt({ tokens, at }: Reader): string | null {
  const token = tokens[at]
  return token?.kind === "joint" ? token.text : null
}

function wordAt({ tokens, at }: Reader): string | null {
  const token = tokens[at]
  return token?.kind === "word" ? token.text : null
}
