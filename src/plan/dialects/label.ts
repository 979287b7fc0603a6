// Splits a row's text into its id and its title.
/** The id that a row starts with, and the rest of the row. */
export interface Labelled {
  readonly label: string | null
  readonly rest: string
  /** `TXXX` or `[ID]`: an id from a template that nobody has filled in. */
  readonly isPlaceholder: boolean
}

const NUMBER_SIGN = 0x23
const ZERO = 0x30
const NINE = 0x39
const CAPITAL_A = 0x41
const CAPITAL_Z = 0x5a
const OPENING = /^(?:\*\*|~~|__)+/
/** Words that introduce an id and are not part of it: `Task 3`, `TASK-1.1`. */
export const CALLED =
  /^(?:(?:sub-?)?tasks?|steps?|phases?|stages?|stor(?:y|ies)|milestones?)(?:[ \t]+(?=[#\dA-Z])|-(?=\d))/i
/** `[T001]`, `[AUTH-2]`, `[#1]`, `(#1)`, `(T1)`, `(1)`. */
export const BRACKETED =
  /^(?:\[([A-Z][A-Z0-9]{0,9}-\d{1,9}[A-Za-z]?|T\d{3,9}[A-Za-z]?|#\d{1,9})\]|\(([A-Z]{1,4}-?\d{1,9}[A-Za-z]?|#\d{1,9}|\d{1,3})\)(?=[ \t*_]))[ \t]*/
/** `[P0]`, `**[P1]**`, `(P2)`, `**P3**`, `[docs]`: a priority or a tag that some plans put before `Task 3`. It stays in the title. */
const TAG =
  /^(?:\*\*|__)?(?:\[[A-Za-z][A-Za-z -]{1,15}\]|[[(`]?P\d[\])`]?)(?:\*\*|__)?[ \t]+(?:\*\*|__)?/
const PLACEHOLDER = /^(?:[A-Z]{1,4}-?X{2,5}|\[(?:TASK[_-]?)?ID\])(?=[\s.:)*]|$)[.:)]?/

const TAIL = "(?![\\p{L}\\p{N}_/%-])"
const LETTERED = new RegExp(`^#?[A-Z]{1,4}[.-]?\\d{1,9}(?:\\.\\d{1,9})*[A-Za-z]?${TAIL}`, "u")
const PREFIXED = new RegExp(`^[A-Z]{5,10}-\\d{1,9}${TAIL}`, "u")
/** `P0-01`, `M1-T3`, `P1-S2-T01`; `F1-F4` is a range of ids. */
const COMPOUND = new RegExp(
  `^#?([A-Z]{1,2})\\d{1,3}-(?!\\1)[A-Z]{0,2}\\d{1,3}(?:-[A-Z]{0,2}\\d{1,4})?(?:\\.\\d{1,4})*[a-z]?${TAIL}`,
  "u",
)
const DOTTED = new RegExp(`^#?\\d{1,9}(?:\\.\\d{1,9})+[a-z]?${TAIL}`, "u")
const WITH_LETTERS = [LETTERED, PREFIXED, COMPOUND]
const WITH_DIGITS = [DOTTED]
const NO_IDS: readonly RegExp[] = []
const ANY = [...WITH_LETTERS, DOTTED]
const DASHED = /^\d{1,9}(?:\.\d{1,9})*[-–]\d{1,9}(?![\p{L}\p{N}_/%])/u
/** `3. Title`, as most plans count: recognised by one pattern, where the others need six. */
const COUNTED = /^(\d{1,9})[.):] /
const WHOLE = new RegExp(`^#?\\d{1,9}[a-z]?${TAIL}`, "u")
const PLAN_FILE = /^-PLAN(?:\.md)?(?=[\s.:)*]|$)/i
/** The same as code: `` `01-02-PLAN.md` ``. */
const PLAN_AS_CODE =
  /^`(\d{1,9}(?:\.\d{1,9})*[-–]\d{1,9})-PLAN(?:\.md)?`(?:[.:)]|[ \t]+[-–—]{1,2}(?=[ \t]))?[ \t]*/i

const SEPARATED =
  /^(?:\*\*|~~|__)?(?:[.):](?=[\s*~_]|$|[^\x20-\x7e])|[ \t]:(?=[ \t])|[、：．）])(?:\*\*|~~|__)?[ \t]*/
/** `Task 1 (AC: 2): Title`: the part in between stays in the title. */
const REMARK = /^[ \t]*(?=\([^()]{1,80}\)[ \t]*:)/
const DASH = /^(?:\*\*|~~|__)?[ \t]+[-–—]{1,2}[ \t]+/
const SPACED = /^(?:(?:\*\*|~~|__)[ \t]*|[ \t]+|$)/

/**
 * Splits a row's text into its id and its title (docs/PLAN-FORMATS.md). A bare integer is an id only if `.`, `)`, `:` or a dash follows:
 * "422 responses" is a title.
 */
export function splitLabel(text: string): Labelled {
  const body = text.slice(OPENING.exec(text)?.[0].length ?? 0)
  const counted = COUNTED.exec(body)?.[1]
  if (counted !== undefined) return labelled(counted, body, counted.length + ". ".length)
  const tagged = behindTag(text)
  if (tagged !== null) return tagged
  const bracketed = BRACKETED.exec(body)
  if (bracketed !== null)
    return labelled(bracketed[1] ?? bracketed[2] ?? "", body, bracketed[0].length)
  const asCode = body.startsWith("`") ? PLAN_AS_CODE.exec(body) : null
  if (asCode !== null) return labelled(asCode[1] ?? "", body, asCode[0].length)
  const placeholder = PLACEHOLDER.exec(body)
  if (placeholder !== null) {
    return { label: null, rest: body.slice(placeholder[0].length).trim(), isPlaceholder: true }
  }
  const word = CALLED.exec(body)?.[0].length ?? 0
  return splitId(body, word) ?? { label: null, rest: text, isPlaceholder: false }
}

/** The id of `[P0] Task 1.1: Title`; null if no tag stands before a word such as `Task`. */
function behindTag(text: string): Labelled | null {
  const body = withoutTag(text)
  if (body === text) return null
  const split = splitId(body, CALLED.exec(body)?.[0].length ?? 0)
  const tag = text.slice(0, text.length - body.length)
  return split && { ...split, rest: split.rest === "" ? "" : `${tag}${split.rest}` }
}

/** `Task 1.1` of `[P0] Task 1.1`; the same text if no tag stands before a word such as `Task`. */
export function withoutTag(text: string): string {
  const tag = TAG.exec(text)?.[0]
  const body = text.slice(tag?.length)
  return tag !== undefined && CALLED.test(body) ? body : text
}

/** The part of an id before its first digit, and the rest: `T` and `101`. */
export function partsOfId(label: string): readonly [letters: string, digits: string] {
  const at = label.search(/\d|$/)
  return [label.slice(0, at), label.slice(at)]
}

function splitId(body: string, start: number): Labelled | null {
  const tail = body.slice(start)
  const patterns = idsFor(tail.charCodeAt(0))
  const id = firstOf(patterns, tail)
  if (id !== null) return splitAfter(body, start, id, true)
  if (!patterns.includes(DOTTED)) return null
  const dashed = DASHED.exec(tail)?.[0]
  if (dashed !== undefined) return splitDashed(body, start, dashed)
  const whole = WHOLE.exec(tail)?.[0]
  if (whole === undefined) return null
  const remark = start === 0 ? null : REMARK.exec(tail.slice(whole.length))
  return remark === null
    ? splitAfter(body, start, whole, whole.startsWith("#"))
    : labelled(whole, body, start + whole.length + remark[0].length)
}

/** The patterns for ids with this first character: for most rows there are none. */
function idsFor(first: number): readonly RegExp[] {
  if (first >= ZERO && first <= NINE) return WITH_DIGITS
  if (first >= CAPITAL_A && first <= CAPITAL_Z) return WITH_LETTERS
  return first === NUMBER_SIGN ? ANY : NO_IDS
}

function firstOf(patterns: readonly RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found !== null) return found[0]
  }
  return null
}

