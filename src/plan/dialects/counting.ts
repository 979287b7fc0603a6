// Puts the number by which a heading counts into digits after its word, however it is written.
/** How many of a kind make a list, a column or a pattern: one does not. */
export const LEAST = 2

/** What follows such a number and its word: a sign, or nothing. */
const END = String.raw`(?=[ \t]*(?:$|[^\p{L}\p{N} \t]))`
const DIGITS = "[\\d０-９]{1,4}|[一二三四五六七八九十]{1,3}"
const WORD = String.raw`\p{L}[\p{L}-]{0,30}`
/** `第一步：A`, `1단계: A`, `1-й этап`, `2nd phase`. */
const DIGITS_FIRST = new RegExp(
  String.raw`^(?:第[ \t]*(${DIGITS})[ \t]*(?:[个個][ \t]*)?|(\d{1,4})(?:(?=\p{Lo})|(?:st|nd|rd|th|e|er|re|[eè]me|[ºªй]|-[йяе])[ \t]+))(${WORD})${END}`,
  "u",
)
/** `フェーズ1：A`, `任务一：A`. */
const DIGITS_BEHIND = new RegExp(
  String.raw`^(\p{L}{1,30}?[\p{Lo}\p{Lm}])[ \t]*(${DIGITS})${END}`,
  "u",
)
/** The words of a heading with its number in digits after its word: `第一步：A` and `1단계: A` become `步 1：A` and `단계 1: A`. */
export function inCount(words: string): string {
  const [whole = "", first, ordinal, word] = DIGITS_FIRST.exec(words) ?? []
  const [name = "", called, digits] = whole === "" ? (DIGITS_BEHIND.exec(words) ?? []) : []
  const number = first ?? ordinal ?? digits
  if (number === undefined) return words
  return `${word ?? called} ${inDigits(number)}${words.slice((whole || name).length)}`
}

/** `１２` and `十二` as 12. */
function inDigits(number: string): string {
  if (/^[\d０-９]/.test(number)) return `${Number(number.normalize("NFKC"))}`
  const [tens = "", ones] = number.split("十")
  const digit = (sign: string) => "零一二三四五六七八九".indexOf(sign || "零")
  return `${ones === undefined ? digit(tens) : (digit(tens) || 1) * 10 + digit(ones)}`
}
