// Splits a shell command into words and signs, as bash does.
/** A word as written, with its quotes; a sign that joins commands; or the start of a redirection. */
export interface Token {
  readonly kind: "word" | "joint" | "redirection"
  readonly text: string
  /** What the shell runs to make the word: the words and signs of each `$(…)`, `<(…)` and `` `…` `` in it. */
  readonly inner: readonly (readonly Token[])[]
  /** The text of the here-document that this word ends. */
  readonly document?: string
}

/** How deep substitutions inside one another are read. */
const MAX_DEPTH = 20

const BLANK = /(?:[ \t\r]|\\\r?\n)+/y
const COMMENT = /#[^\n]*/y
const REDIRECTION = /\d*(?:<<<|<<-?|<>|<&|>&|>>|>\||[<>](?!\())|&>>?/y
const JOINT = /&&|\|\||;;|\|&|[;&|()\n]/y
const PLAIN = /(?:[^\s;&|()<>"'`\\$]|\\[^\n]|\$(?![({'"]))+/y
const SINGLE = /\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|`(?:[^`\\]|\\[\s\S])*`/y
const IN_DOUBLE = /(?:[^"\\`$]|\\[\s\S]|\$(?![({]))+|`(?:[^`\\]|\\[\s\S])*`/y
const IN_BRACES = /(?:[^{}"'`\\$]|\\[\s\S]|\$(?![({]))+/y

/** The position of the reader. */
interface Cursor {
  readonly text: string
  at: number
  /** Something could not be read: nothing is known of the whole. */
  isBroken: boolean
  depth: number
  /** Belongs to the word that is being read. */
  inner: (readonly Token[])[]
}

/** The words and signs of a command, without comments and here-document texts; null if it cannot be read. */
export function shellTokens(text: string): readonly Token[] | null {
  return tokensFrom(text, 0)
}

function tokensFrom(text: string, depth: number): readonly Token[] | null {
  const cursor = { text, at: 0, isBroken: depth > MAX_DEPTH, depth, inner: [] }
  const tokens = readTokens(cursor, false)
  return cursor.isBroken ? null : tokens
}

/** A word without its quotes. */
export function unquoted(word: string): string {
  return word.replace(/\\([\s\S])|["']/g, "$1")
}

/** Reads to the end, or to the `)` that closes a substitution. */
function readTokens(cursor: Cursor, isInner: boolean): readonly Token[] {
  const tokens: Token[] = []
  let documents: readonly Begun[] = []
  let open = 0
  while (cursor.at < cursor.text.length && !cursor.isBroken) {
    if (take(cursor, BLANK) !== null || take(cursor, COMMENT) !== null) continue
    const token = readToken(cursor)
    if (isDocument(tokens.at(-1), token)) documents = [...documents, { tokens, at: tokens.length }]
    documents = documentsBehind(cursor, token, documents)
    open += depthOf(token)
    if (isInner && open < 0) return tokens
    tokens.push(token)
  }
  cursor.isBroken ||= isInner || documents.length > 0
  return tokens
}

function readToken(cursor: Cursor): Token {
  const redirection = take(cursor, REDIRECTION)
  if (redirection !== null) return { kind: "redirection", text: redirection, inner: [] }
  const joint = take(cursor, JOINT)
  return joint === null ? readWord(cursor) : { kind: "joint", text: joint, inner: [] }
}

/** A here-document whose text is still to come, and the position of the word that ends it. */
interface Begun {
  readonly tokens: Token[]
  readonly at: number
}

/** At the end of a line, reads the here-documents that begin on it. */
function documentsBehind(
  cursor: Cursor,
  { kind, text }: Token,
  documents: readonly Begun[],
): readonly Begun[] {
  if (kind !== "joint" || text !== "\n") return documents
  for (const { tokens, at } of documents) {
    const token = tokens[at]
    const isIndented = tokens[at - 1]?.text.endsWith("-") === true
    if (token !== undefined) tokens[at] = readDocument(cursor, token, isIndented)
  }
  return []
}

function depthOf({ kind, text }: Token): number {
  if (kind !== "joint") return 0
  return text === "(" ? 1 : text === ")" ? -1 : 0
}

/** Whether the word after `<<` ends a here-document. */
function isDocument(before: Token | undefined, { kind }: Token): boolean {
  return before?.kind === "redirection" && /^\d*<<-?$/.test(before.text) && kind === "word"
}

function readWord(cursor: Cursor): Token {
  const from = cursor.at
  const outer = cursor.inner
  const inner: (readonly Token[])[] = []
  cursor.inner = inner
  while (cursor.at < cursor.text.length && !cursor.isBroken) {
    if (take(cursor, PLAIN) !== null || takeWhole(cursor, SINGLE)) continue
    if (!readQuoted(cursor) && !readSubstitution(cursor)) break
  }
  cursor.inner = outer
  cursor.isBroken ||= cursor.at === from
  return { kind: "word", text: cursor.text.slice(from, cursor.at), inner }
}

/** Takes what is quoted, or stands unquoted inside `"…"`; inside back quotes it is a command of its own. */
function takeWhole(cursor: Cursor, pattern: RegExp): boolean {
  const found = take(cursor, pattern)
  if (found?.startsWith("`")) {
    const text = found.slice(1, -1).replace(/\\([`\\$])/g, "$1")
    const tokens = tokensFrom(text, cursor.depth + 1)
    if (tokens !== null) cursor.inner.push(tokens)
  }
  return found !== null
}

/** `"…"`, whatever it holds. */
function readQuoted(cursor: Cursor): boolean {
  if (take(cursor, /\$?"/y) === null) return false
  while (takeWhole(cursor, IN_DOUBLE) || readSubstitution(cursor)) if (cursor.isBroken) return true
  cursor.isBroken ||= take(cursor, /"/y) === null
  return true
}

/** `$(…)`, `<(…)`, `$((…))` or `${…}`. */
function readSubstitution(cursor: Cursor): boolean {
  const opened = take(cursor, /\$\{|\$\(|[<>]\(/y)
  if (opened === null) return false
  cursor.depth += 1
  if (cursor.depth > MAX_DEPTH) cursor.isBroken = true
  else if (opened === "${") readBraces(cursor)
  else cursor.inner.push(readTokens(cursor, true))
  cursor.depth -= 1
  return true
}

function readBraces(cursor: Cursor): void {
  while (!cursor.isBroken) {
    if (take(cursor, /\}/y) !== null) return
    if (take(cursor, IN_BRACES) !== null || takeWhole(cursor, SINGLE)) continue
    if (!readQuoted(cursor) && !readSubstitution(cursor)) cursor.isBroken = true
  }
}

/** What the shell runs to make the text of a here-document; in that text `"` is an ordinary character. */
function substitutionsIn(text: string, depth: number): Token["inner"] {
  const cursor = { text, at: 0, isBroken: depth > MAX_DEPTH, depth, inner: [] }
  while (cursor.at < text.length && !cursor.isBroken)
    if (!(takeWhole(cursor, IN_DOUBLE) || readSubstitution(cursor)))
      cursor.isBroken = take(cursor, /"/y) === null
  return cursor.isBroken ? [] : cursor.inner
}

/**
 * The text of a here-document follows the line that begins it. If its end word is not quoted, the text has substitutions. After `<<-` its
 * lines may begin with tabs.
 */
function readDocument(cursor: Cursor, token: Token, isIndented: boolean): Token {
  const end = unquoted(token.text)
  const from = cursor.at
  while (cursor.at < cursor.text.length) {
    const begun = cursor.at
    const to = cursor.text.indexOf("\n", begun)
    const line = cursor.text.slice(begun, to < 0 ? undefined : to)
    cursor.at = to < 0 ? cursor.text.length : to + 1
    if (trimmedLine(line, isIndented) !== end) continue
    const document = cursor.text.slice(from, begun)
    const isQuoted = end !== token.text
    const made = isQuoted ? [] : substitutionsIn(document, cursor.depth + 1)
    return { ...token, document, inner: [...token.inner, ...made] }
  }
  cursor.isBroken = true
  return token
}

function trimmedLine(line: string, isIndented: boolean): string {
  return (isIndented ? line.replace(/^\t+/, "") : line).replace(/\r$/, "")
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0] ?? null
  if (found !== null) cursor.at += found.length
  return found
}
