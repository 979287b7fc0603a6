// Tells what a heading says about the lines below it: that they are work, what is left of it, what comes after the plan, or something besides.
import { isPlainWord, readState, stateOfWord } from "../model/state-words.ts"
import { saysDone } from "../model/title.ts"
import { wordPattern } from "../model/word-pattern.ts"
import { countsWork, inCount } from "./counting.ts"
import { BEFORE_NAME, COUNTING_WORD, headingWords, numberedWords } from "./heading-words.ts"
import { HEADING_ASKS, tellsNoWork, tellsOnlyOfNoWork } from "./no-work.ts"
import { IGNORED_HEADING, PUT_OFF_HEADING } from "./section-rules.ts"
import { isNamedUnit } from "./unit-names.ts"

const END = "(?![\\p{L}\\p{N}])"
const WORK = wordPattern(
  String.raw`\b(?:plan|steps?|implementation|tasks?|to-?dos?|checklist|order|phases|actions?|changes|roadmap|milestones|sequence|queue|backlog|work|fixes|improvements|to (?:do|implement|fix)|pas(?:s?os|si)|passo a passo|etapas|(?:arbeits|umsetzungs|implementierungs)?schritte|aufgaben|umsetzung|vorgehen|(?:umsetzungs|implementations?|implementierungs|implementerings|genomförande|gjennomførings|uitvoerings|aktions|actie|arbeits|werk|maßnahmen|projekt|stappen)plan(?:en)?|maßnahmen|arbeitspakete|acciones|ações|azioni|acties|werkpakketten|tiltak|działania|tarefas|tareas|plano|piano|langkah|tahapan|rencana|tugas|implementasi|stappen|kroki|zadania|kroky|steg|uppgifter|oppgaver)\b|étapes|tâches|mise en œuvre|implementa(?:ción|ção|zione)|implémentation|implementierung|wdrożenie|åtgärder|adımlar|görevler|yapılacaklar|(?:uygulama|eylem|çalışma) planı|(?:önerilen|uygulama) (?:sıra(?![\p{L}\p{N}])|sırası)|các bước|nhiệm vụ|kế hoạch|úkoly|шаги|этапы|задачи|план|реализация|кроки|етапи|завдання|реалізація|实施|實施|实现|實現|步骤|步驟|任务|任務|计划|計劃|計画|待办|実装|手順|タスク|작업|단계|구현|계획`,
)
/** Levels of urgency, which apply only to what is still to be done: `High priority`, `Prioridad alta`, `中优先级`. */
const GRADE =
  "current|top|high(?:est|er)?|medium|mid(?:dle)?|low(?:est|er)?|alt[ao]|m[eé]di[ao]|baj[ao]|baix[ao]|bass[ao]|haute|élevée|moyenne|basse|faible|hohe?|mittlere?|mittel|niedrige?|geringe?|hoge|gemiddelde|lage|hög|hoy|høy|medel|middels|låg|lav|wysoki|średni|niski|vysoká|střední|nízká|высокий|средний|низкий|високий|середній|низький|yüksek|orta|düşük|cao|trung bình|thấp|tinggi|sedang|rendah|最?高|中|最?低|높(?:음|은)|중간|보통|낮(?:음|은)"
const PRIORITY =
  "(?:priori[td][\\p{L}]{1,4}|приоритет|пріоритет|priorytet|öncelik|ưu tiên|prioritas|优先级?|優先(?:级|級|度)?|우선 ?순위)"
