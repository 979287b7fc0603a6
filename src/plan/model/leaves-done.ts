// What may stand beside a word such as "done" and leave it so: dates, names, references, full counts; nothing else.

const END = "(?![\\p{L}\\p{N}])"
const DATE = [
  "\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:t\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?z?)?",
  "\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}",
  "\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]m)?",
  "(?:\\d{1,2}(?:st|nd|rd|th)?\\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?",
  "\\d{4}年\\d{1,2}月\\d{1,2}日",
].join("|")
const REFERENCE =
  "(?:(?:pr|mr|pull request|merge request|commit|issue|version|release|sprint|session|iteration|run|wave|phase|turn)s? ?)?(?:[#!]\\d{1,9}|v?\\d{1,4}(?:\\.\\d{1,4}){1,3}|(?=[a-f]*\\d)[0-9a-f]{7,40})"
const NAMED = "(?:pr|mr|commit|issue|sprint|session|iteration|run|wave|turn) \\d{1,6}"
const COUNTED =
  "(?:(?:unit |integration |e2e )?tests?|tasks?|steps?|items?|files?|commits?|(?:quality |acceptance )?checks?|stories)"
const PAST =
  "(?:done|completed?|finished|implemented|merged|shipped|closed|verified|tested|reviewed|approved|deployed|released|committed|pushed|landed|documented|archived|signed off|passed|passing|passes)"
const PAST_ELSEWHERE =
  "(?:已?完成|完了|완료|erledigt|fertig|abgeschlossen|hecho|completad[oa]|terminad[oa]|feito|concluíd[oa]|terminée?|fini|fatto|completato|готово|сделано|выполнено|завершено|zrobione|gotowe)"

/** Nothing of this takes anything back. The blanks and signs around are passed over. */
const PIECES: readonly RegExp[] = [
  /[\s.,;!:()[\]*_`~"'&—–·（）「」【】，。、：！-]+/uy,
  /\|/y,
  /[✅☑✔✓🎉🎊🚀✨💯🏁👍🟢]\ufe0f?/uy,
  new RegExp(`(?:(?:on|at|as of|since|in) )?(?:${DATE})${END}`, "iuy"),
  /(?:z|utc|gmt|cet|cest|est|edt|pst|pdt|jst|ist)(?![\p{L}\p{N}])/iuy,
  new RegExp(`(?:(?:in|via|with|by|per|as) )?(?:${REFERENCE}|${NAMED})${END}`, "iuy"),
  /(?:(?:in|after|within) )?~?\d{1,5}(?:\.\d{1,3})? ?(?:m|min|minutes?|h|hrs?|hours?|d|days?|weeks?|s|sec|seconds?|ms)(?![\p{L}\p{N}])/iuy,
  new RegExp(`(\\d{1,6}) ?(?:/|of|out of) ?\\1(?: ${COUNTED})?${END}(?![/.]\\d)`, "iuy"),
  new RegExp(`(?:in)?to (?:main|master|trunk|prod|production)${END}`, "iuy"),
  // A branch is code, or a name that is no word.
  /(?:(?:in|on|via) )?(?:branch|worktree):? (?:`[^`]{1,100}`|(?=[\w.-]{0,60}[/_\d-])[\w./-]{1,100})(?![\p{L}\p{N}])/iuy,
  /100 ?%/y,
  new RegExp(
    `(?:0|no|zero) (?:failed|failures?|failing|errors?|issues|left|open|remaining|regressions?)${END}`,
    "iuy",
  ),
  new RegExp(`(?:nothing|none) (?:is )?(?:left|open|remaining|missing)${END}`, "iuy"),
  new RegExp(
    `(?:all )?(?:the )?(?:\\d{1,6} )?${COUNTED}(?: (?:are )?(?:pass|green|${PAST}))?${END}`,
    "iuy",
  ),
  new RegExp(`\\d{1,6} (?:passed|passing|passes|green)${END}`, "iuy"),
  new RegExp(`(?:(?:and|all) )?(?:successfully |fully )?${PAST}${END}`, "iuy"),
  new RegExp(`${PAST_ELSEWHERE}${END}`, "iuy"),
  new RegExp(`(?:successfully|already|fully|completely|entirely|today|yesterday|now)${END}`, "iuy"),
  /https?:\/\/[^\s()<>|]+/iuy,
  /(?:by )?@[\p{L}\p{N}_][\p{L}\p{N}_.-]*/uy,
  // A name begins with a capital letter; a day or a month is a term, and no name.
  /by (?:the )?(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Nobody|Tomorrow|Next|End|Eo[dwmy]|EO[DWMY]|Q\d|None|No|Half|Then|Default|Design)(?![\p{L}]))\p{Lu}[\p{L}\p{N}'’.-]{0,40}(?: \p{Lu}[\p{L}\p{N}'’.-]{0,40}){0,2}(?=[\s]*(?:$|[,;.()[\]|*_—–-]))/uy,
  // What did it, in one word or two: a capital letter or code.
  /via (?:`[^`]{1,40}`|(?!(?:Mock|Stub|Fake|Hack|Manual|Temp|Workaround))\p{Lu}[\p{L}\p{N}.-]{0,40}(?: \p{Lu}[\p{L}\p{N}.-]{0,40})?)(?=[\s]*(?:$|[,;.()[\]|*_—–-]))/uy,
  /by (?:the )?(?:agent|orchestrator|author|me|us|hand)(?![\p{L}\p{N}])/uy,
]
const FIELD = /^[ \t]*\|[ \t]*[*_]{0,2}\p{L}[^|:：]{0,40}[:：]/u
const FRACTION = /(\d{1,6})[ \t]*(?:\/|of|out of)[ \t]*(\d{1,6})(?!\d|[-/.]\d)/giu
const PERCENT = /(?<![\d.])(\d{1,3}(?:\.\d{1,3})?)[ \t]?%/g
const MAX_LENGTH = 400

/**
 * Whether all that stands behind a word such as "done" is known to leave it so: dates, names behind "by", references, full counts,
 * check signs, words such as "tested". Anything else may take it back, and so says false. Another field behind a `|` is
 * looked at for its counts alone.
 */
export function leavesDone(rest: string): boolean {
  if (rest.length > MAX_LENGTH || countsLess(rest)) return false
  let at = 0
  while (at < rest.length) {
    if (FIELD.test(rest.slice(at))) return true
    const end = endOfPiece(rest, at)
    if (end === null) return false
    at = end
  }
  return true
}

/** Whether a text counts less than all: `2/5`, `3 of 4`, `80 %`; a date is no count. */
export function countsLess(text: string): boolean {
  const fractions = [...text.matchAll(FRACTION)]
  const isLess = fractions.some(({ index, 1: part, 2: whole }) => {
    const isDate = /[\d][-/.]$/.test(text.slice(0, index))
    return !isDate && Number(part) !== Number(whole)
  })
  return isLess || [...text.matchAll(PERCENT)].some(([, percent]) => Number(percent) !== 100)
}

function endOfPiece(text: string, at: number): number | null {
  for (const piece of PIECES) {
    piece.lastIndex = at
    if (piece.test(text)) return piece.lastIndex
  }
  return null
}
