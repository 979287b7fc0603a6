// The headings that open a section, and the headings whose rows are never tasks.
import type { Section } from "../model/plan.ts"
import { type WordPattern, wordPattern } from "../model/word-pattern.ts"

/** A heading that opens a section with tasks: any suffix may follow what the pattern names. */
export interface SectionRule {
  readonly heading: WordPattern
  readonly section: Section
  /** One of several, such as `Phase 2`: headings beside it hold tasks as well, whatever they are called. */
  readonly isCounted?: true
  /** A heading that is no section elsewhere, such as criteria that are a format's rows. */
  readonly isNeverIgnored?: true
}

export const TODO: SectionRule = {
  heading: wordPattern(String.raw`^to-?dos?(?![\p{L}\p{N}])`),
  section: "todo",
}
export const WAVE: SectionRule = {
  heading: wordPattern(String.raw`^final verification(?: wave)?(?![\p{L}\p{N}])`),
  section: "final-wave",
}
const TASKS: SectionRule = {
  heading: wordPattern(
    String.raw`^(?:tasks|task list|todo list)(?![\p{L}\p{N}])|^(?!(?:\d{1,3}[.)][ \t]+)?(?:all )?(?:completed?|done|finished|closed|archived|previous|past|optional)[ \t])[^:([|]{0,80}\btasks[ \t]*(?:$|[:([|–—-])`,
  ),
  section: "task",
}
const IMPLEMENTATION: SectionRule = { heading: /^implementation plan\b/i, section: "task" }
export const PHASE: SectionRule = {
  heading: wordPattern(
    String.raw`^(?:phase|stage|epic|sprint)(?:[ \t]+#?|-)(?:\d+(?:\.\d+)*[a-z]?|[A-Z]|[IVX]{1,5})(?![\p{L}\p{N}])`,
  ),
  section: "task",
  isCounted: true,
}
export const GROUP: SectionRule = {
  heading: /^\d+[.)][ \t]+\S/,
  section: "task",
  isCounted: true,
}

/** Sections that every dialect may use if it has none of its own. */
export const COMMON_SECTIONS: readonly SectionRule[] = [TODO, WAVE, TASKS, IMPLEMENTATION, PHASE]

/** What may follow such words: a remark after a sign, or what they are about. */
const BEHIND = "(?=[ \\t]*(?:$|[([（【:：—–-]|(?:for|of|per|from|in|and|&|/)(?![\\p{L}\\p{N}])))"
/** The end of a heading's words, except for a remark in brackets: `完成标准（DoD）`. */
const ALONE = "(?=[ \\t]*(?:$|[([（【]))"
/** What work is judged by, in other languages, if it is all that the heading says. */
export const CRITERIA_ELSEWHERE = [
  "(?:验收|驗收|成功|完成|交付|达成|達成)(?:标准|標準|条件|條件|定义|指标|指標)",
  "(?:验收|驗收)(?:测试|測試|清单|清單)?|検収",
  "(?:受け?入れ?|完了|成功|達成)(?:条件|基準)|受け?入れ?(?:テスト|試験)?",
  "(?:인수|완료|수용|성공) ?(?:조건|기준)|인수(?: ?테스트)?|성공 지표",
  "(?:akzeptanz|abnahme|erfolgs)(?:kriteri(?:en|um)|metriken)|(?:abnahme|akzeptanz)(?:tests?|prüfung)?",
  "(?:fertig|erledigt),? wenn|definition von fertig|(?:hecho|listo) cuando|(?:feito|pronto) quando|(?:fait|fini) quand|fatto quando|готово,? (?:когда|если)",
  "(?:crit[eé]rios?|métricas?) de (?:aceptaci[oó]n|aceita[cç][aã]o|[eé]xito|sucesso|salida|sa[ií]da)",
  "(?:pruebas de |testes de )?(?:aceptaci[oó]n|aceita[cç][aã]o)",
  "(?:critères?|indicateurs?) (?:d['’]acceptation|de (?:succès|sortie|fin))|acceptation",
  "(?:criteri|metriche) di (?:accettazione|successo)|accettazione",
  "(?:критерии|метрики) (?:при[её]мки|успеха)|при[её]мка",
  "(?:kryteria|metryki) (?:akceptacji|sukcesu|ukończenia)|kritéria (?:přijetí|úspěchu|dokončení|akceptace)",
  "(?:критерії|метрики) (?:приймання|прийняття|успіху)|(?:acceptatie|succes)criteria|(?:acceptans|acceptanse?|framgångs|suksess?|succes)kriteri(?:er|a)",
  "(?:kabul|başarı|tamamlanma) (?:kriterleri|ölçütleri)|tiêu chí (?:thành công|nghiệm thu|chấp nhận|hoàn thành)|kriteria (?:keberhasilan|penerimaan|kesuksesan|sukses|selesai)",
]
/** A legend in other languages, if the word is all that the heading says. */
const LEGEND_ELSEWHERE =
  "^(?:legende|légende|leyenda|legenda|leggenda|легенда|图例|圖例|凡例|범례)$"

