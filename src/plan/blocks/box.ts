// Reads the box that starts at an index of a line.
import { isMarker } from "../model/markers.ts"

/** A box as it stands in a line: `[x]* text`. */
export interface Box {
  /** What stands between the brackets. */
  readonly marker: string
  /** Index of the opening bracket in the line. */
  readonly at: number
  readonly starred: boolean
  readonly text: string
}

/** A formatter may escape the star of an optional row, or set it off from its box, if an id such as `1.3` follows; any blank may follow. */
const BOX = /\[([^[\]]{0,20})\]((?:[ \t](?=\\?\*[ \t]+\d{1,9}\.\d[\d.]*[ \t]))?\\?\*)?(?:\s+|$)/y
/** A formatter may escape the brackets, or the first of them. */
const ESCAPED = /\\\[([^[\]\\]{0,20})\\?\](\\?\*)?(?:\s+|$)/y
/** Emphasis may begin before the box and end right after it: `**[x] Title**`. Tags such as `**[P1]**` are no boxes. */
const EMPHASISED = /(?:\*\*|__|\*|_)\[([ xX~!/>-]?)\](?:\*\*|__|\*|_)?(?=\s|$)/y
const HASH = 0x23
const BRACKET = 0x5b
const STAR = 0x2a
const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c
const ROW_PREFIX = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|(?=\\?\[)))*/
const GLUED_PREFIX = /^[ \t]*[-*+](?=\\?\[)/
const HEADING_PREFIX = /^ {0,3}#{1,6}[ \t]+/
const CLOSING_HASHES = /(?:^|[ \t])#+$/
const ITEM_HEADING = /#{1,6}[ \t]+/y
const HEADING_LABEL = /(?:(?:task|step|phase)[ \t]+)?[^\s[\]]{1,24}[ \t]+/iy
/** What a heading says about a file, beside MODIFY and DELETE. */
const FILE_TAG = /^new$/i
const LIST_MARKER = /[-*+\d]/
const BLANKS = /^[ \t]*/

/** Reads the box that starts at an index of a line; null if there is none. */
export function readBox(line: string, at: number): Box | null {
  const first = line.charCodeAt(at)
  if (first === STAR || first === UNDERSCORE) return readEmphasised(line, at)
  if (first !== BRACKET && first !== BACKSLASH) return null
  const pattern = first === BRACKET ? BOX : ESCAPED
  pattern.lastIndex = at
  const found = pattern.exec(line)
  if (found === null) return null
  return {
    marker: found[1] ?? "",
    at: first === BRACKET ? at : at + 1,
    starred: found[2] !== undefined,
    text: line.slice(pattern.lastIndex).trimEnd(),
  }
}

function readEmphasised(line: string, at: number): Box | null {
  EMPHASISED.lastIndex = at
  const [whole, marker = ""] = EMPHASISED.exec(line) ?? []
  if (whole === undefined) return null
  const text = line.slice(at + whole.length).trim()
  return { marker, at: line.indexOf("[", at), starred: false, text }
}

/** Reads the box that a list item begins with, even as a heading: `- ### [x] text`. */
export function readItemBox(line: string, at: number): Box | null {
  if (line.charCodeAt(at) !== HASH) return readBox(line, at)
  ITEM_HEADING.lastIndex = at
  const prefix = ITEM_HEADING.exec(line)?.[0]
  return prefix === undefined ? null : ofHeading(readBox(line, at + prefix.length))
}

/**
 * Reads `### [x] text` and `### 1. [x] text`; the text then starts with the label. A marker at the end, `## Setup [DONE]`, is no box, nor
 * is a tag, `### [NEW] file.ts` or `### [P1] text`.
 */
export function readHeadingBox(line: string): Box | null {
  return ofHeading(readHeadingBrackets(line))
}

/** A tag is no box, and the signs that close a heading are not part of its words. */
function ofHeading(box: Box | null): Box | null {
  if (box === null || !isMarker(box.marker) || FILE_TAG.test(box.marker)) return null
  return { ...box, text: box.text.replace(CLOSING_HASHES, "") }
}

function readHeadingBrackets(line: string): Box | null {
  const prefix = HEADING_PREFIX.exec(line)
  if (prefix === null) return null
  const start = prefix[0].length
  const bare = readBox(line, start)
  if (bare !== null) return bare
  HEADING_LABEL.lastIndex = start
  const label = HEADING_LABEL.exec(line)
  if (label === null) return null
  const box = readBox(line, start + label[0].length)
  const isBehind = box === null || box.text.replace(CLOSING_HASHES, "") === ""
  return isBehind ? null : { ...box, text: `${label[0].trim()} ${box.text}` }
}

/** Reads a box that its line begins with, without a list mark. */
export function readBareBox(line: string): Box | null {
  return readBox(line, BLANKS.exec(line)?.[0].length ?? 0)
}

/** Reads a box right after the bullet of its line, `-[ ] text`. */
export function readGluedBox(line: string): Box | null {
  const prefix = GLUED_PREFIX.exec(line)?.[0]
  return prefix === undefined ? null : readBox(line, prefix.length)
}

/** What a single line shows without its neighbours: used to compare a line before it is written. */
export function readLineBox(line: string): Box | null {
  const prefix = ROW_PREFIX.exec(line)?.[0] ?? ""
  if (LIST_MARKER.test(prefix)) return readItemBox(line, prefix.length)
  return readHeadingBox(line) ?? readBareBox(line)
}

/** GitHub's, alone in a quote's first line: `> [!NOTE]`. */
const ALERT = /^!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)$/i

/** Whether a line looks like a checkbox to a person, so that the reader has to account for it. */
export function looksLikeBox(line: string): "list" | "bare" | null {
  if (!line.includes("[")) return null
  const prefix = ROW_PREFIX.exec(line)?.[0] ?? ""
  if (LIST_MARKER.test(prefix)) return readItemBox(line, prefix.length) === null ? null : "list"
  const box = readBox(line, prefix.length)
  if (box !== null) return ALERT.test(box.marker) ? null : "bare"
  return readHeadingBox(line) === null ? null : "list"
}