/** `01-02`, `01-02-PLAN.md` and `**1-2** Title`; "2-3 days" is a title. */
function splitDashed(body: string, start: number, id: string): Labelled | null {
  const after = body.slice(start + id.length)
  const file = PLAN_FILE.exec(after)?.[0] ?? ""
  const isClear = file !== "" || /-0/.test(id) || /^(?:\*\*|__)/.test(after)
  const rest = splitAfter(body, start, id + file, isClear)
  return rest === null ? null : { ...rest, label: id }
}

function splitAfter(body: string, start: number, id: string, isClear: boolean): Labelled | null {
  const after = body.slice(start + id.length)
  const end = SEPARATED.exec(after) ?? DASH.exec(after) ?? (isClear ? SPACED.exec(after) : null)
  return end === null ? null : labelled(id, body, start + id.length + end[0].length)
}

function labelled(label: string, body: string, end: number): Labelled {
  return { label, rest: body.slice(end).trim(), isPlaceholder: false }
}

/** A criterion's own number: `AC1`, `#2`. */
const CRITERION = /^(?:#|(?:AC|SC|DOD|FR|NFR|CHK)[.-]?\d)/i

/** Whether a row's text begins with an id that is not a criterion's. */
export function hasTaskId(text: string): boolean {
  const { label } = splitLabel(text)
  return label !== null && !CRITERION.test(label)
}