const THIS =
  "(?:this|the current) (?:change|pr|mr|pull request|plan|proposal|spec|scope|release|version|iteration|sprint|milestone|mvp|phase|ticket|issue)"
/** The same in other words, if they are all that the heading says, and in other languages. */
const PUT_OFF_ELSEWHERE = [
  "(?:cancell?ed|dropped|discarded|abandoned|rejected|obsolete|on[- ]hold|paused)(?: (?:items|tasks|work|ideas|features))?",
  "verworfen|gestrichen|entfällt|pausiert|descartad[oa]s?|cancelad[oa]s?|en pausa|em pausa|annulée?s?|abandonnée?s?|en pause|annullat[oaie]|scartat[oaie]|in pausa|отменен[оаы]?|отменён[оаы]?|на паузе|anulowane|odrzucone",
  "(?:已?取消|已?放弃|已?放棄|已?搁置|已?擱置|已暂停|已作废)(?:的?(?:任务|任務))?|キャンセル(?:済み?)?|中止|保留(?:中)?|취소(?:됨)?|폐기",
  "暂缓|暫緩|暂不(?:做|实现|处理|实施|考虑)|推迟|推遲|延后|延後|本次不(?:做|实现|处理|包含)|不在(?:本次|当前|此次)?(?:的)?范围(?:之?内)?|超出范围",
  "対象外|スコープ外|見送り|今回は(?:対象外|見送り|やらない)|보류(?:됨)?|범위 외|이번 범위 (?:외|아님)",
  "zurückgestellt|aufgeschoben|verschoben|(?:außerhalb|nicht im) (?:des )?(?:umfangs?|scope)|nicht in dies(?:em|er) (?:pr|änderung|version|release|sprint)",
  "aplazad[oa]s?|pospuest[oa]s?|fuera de(?:l)? alcance|no en este (?:pr|cambio|sprint)|adiad[oa]s?|fora d[oe] escopo|não neste (?:pr|sprint)",
  "reportée?s?|différée?s?|hors (?:périmètre|scope)|pas dans cette (?:pr|version)|rimandat[oaie]|rinviat[oaie]|fuori (?:ambito|scope)",
  "отложен[оаы]?|вне (?:рамок|области|объ[её]ма)(?: задачи)?|не в этом (?:pr|релизе|спринте)|odłożone|poza zakresem",
].join("|")
const PUT_OFF_WORDS = `(?:explicitly |deliberately |intentionally |already )?(?:deferred|postponed|parked|descoped|declined|won['’]?t (?:do|fix|have|build|implement|support)|not doing|not (?:planned|now))`
/** What may say so of any work, in brackets after it: `Follow-ups (not this change)`. */
const PUT_OFF_REMARK =
  `(?:${PUT_OFF_WORDS}(?: (?:to|until|till|for|past|beyond|after) [^()（）]{1,40})?|(?:out of|not in) scope(?: (?:for|of|in) [^()（）]{1,40})?|not (?:(?:in|part of|for|within) )?${THIS}` +
  `|(?:in )?(?:a )?(?:separate|different|another|follow-?up) (?:change|pr|mr|pull request|proposal|spec|ticket|issue)|${PUT_OFF_ELSEWHERE})`

/**
 * Headings of what the author has put off or rejected: `Explicitly deferred`, `Deferred items`, `Parking lot`, `Reports (out of scope)`.
 */
