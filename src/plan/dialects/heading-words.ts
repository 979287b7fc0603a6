// Reads what a heading says, without the signs around it.
import { BRACKETED } from "./label.ts"

/** Emoji, emphasis and other signs before the first word. */
const DECORATION = /^(?:\d\ufe0f?\u20e3|[^\p{L}\p{N}])+/u
/** `1.`, `2.3)`, `IV.`, `B)`, `3 –`, `三、` */
const NUMBERING =
  /^(?:(?:\d+(?:\.\d+)*(?:[.):]|[ \t]+[-–—])|[IVX]{1,5}[.)]|[A-Z][.)])[ \t]+|[一二三四五六七八九十]{1,3}、[ \t]*)/
/** What may stand between a heading's number and its name, as the source of a pattern: a sign, possibly after other ids, `/ A0 —`. */
export const BEFORE_NAME = String.raw`(?:[ \t]*/[ \t]*[A-Z]{0,4}-?\d{1,4}[A-Z]?){0,3}[ \t]*[.):：|·•→—–-]`
/** A word that headings count by, as the source of a pattern. */
export const COUNTING_WORD = String.raw`\p{L}[\p{L}-]{0,30}`
const KEPT_AT_END = /[\p{L}\p{N})\]]/u
const LOW_SURROGATE = /[\udc00-\udfff]/

/** What a heading says, without the emoji, numbering and punctuation around it, which never decide. */
export function headingWords(text: string): string {
  const bare = unbracketed(text).replace(DECORATION, "")
  return withoutTail(bare.replace(NUMBERING, "").replace(DECORATION, ""))
}

/** The same with its numbering: `2. Core`. */
export function numberedWords(text: string): string {
  return withoutTail(unbracketed(text).replace(DECORATION, ""))
}

/** Without emphasis, and with the id that it begins with as others write it: `T-005: A` for `[T-005] A`. */
function unbracketed(text: string): string {
  return text.replaceAll("**", "").replace(BRACKETED, (_, id, other) => `${id ?? other}: `)
}

/** Character by character from the end: a pattern would start again at each sign. What closes code or emphasis stays with it. */
function withoutTail(text: string): string {
  let end = text.length
  while (end > 0) {
    const start = end - (end > 1 && LOW_SURROGATE.test(text.charAt(end - 1)) ? 2 : 1)
    if (KEPT_AT_END.test(text.slice(start, end)) || isClosing(text, start)) break
    end = start
  }
  return text.slice(0, end)
}

function isClosing(text: string, at: number): boolean {
  const sign = text.charAt(at)
  return (sign === "`" || sign === "*") && text.slice(0, at).split(sign).length % 2 === 0
}
