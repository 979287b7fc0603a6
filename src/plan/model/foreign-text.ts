// The one table of characters to remove from foreign text, for terminals and models.
/**
 * The table: what must not stand in a text of ours, whoever reads it. `BREAKS` become a blank: C0, C1, DEL, line and paragraph separators,
 * private characters, half surrogate pairs. `HIDDEN` have no width and are removed: direction controls, zero-width characters, tags,
 * everything that Unicode calls ignorable, except joiners between characters that are not Latin, and the selectors that turn a sign into an
 * emoji.
 */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu
const HIDDEN = /(?![\ufe0e\ufe0f\u200c\u200d])[\p{Cf}\p{DI}]/gu
const JOINERS = /[\u200c\u200d]+/gu
const LAST_LATIN = "\u024f"
const ASCII = /^[ -~]*$/
/** What JSON may contain unescaped, but a terminal may not. */
const UNESCAPED = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Cf}\p{DI}]/gu

const ESC = String.fromCodePoint(0x1b)
const BEL = String.fromCodePoint(0x07)
/** Sequences that move a terminal's cursor, set its colour, or talk to it: removed with their parameters. */
const SEQUENCES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[ -/]*[0-~])`,
  "g",
)
const MAX_CHARS = 20_000

/** A foreign text without the characters of the table, otherwise unchanged; applied again, it changes nothing. */
export function printable(text: string): string {
  if (ASCII.test(text)) return text
  // Joiners last, since they depend on what will be left beside them.
  return text
    .replace(BREAKS, " ")
    .replace(HIDDEN, "")
    .replace(JOINERS, (joiners: string, at: number, all: string) =>
      [all[at - 1], all[at + joiners.length]].every((beside = "") => beside > LAST_LATIN)
        ? joiners
        : "",
    )
}

/** A foreign text as one harmless line of at most 20,000 characters, for terminals and models alike. */
export function cleanLine(text: string): string {
  return printable(text.slice(0, MAX_CHARS).replace(SEQUENCES, "")).trim()
}

/** The same for a text of several lines, whose breaks and indents are kept. */
export function cleanText(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .split("\n")
    .map((line) => cleanLine(`|${line}`).slice(1))
    .join("\n")
}

/** A value as JSON that reads back equal and contains no character that a terminal would obey. */
export function harmlessJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? "null").replace(UNESCAPED, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character, index)).join(""),
  )
}

/**
 * A foreign text in which nothing can be read as a tag of our frame, in whatever case, spacing, width or as entities: their brackets become
 * `‹` and `›`. Everything else, especially code, stays to the letter.
 */
export function withoutFrames(text: string): string {
  if (!OPENER.test(text)) return text
  return text.replace(
    new RegExp(TAG, "giu"),
    (_, name: string, rest: string | undefined, close: string | undefined) =>
      `‹${name}${rest ?? ""}${close === undefined ? "" : "›"}`,
  )
}

/** Characters that are invisible inside a word. */
const UNSEEN = "\\s\\p{M}\\p{Cc}\\p{Cf}\\p{DI}"
const LOOKALIKES: Readonly<Record<string, string>> = {
  b: "ЬьВв",
  o: "ОоΟοՕօ0",
  u: "υՍս",
  l: "IӀӏ1|",
  d: "ԁ",
  e: "ЕеΕε",
  r: "гᴦ",
}
const NAME = [..."boulder"].map(letter).join(`[${UNSEEN}]*`)
/** Engines keep what they have compiled; if this were read at each start, it would take longer than the rest of this file. */
const TAG =
  `(?:[<＜﹤]|${entity("lt", "<")})([/\\\\${UNSEEN}]*${NAME})(?![\\p{L}\\p{N}_.([-])` +
  `(?:((?:(?!${entity("lt", "<")})[^<>＜＞﹤﹥]){0,200}?)([>＞﹥]|${entity("gt", ">")}))?`
/** What a tag can begin with. */
const OPENER = /[<＜﹤&]/

/** Everything that reads as this letter: small, capital, full-width, circled, mathematical, from another script, as an entity. */
function letter(small: string): string {
  const index = small.charCodeAt(0) - 0x61
  const starts = [0xff21, 0xff41, 0x24b6, 0x24d0]
  const mathematical = Array.from({ length: 26 }, (_, alphabet) => 0x1d400 + alphabet * 26)
  const signs = [...starts, ...mathematical].map((start) => String.fromCodePoint(start + index))
  const codes = [small, small.toUpperCase()].map((sign) => entity(null, sign))
  return `(?:[${small}${signs.join("")}${LOOKALIKES[small] ?? ""}]|${codes.join("|")})`
}

/** A character as written in HTML: by name or number, itself escaped up to four times. */
function entity(name: string | null, character: string): string {
  const code = character.charCodeAt(0)
  const named = name === null ? "" : `${name}|`
  return `&(?:amp;){0,4}(?:${named}#0{0,8}${code}|#x0{0,8}${code.toString(16)});?`
}

function escaped(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`
}