const PUT_OFF = wordPattern(
  `^(?:${PUT_OFF_WORDS}(?: (?:items|tasks|work|ideas|features|scope|decisions))?|not (?:in|part of|within) ${THIS}|parking lot|icebox)` +
    "(?=[ \\t]*(?:$|[([（【:：—–-]|(?:for|of|from|in|and|&|/|to|until|till|beyond|past|after|by)(?![\\p{L}\\p{N}])))" +
    `|^(?:${PUT_OFF_ELSEWHERE})${ALONE}`,
)
const BRACKET = /[([（]/
/** The same in brackets, as a pattern of its own: it is expensive to compile, and most plans do not need it. */
const PUT_OFF_BEHIND = wordPattern(`^.{1,80}?[([（]${PUT_OFF_REMARK}[)\\]）]?$`)
export const PUT_OFF_HEADING: WordPattern = {
  test: (text) => PUT_OFF.test(text) || (BRACKET.test(text) && PUT_OFF_BEHIND.test(text)),
}

/** Headings of work that may be left undone: `Optional`, `Optional enhancements`, `Phase 3: Optional - plants`. */
export const OPTIONAL_HEADING = wordPattern(
  "^(?:[\\p{L}]+ [\\d.]{1,8}(?:[ \\t]*[:：—–-]+)?[ \\t]*)?(?:nice[- ]to[- ]haves?|someday(?: ?/ ?maybe)?|optional(?: (?:[\\p{L}]+ )?(?:tasks?|items?|work|steps?|features?|enhancements?|improvements?|extras?|additions?|extensions?|polish|follow-?ups?|upgrades?|optimi[sz]ations?|goals?|ideas?|to-?dos?|phases?|subtasks|changes|cleanups?|refactorings?|tests|testing|docs|documentation))?)" +
    "(?=[ \\t]*(?:$|[([（【:：—–]|-[ \\t]))",
)

/** What work is judged by, whatever words come before. */
const JUDGED =
  "(?:success|acceptance|completion|exit|entry|approval|quality|done|ship|release|launch) (?:criteri(?:a|on)|conditions?)|definition of complete|success (?:metrics|indicators|measures)|acceptance (?:checks|gates)"

/** The same if they are all that a heading says: a single gate is a thing to be built, `Approval gate`. */
const GATES = "(?:quality|exit|verification|validation|review|approval) gates"

/** Of the headings whose rows are never tasks, those that name what work is judged by. */
export const CRITERIA_HEADING = wordPattern(
  `^(?:.{0,40}(?<![\\p{L}\\p{N}]))?(?:${JUDGED})${BEHIND}|^${GATES}${BEHIND}|^(?:${CRITERIA_ELSEWHERE.join("|")})${ALONE}`,
)

const IGNORED = wordPattern(
  "^(?!(?:task|story|step)[ \\t]+\\d)(?:.{0,80}(?<![\\p{L}\\p{N}]))?(?:" +
    JUDGED +
    "|definition of (?:done|ready)|(?:final|completion|acceptance|verification|validation|review|quality) checklist)" +
    `${BEHIND}|^${GATES}${BEHIND}` +
    // Together with something else it is work: "Acceptance and demo".
    "|^acceptance(?![ \\t]*(?:and(?![\\p{L}\\p{N}])|[&/]))" +
    BEHIND +
    "|^(?:(?:out of|not in) scope(?: (?:items|features|ideas|list))?|non-?goals?|how to use(?: (?:this|the|it)(?![\\p{L}\\p{N}]).{0,80})?|(?:.{0,40} )?legend)" +
    BEHIND +
    "|^(?:(?:status|priority) )?key$|^done when$" +
    // A recurring list is never done.
    "|^(?:daily|weekly|monthly) (?:[\\p{L}-]{1,30} )?checklists?" +
    BEHIND +
    "|^(?:checklists?|liste de contrôle|lista de (?:control|verificação)) (?:quotidiennes?|hebdomadaires?|diari[ao]s?|quotidian[ao]|semana(?:l|is)|settimanale)$|^(?:tägliche|wöchentliche) checkliste$|^(?:每日|每天|每周|毎日|毎週|日次|週次)の?(?:检查)?(?:清单|チェックリスト)$|^(?:일일|매일|주간) 체크리스트$|^(?:ежедневный|еженедельный) чек-?лист$" +
    `|^(?:${CRITERIA_ELSEWHERE.join("|")})${ALONE}` +
    `|${LEGEND_ELSEWHERE}`,
)

/**
 * Headings whose rows are never tasks, with everything below them, whatever words come before. A heading that names a task is none, nor one
 * that goes on: "Acceptance criteria editor" and "Out of scope cleanup" are work.
 */
export const IGNORED_HEADING: WordPattern = {
  test: (text) => IGNORED.test(text) || PUT_OFF_HEADING.test(text),
}

export const LEGEND_HEADING = new RegExp(
  `\\blegend\\b|^(?:(?:status|priority) )?key$|${LEGEND_ELSEWHERE}`,
  "iu",
)
