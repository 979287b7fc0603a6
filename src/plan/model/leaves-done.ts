// Knows what may stand beside a word such as "done" without taking it back: dates, names, references, full counts, a list of what was done; nothing else.
import { once } from "./once.ts"

const END = "(?![\\p{L}\\p{N}])"
/** A month's name in a dozen languages, by its first letters; it counts only after a day. */
const MONTH =
  "(?:ja[nñ]|ene|gen|янв|sty|fe[bv]|fév|luty|lute|фев|m[aä]r|мар|a[pvb]r|апр|kwi|ma[iyjg]|mei|ма[йя]|ju[nl]|juin|giu|lug|июн|июл|cze|lip|aug|ago|ao[uû]|авг|sie|sep|set|сен|wrz|o[ckt]t|out|окт|paź|nov|ноя|lis|de[czks]|dic|déc|дек|gru)\\p{L}{0,8}"
const DATE = [
  "\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:t\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?z?)?",
  "\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}",
  "\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[ap]m)?",
  "(?:\\d{1,2}(?:st|nd|rd|th)?\\.? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?",
  `\\d{1,2}(?:er|º)?\\.? (?:de )?${MONTH}\\.?(?: (?:de )?\\d{4})?`,
  "(?:\\d{4}年)?\\d{1,2}月\\d{1,2}日",
  "\\d{1,2}\\.\\d{1,2}\\.(?:\\d{2})?",
  "\\d{1,2}/\\d{1,2}",
].join("|")
const REFERENCE =
  "(?:(?:pr|mr|pull request|merge request|commit|issue|version|release|sprint|session|iteration|run|wave|phase|turn)s? ?)?(?:[#!]\\d{1,9}|v?\\d{1,4}(?:\\.\\d{1,4}){1,3}|(?=[a-f]*\\d)[0-9a-f]{7,40})"
const NAMED =
  "(?:(?:pr|mr|commit|issue|sprint|session|iteration|run|wave|turn)s? \\d{1,6}(?:[-–]\\d{1,6})?|v\\d{1,3})"
const COUNTED =
  "(?:(?:unit |integration |e2e )?tests?|tasks?|steps?|items?|files?|commits?|(?:quality |acceptance )?(?:checks?|criteria)|stories)"
/** What else may be said about work that is done. */
export const ALSO = [
  ...["built", "tested", "validated", "verified", "reviewed", "approved", "integrated"],
  ...["deployed", "documented"],
]
const PAST = `(?:done|completed?|finished|implemented|merged|shipped|closed|released|committed|pushed|landed|archived|signed off|passed|passing|passes|${ALSO.join("|")})`
/** Each stem with each of its endings, `-` for none: the forms of words by gender and number. */
export const formsOf = (stems: string, ends: string): readonly string[] =>
  stems.split(" ").flatMap((stem) => ends.split(" ").map((end) => stem + end.replace(/^-$/, "")))
/** The same in other languages, and nothing more; neither `pronto` nor `lista`, which mean "soon" and "list" elsewhere, */
export const DONE_ELSEWHERE: readonly string[] = [
  ...formsOf(
    "hech feit complet completad terminad finalizad acabad concluíd concluid",
    "o a os as",
  ),
  ...formsOf("fatt completat conclus", "o a i e"),
  ...formsOf("fait fini terminé achevé complété finalisé", "- e s es"),
  ...formsOf("готов сделан выполнен завершен завершён закончен", "о а ы -"),
  ...formsOf("zrobion gotow ukończon zakończon wykonan", "e y a o"),
  ...formsOf(
    "terminata terminati listo listos pronta prontas prontos entregue erledigt fertig abgeschlossen fertiggestellt beendet klaar voltooid afgerond klart färdig färdigt valmis виконано зроблено завершено hotovo dokončeno kész elkészült slutförd slutfört klara gereed gata finalizat ukončeno dokončené hoàn-tất xong hoàn-thành tamamlandı selesai 已完成 完成 已完结 已结束 已結束 完毕 完畢 完了 完了済み 完了しました 済 済み 終了 완료 완료됨 완료함 완료했음 완성 끝",
    "-",
  ),
]
/** and words that also say how it was done. */
export const DONE_ELSEWHERE_BY: readonly string[] = [
  ...formsOf(
    "implementad realizad verificad probad testad corregid corrigid publicad entregad cerrad fechad resuelt resolvid validad",
    "o a os as",
  ),
  ...formsOf("testat verificat implementat realizzat risolt corrett chius pubblicat", "o a i e"),
  ...formsOf("testé vérifié publié livré corrigé implémenté réalisé résolu validé", "- e s es"),
  ...formsOf("проверен протестирован выпущен реализован исправлен решен решён закрыт", "о а ы -"),
  ...formsOf("przetestowan wdrożon naprawion zrealizowan", "e y a o"),
  ...formsOf("実装 修正 対応 検証 開発 作業 テスト リリース 確認 移行 設定", "完了 済み 済"),
  ...formsOf("开发 实现 實現 测试 修复 部署 全部 迁移", "完成 完毕"),
  ...formsOf("구현 배포 검증 수정 해결 개발 작업 테스트 적용", "-완료 완료 됨"),
  ...formsOf(
    "getestet geprüft veröffentlicht ausgeliefert behoben umgesetzt implementiert gelöst geïmplementeerd 已测试 已測試 已验证 已驗證 已修复 已修復 已解决 已解決 已实现 已實現 已实施 已部署 已上线 已上線 已发布 已發布 已合并 已合併 已交付 已开发 已验收 已关闭",
    "-",
  ),
]
const PAST_ELSEWHERE = `(?:${DONE_ELSEWHERE.join("|").replaceAll("-", "[ -]")})`