const GRADED = `(?:${GRADE})[ \\t-]?${PRIORITY}|${PRIORITY}[ \\t:：]*(?:${GRADE})`
/** Headings of what is still to be done. */
const LEFT = wordPattern(
  String.raw`^(?:(?:still |what is |what's )?(?:left|remaining|outstanding|pending|upcoming|unfinished|incomplete|todo|to-do|to do)(?![\p{L}\p{N}])|what (?:remains|comes next)$|(?:${GRADED})(?=$|[ \t]*[([（:—–-])|up next$|next(?: up| steps?| priorities| tasks| actions| updates)?(?=$|[ \t]*[([:—–-])|(?:the )?(?:product )?backlog$|not (?:yet )?(?:started|done)|in progress$|doing$|planned$|待(?:[办辦做]|完成|[执執]行|[实實]施|[实實][现現]|[处處]理|[开開][发發始]|修[复復]|[启啟][动動])|未完成|剩余|(?:pr[oó]xim[oa]s|siguientes) (?:pas(?:os|sos)|acciones|ações)$|siguiente paso$|prochaines étapes$|nächste schritte$|prossimi passi$|следующие шаги$|наступні кроки$|(?:kolejne|następne) kroki$|další kroky$|sonraki adımlar$|volgende stappen$|nästa steg$|neste steg$|các bước tiếp theo$|langkah (?:selanjutnya|berikutnya)$|다음 ?(?:단계|작업)|(?:ال)?خطوات (?:ال)?تالية|下一步|未着手|残り|남은|次の(?:ステップ|タスク|作業)|后续优先级$|後續優先級$|(?:接下来|接下來|下一阶段|下一階段)的?(?:优先级|優先級|步骤|步驟|任务|任務|工作|计划|計劃|事项|事項)?(?!\p{L}))`,
)
const LATER_ELSEWHERE =
  "ideen|ideias|idées|idee|想法|点子|(?:ideen )?(?:für )?später|(?:spätere|zukünftige) (?:ideen|erweiterungen|funktionen|arbeiten|schritte)|wunschliste|más (?:adelante|tarde)|(?:ideas |mejoras )?(?:para el|a) futuro|(?:ideas|mejoras|trabajos?) futur[ao]s?|mais tarde|(?:ideias|melhorias|trabalhos?) futur[ao]s?|(?:à faire )?plus tard|(?:idées|améliorations|évolutions) (?:futures|pour plus tard)|(?:idee|miglioramenti|sviluppi) futur[ei]|più (?:avanti|tardi)|позже|на будущее|идеи(?: на будущее)?|на потом|(?:pomysły )?na (?:później|przyszłość)|未来(?:计划|規劃|规划|扩展|优化|工作|功能|想法)|以后再做|将来(?:の(?:課題|拡張|展望|アイデア))?|今後の(?:課題|展望|拡張)|いつか|아이디어|나중에|향후 ?(?:과제|계획|개선|작업)"
/** What the author wants some day, but not in this plan: `Future extensions`, `Phase 5 — Nice to have`, `Phase 2 (Future)`. */
const LATER = wordPattern(
  String.raw`^(?:[\p{L}]+ [\d.]{1,8}(?:[ \t]*[:：—–(-]+)?[ \t]*)?(?:(?:(?:possible|potential|planned) )?(?:future|long-term|stretch|post-(?:mvp|launch|release|v?1(?:\.0)?))(?: (?:work|phases?|plans?|extensions?|enhancements?|improvements?|features?|ideas?|considerations?|options?|goals?|directions?|scope|possibilities|milestones?|versions?|releases?|tasks|items|steps|roadmap))?|(?:for )?later|someday(?: ?/ ?maybe)?|nice[- ]to[- ]haves?|wish ?list|ideas?|beyond (?:mvp|v?1(?:\.0)?)|${LATER_ELSEWHERE})(?=[ \t]*(?:$|[)([（【:：—–-]|(?:for|of|from|beyond|after|and|&|/)(?![\p{L}\p{N}])))`,
)
/** How, and in which order, the work is done, */
const WAYS =
  "dependenc(?:y|ies)|strateg(?:y|ies)|graph|matrix|commits?|workflow|approach|guide(?:lines?)?|rules?|instructions?|process|conventions?|opportunities|examples?|parallel|usage|principles?|commands?|achievements?|installation|getting started|quick ?start|contributing|methodolog(?:y|ies)|blocked by"
/** and the same in other languages. */
const WAYS_ELSEWHERE =
  "^(?:сценари[йи]|процесс|как(?: это)? (?:работает|устроено))(?![\\p{L}])|(?:流程|场景|場景|工作原理|シナリオ|フロー|仕組み|시나리오|흐름|동작 ?(?:방식|원리))(?=[ \\t]*(?:$|[([（:：—–-]))"
const HOW = wordPattern(`\\b(?:${WAYS}|how to)\\b|${WAYS_ELSEWHERE}`)
/** After a number such a word decides only if it stands alone: `2. Dependency alignment` is a step. */
const ONLY_HOW = wordPattern(`^(?:${WAYS})$|${WAYS_ELSEWHERE}`)
/** Headings of what is not to be done, or stays as it is: `Do not touch`, `What will NOT change`, also behind a unit's name. */
const NOT_DONE = wordPattern(
  "^(?:[\\p{L}]+ [\\d.]{1,8}(?:[ \\t]*[:：—–-]+)?[ \\t]*)?(?:" +
    "(?:out of|not in) scope|non-?goals?|don['’]?ts|不要做|不得|禁止" +
    "|(?:what )?(?:you )?(?:must|should|shall|do)[ -]nots?(?: (?:have|do|change|touch|use|include|break|modify))?" +
    "|(?:what|things)(?: [\\p{L}]+){0,3} (?:(?:not|never)|[\\p{L}]+n['’]t)(?: to)?(?: be)? (?:do|change[ds]?|changing|touch(?:ed|ing)?|includ(?:e|ed|ing)|build(?:ing)?|built|modify|modified|cover(?:ed)?|affected|in scope)" +
    "|(?:what|things)(?: [\\p{L}]+){0,2} (?:stays?|keep|kept|(?:remains?|left)(?= (?:the same|unchanged|untouched|as)))(?: (?:the same|unchanged|untouched|as (?:it|they) (?:is|are)))?" +
    "|unchanged|not changed|not included" +
    "|lo que no (?:cambia|se (?:cambia|toca|incluye|hace))|o que não (?:muda|fazer|será (?:alterado|feito))|ce qui (?:ne change pas|reste(?: inchangé)?)|cosa non (?:cambia|fare)|was (?:(?:sich )?nicht (?:geändert wird|ändert)|(?:gleich|unverändert) bleibt)|что не (?:меняется|изменится|трогаем|делаем)|co się nie zmienia" +
    "|不(?:变|變|改|做)的?(?:部分|内容|內容|事项|事項|地方)?|変更しない(?:もの|点|箇所)|변경하지 않는 (?:것|부분)" +
    ")(?=[ \\t]*(?:$|[([（:：—–-]))",
)
/** Headings of an order, or of what one has from the work, where they say no more: `Priority (from review)`. */
const ORDER =
  /^(?:priorit(?:y|ies)(?: (?:order|list))?|order of (?:work|priority)|(?:(?:recommended|suggested) )?(?:execution|implementation|work|build|task|merge) (?:order|sequence)|(?:learning|expected) outcomes?|(?:concrete|expected|key|final) deliverables|(?:(?:推奨|推荐|推薦|建议|建議)の?)?(?:実装|実行|開発|作業|タスク|实施|實施|实现|實現|执行|執行|开发|開發|任务|任務|工作)の?(?:順序|順番|順|流れ|顺序)|(?:구현|실행|작업|개발) ?순서|(?:umsetzungs|ausführungs|arbeits)?reihenfolge(?: der (?:umsetzung|ausführung|arbeiten))?|(?:orden|ordem|ordine|ordre) d(?:[ei] |['’])(?:impl[eé]ment|ejecu|ex[eé]cu|esecu|trab|trav|lavor|r[eé]al)\p{L}+|порядок (?:реализации|выполнения|внедрения|работ[ы]?))$/iu
/**
 * A remark after a heading's words, whose full-width closing bracket was cut off. The blanks before it are cut off separately, or each of
 * many would be tried as the first.
 */
const REMARK = /[(（][^()（）]*[)）]?$/u
/** What is said where a remark follows, in brackets or behind a dash: `Setup (after Phase 2 is done)`. */
const ASIDE = /(?:[(（]|[ \t][—–-][ \t]).*$/u
/** The same within a name: `What has been done`, and not `What can be done`. */
const DONE = wordPattern(
  String.raw`(?<![\p{L}\p{N}]|(?<![\p{L}\p{N}])(?:be|not|never)[ \t])(?:done|completed|finished|已完成|完了|완료)(?![\p{L}\p{N}])`,
)
/** What is said about finished work, and names for it: `Changes executed`, `Applied fixes`. */
const CARRIED_OUT =
  "(?:made|done|applied|executed|performed|implemented|completed|carried out|landed)"
const CHANGES =
  "(?:(?:code |file )?(?:changes|fixes|modifications|edits)|improvements|enhancements|updates|work|refactorings?)"
/** The same in other languages, by the order of their words. */
const MADE_ELSEWHERE = [
  "(?:cambios|modificaciones|mejoras|correcciones|tareas|trabajos?|pasos|acciones) (?:ya )?(?:ejecutad|realizad|hech|aplicad|completad|implementad|terminad)[oa]s?",
  "(?:alterações|mudanças|modificações|melhorias|correções|tarefas|trabalhos?|passos|ações) (?:já )?(?:executad|realizad|feit|aplicad|concluíd|implementad)[oa]s?",
  "(?:modifications|changements|améliorations|corrections|tâches|travaux|étapes) (?:déjà )?(?:effectué|réalisé|appliqué|terminé|implémenté|exécuté|fait)e?s?",
  "(?:modifiche|cambiamenti|miglioramenti|correzioni|attività|passi|lavori) (?:già )?(?:effettuat|eseguit|apportat|realizzat|completat|implementat|fatt)[ie]",
  "(?:bereits )?(?:durchgeführte|umgesetzte|vorgenommene|erledigte|abgeschlossene|ausgeführte) (?:änderungen|arbeiten|aufgaben|schritte|verbesserungen|korrekturen)",
  "(?:уже )?(?:выполненные|внес[её]нные|сделанные|завершенные|завершённые|реализованные) (?:изменения|задачи|работы|исправления|шаги|улучшения)",
  "已(?:完成|执行|執行|实施|實施|应用|應用|实现|實現|做)的?(?:阶段|階段|任务|任務|功能|工作|事项|事項|项目|項目|内容|部分|模块|步骤|步驟|里程碑|修改|更改|变更|變更|改动|改動|优化|優化|修复|修復)(?!\\p{L})",
  "(?:完了|実施|適用|実装)(?:した|済みの?)(?:フェーズ|タスク|作業|変更|修正|改善|項目)(?!\\p{L})",
  "(?:완료된?|적용된|수행한|구현된) (?:작업|변경(?: ?사항)?|수정(?: ?사항)?|단계|기능)",
]
const MADE = wordPattern(
  `^(?:already )?(?:implemented|shipped|released|delivered)${END}|(?<![\\p{L}\\p{N}])${CHANGES} ${CARRIED_OUT}${END}` +
    `|^(?:already )?${CARRIED_OUT} ${CHANGES}${END}|^(?:${MADE_ELSEWHERE.join("|")})${END}`,
)
/** A version with its date or in a link's brackets, `[0.1.0]`, `v0.1 — 2026-06-05`, and where versions are listed: `Changelog`. */
const RELEASED = wordPattern(
  "^(?:v(?:ersion )?)?\\d+\\.\\d+(?:\\.\\d+)?[\\p{L}\\d.-]{0,20}(?:\\]|\\]?[ \\t]*[(（:：—–-]*[ \\t]*\\d{4}[-./年]\\d{1,2}[-./月]\\d{1,2}日?\\)?$)" +
    "|^(?:change-?log|change log|(?:version|change|revision|release|update) history|release notes|history(?: of changes)?" +
    "|(?:更新|变更|變更|修改|修订|版本|開発|変更|改訂)(?:日志|日誌|记录|記錄|历史|歷史|履歴|ログ)|(?:변경|업데이트|개정) ?(?:이력|내역|기록)" +
    "|änderungs(?:protokoll|verlauf|historie)|versionshistorie|hist[oó]ric[oa](?: de (?:cambios|alterações|versiones|versões|mudanças))?|historial(?: de cambios)?|registro de (?:cambios|alterações)|historique(?: des (?:modifications|versions|changements))?|journal des modifications|cronologia(?: delle modifiche)?|registro delle modifiche|журнал изменений|история(?: (?:изменений|версий))?|historia zmian|dziennik zmian|wijzigingslogboek|ändringslogg|değişiklik günlüğü|nhật ký thay đổi|riwayat perubahan)$",
)

const CHECK_FIRST = /^[*_]{0,3}[✅☑✔✓]\ufe0f?[ \t]*/u
/** What introduces a plan's work, if it is all that a heading says. */
const INTRODUCTION = wordPattern(
  "^(?:(?:the|and|of|project|plan|design|technical|current|problem)[ \\t/&]+)*(?:overview|summary|background|context|introduction|goals?|objectives?|purpose|motivation" +
    "|概要|概述|背景|目标|目標|目的|简介|개요|배경|목표|목적|ziele?|hintergrund|überblick|objetivos?|contexto|resumen|resumo|objectifs?|contexte|résumé|obiettiv[io]|contesto|цел[ьи]|контекст)" +
    "(?:[ \\t]*(?:and|&|/)[ \\t]*(?:goals?|context|background|objectives?))?$",
)
/** What stands before a unit's title: `Phase 2: `, `Week 3 — `. */
const UNIT = new RegExp(
  `^(${COUNTING_WORD})[ \\t]+#?\\d{1,4}(?:\\.\\d{1,4})*[a-z]?${BEFORE_NAME}[ \\t]*(?=\\S)`,
  "u",
)

/** Whether a heading describes work: `Implementation steps`. */
export function tellsOfWork(text: string): boolean {
  return WORK.test(text) && !tellsNoWork(text)
}

/** Whether it introduces the work: `Overview`. */
export function introduces(text: string): boolean {
  return INTRODUCTION.test(headingWords(text))
}

/** Whether it names what is still to be done: `Remaining`. */
export function tellsWhatIsLeft(text: string): boolean {
  return LEFT.test(headingWords(text))
}

/** Whether it is a word that means a state before done, and nothing more: `Open`. */
export function namesOpenState(text: string): boolean {
  const words = headingWords(text)
  return isPlainWord(words) && stateOfWord(words) !== "done"
}

/** Whether it names what was done: `Completed`, `Changes made`, `Hecho`. */
export function tellsWhatWasDone(text: string): boolean {
  const words = headingWords(text)
  if (readState(words.replace(REMARK, "")).state === "done" || MADE.test(words)) return true
  const name = words.replace(ASIDE, "")
  const isName = tellsNoWork(name) && !(isNamedUnit(text) || IGNORED_HEADING.test(name))
  return RELEASED.test(words) || (isName && DONE.test(name))
}

/** Whether it says that what stands below it was done. A check sign before what names the work, `✅ Action plan`, is only decoration. */
export function saysItWasDone(text: string): boolean {
  if (tellsWhatWasDone(text)) return true
  const words = text.replace(CHECK_FIRST, "")
  const isNumbered = numberedWords(words) !== headingWords(words)
  const isTask = isNumbered || titleOfUnit(words) !== null || HEADING_ASKS.test(words)
  const isAdorned = LEFT.test(words) || (tellsOfWork(words) && !isTask)
  return saysDone(isAdorned ? words : text)
}

/** Whether it names what comes after this plan, or is put off. */
export function tellsOfLater(text: string): boolean {
  const words = headingWords(text)
  return LATER.test(words) || PUT_OFF_HEADING.test(words)
}

/** Whether it names what must not be done, or stays as it is: `Step 3: Out of scope`. */
export function tellsWhatIsNotDone(text: string): boolean {
  return NOT_DONE.test(headingWords(text))
}

/** Whether lines below it that ask for something are work in a plan without boxes; rules, guides and files are not. */
export function mayTellOfWork(text: string): boolean {
  const words = headingWords(text)
  return !IGNORED_HEADING.test(words) && !HOW.test(text)
}

/** Whether it names something beside the work of a plan with tasks, something that comes after it, or how it is done. */
export function tellsBesideWork(text: string): boolean {
  const words = headingWords(text)
  if (tellsOrder(text)) return true
  if (NOT_DONE.test(words) || tellsWhatWasDone(text)) return true
  if (IGNORED_HEADING.test(words)) return true
  const unit = titleOfUnit(words)
  if (unit !== null) return tellsOnlyOfNoWork(unit)
  const isNumbered = numberedWords(text) !== words
  return tellsNoWork(text) || (isNumbered ? ONLY_HOW.test(words) : HOW.test(text))
}

/**
 * The title of a unit of work, `Phase 2: Risk engine`: a word in it does not make the unit a part of a document, unless it says nothing
 * else.
 */
function titleOfUnit(words: string): string | null {
  const counted = inCount(words)
  const [whole, word = ""] = UNIT.exec(counted) ?? []
  const isUnit = whole !== undefined && countsWork(word) && !tellsNoWork(word)
  return isUnit ? counted.slice(whole.length) : null
}

/** Whether it names the order of the work, or its benefit. */
export function tellsOrder(text: string): boolean {
  return ORDER.test(headingWords(text).replace(REMARK, "").trimEnd())
}