/** None of these takes anything back. The blanks and signs around are ignored. */
const PIECES = once((): readonly RegExp[] => [
  /[\s.,;!:()[\]*_`~"'&/—–·（）「」【】，。、：！-]+/uy,
  /\|/y,
  /[✅☑✔✓🎉🎊🚀✨💯🏁👍🟢]\ufe0f?/uy,
  new RegExp(`(?:(?:on|at|as of|since|in|am|il|le|el|em|den|w dniu) )?(?:${DATE})${END}`, "iuy"),
  /(?:z|utc|gmt|cet|cest|est|edt|pst|pdt|jst|ist)(?![\p{L}\p{N}])/iuy,
  new RegExp(`(?:(?:in|via|with|by|per|as|for) )?(?:${REFERENCE}|${NAMED})${END}`, "iuy"),
  /(?:(?:in|after|within) )?~?\d{1,5}(?:\.\d{1,3})? ?(?:m|min|minutes?|h|hrs?|hours?|d|days?|weeks?|s|sec|seconds?|ms)(?![\p{L}\p{N}])/iuy,
  new RegExp(`(\\d{1,6}) ?(?:/|of|out of) ?\\1${END}(?![/.]\\d)`, "iuy"),
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
    `(?:all )?(?:the )?(?:\\d{1,6} )?${COUNTED}(?: (?:are )?(?:pass|green|met|${PAST}))?${END}`,
    "iuy",
  ),
  new RegExp(`\\d{1,6} (?:passed|passing|passes|green)${END}`, "iuy"),
  new RegExp(`(?:(?:and|all) )?(?:successfully |fully )?${PAST}${END}`, "iuy"),
  new RegExp(`${PAST_ELSEWHERE}${END}`, "iuy"),
  new RegExp(`(?:successfully|already|fully|completely|entirely|today|yesterday|now)${END}`, "iuy"),
  // A ticket: in small letters it may be a part, `part-1`.
  /(?:(?:in|en|em|im) )?(?!(?:PART|PHASE|STEP|TODO|WIP|DRAFT|HALF|TEIL|FASE)-)[A-Z]{1,5}-\d{1,5}(?![\p{L}\p{N}])/uy,
  /https?:\/\/[^\s()<>|]+/iuy,
  /(?:by )?@[\p{L}\p{N}_][\p{L}\p{N}_.-]*/uy,
  // A name begins with a capital letter; a day or month is a deadline, not a name.
  /by (?:the )?(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*day|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Nobody|Tomorrow|Next|End|Eo[dwmy]|EO[DWMY]|Q\d|None|No|Half|Then|Default|Design)(?![\p{L}]))\p{Lu}[\p{L}\p{N}'’.-]{0,40}(?: \p{Lu}[\p{L}\p{N}'’.-]{0,40}){0,2}(?=[\s]*(?:$|[,;.()[\]|*_—–-]))/uy,
  // What did it, in one or two words: with a capital letter, or in code.
  /via (?:`[^`]{1,40}`|(?!(?:Mock|Stub|Fake|Hack|Manual|Temp|Workaround))\p{Lu}[\p{L}\p{N}.-]{0,40}(?: \p{Lu}[\p{L}\p{N}.-]{0,40})?)(?=[\s]*(?:$|[,;.()[\]|*_—–-]))/uy,
  /by (?:the )?(?:agent|orchestrator|author|me|us|hand)(?![\p{L}\p{N}])/uy,
])
/** A remark in brackets that may list what was done. */
const REMARK = /[ \t]*[(（]([^()（）]{1,200})[)）]/y
const BETWEEN = /[ \t]*(?:[,;+&，、；]|(?<![\p{L}\p{N}])and(?![\p{L}\p{N}]))[ \t]*/iu
/** The possible form of a name in such a list: a few words, numbers or code. */
const THING = /^(?:`[^`]{1,80}`|[A-Za-z0-9][\w./'’#-]*)(?: (?:`[^`]{1,80}`|[\w./'’#-]+)){0,4}$/
/** Two things make a list; a single one says which part is meant: `Done (backend)`. */
const LEAST = 2
/** A word for something that is left. */
const LEFT =
  "w/o|without|only|partly|half|pending|left|remain(?:s|ing|der)?|missing|lack(?:s|ing)?|" +
  "un(?:tested|verified|reviewed|merged|committed|done|finished|resolved|stable|known|released|deployed|pushed|implemented|documented|approved|wired|checked|clear|sure|used)|" +
  "sem|sin|sans|senza|ohne|noch|nicht|nur|fehl(?:t|en)|solo|ainda|falta[nm]?|pendientes?|pendentes?|manquent?|zonder|niet|bez|nie|sadece|eksik"
/** A word for something that is not done, not complete, or comes later; also from those languages that write it in plain letters. */
const LACK = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${LEFT}|` +
    "no|not|non|none|never|nothing|nowhere|minus|except(?:ing)?|exclud(?:es?|ed|ing)|but|just|still|yet|until|unless|though|however|" +
    "todos?|tbd|tba|wip|draft(?:ed|s)?|sketch(?:ed)?|outlined?|partial(?:ly)?|some|most(?:ly)?|almost|nearly|parts?|first|initial|basics?|minimal|rough|core|" +
    "stub(?:s|bed)?|mock(?:s|ed|ups?)?|fakes?|placeholders?|hack(?:s|ed|y)?|workarounds?|temp(?:orar(?:y|ily))?|for now|manual(?:ly)?|" +
    "later|next|soon|then|after|follow(?:s|ing|-?ups?)?|open|need(?:s|ed)?|require[sd]?|planned|proposed|scheduled|upcoming|backlog|ready|" +
    "await(?:s|ing)?|wait(?:s|ing)?|block(?:s|ed|ers?|ing)?|defer(?:s|red)?|postponed|paused|skip(?:s|ped)?|dropped|cancell?ed|disabled|revert(?:s|ed)?|reopened|removed|" +
    "broken|breaks?|fail(?:s|ed|ing|ures?)?|errors?|bug(?:s|gy)?|issues?|problems?|red|flak[ye]|regress(?:es|ed|ions?)|incomplete|incorrect|inactive|" +
    "progress|ongoing|doing|started|underway|should|must|will|would|to|can(?:not)?|can't|could|might|may|maybe|if|when|once|probably|i think|isn't|aren't|doesn't|don't|didn't|won't|wasn't|" +
    "verify|check|confirm|revisit|redo|fix|review|kein(?:e[nmrs]?)?|aber|pas" +
    ")(?![\\p{L}\\p{N}])",
  "iu",
)
/** What says that something is left, if only a remark says it. */
const LEFT_OVER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${LEFT})(?![\\p{L}\\p{N}])|[未没沒尚]|まだ|(?<!\\p{L})(?:미(?:완|검|구|적)|не(?!\\p{L}))`,
  "iu",
)
const FIELD = /^[ \t]*\|[ \t]*[*_]{0,2}\p{L}[^|:：]{0,40}[:：]/u
const FRACTION = /(\d{1,6})[ \t]*(?:\/|of|out of)[ \t]*(\d{1,6})(?!\d|[-/.]\d)/giu
const PERCENT = /(?<![\d.])(\d{1,3}(?:\.\d{1,3})?)[ \t]?%/g
const MAX_LENGTH = 400

/**
 * Whether everything after a word such as "done" is known not to take it back: dates, names after "by", references, full counts, check
 * signs, words such as "tested", and a list in brackets of what was done. Anything else may take it back, so the answer is false. In
 * another field, after a `|`, only counts matter.
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

/** Whether a remark itself says that something is left: `2/5`, `tests missing`. */
export function tellsOfRest(remark: string): boolean {
  return LEFT_OVER.test(remark) || countsLess(remark)
}

/** Whether what follows such a word mentions something missing, a part, or something that comes later. */
export function lacks(rest: string): boolean {
  return LACK.test(rest) || countsLess(rest)
}

/** Whether a text counts less than all: `2/5`, `3 of 4`, `80 %`; a date is no count, nor is `20/8`. */
export function countsLess(text: string): boolean {
  const fractions = [...text.matchAll(FRACTION)]
  const isLess = fractions.some(({ index, 1: part = "", 2: whole = "" }) => {
    const isDate = /[\d][-/.]$/.test(text.slice(0, index))
    return !isDate && Number(part) < Number(whole)
  })
  return isLess || [...text.matchAll(PERCENT)].some(([, percent]) => Number(percent) !== 100)
}

/**
 * The end of brackets that list what was done, `(parser, lexer and AST)`: at least two named things, none of which is said to be missing;
 * null for any other text.
 */
function endOfThings(text: string, at: number): number | null {
  REMARK.lastIndex = at
  const [whole, list = ""] = REMARK.exec(text) ?? []
  if (whole === undefined || LACK.test(list)) return null
  const things = list.replace(/[,;][ \t]+and[ \t]/gi, ", ").split(BETWEEN)
  return things.length >= LEAST && things.every((thing) => THING.test(thing.trim()))
    ? at + whole.length
    : null
}

function endOfPiece(text: string, at: number): number | null {
  const things = endOfThings(text, at)
  if (things !== null) return things
  for (const piece of PIECES()) {
    piece.lastIndex = at
    if (piece.test(text)) return piece.lastIndex
  }
  return null
}
