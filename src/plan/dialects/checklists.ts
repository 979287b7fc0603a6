// Recognises headings of what is checked once the work is done, and of checklists of the work itself.
import { wordPattern } from "../model/word-pattern.ts"

/**
 * What is checked once the work is done. A list of the work itself, `Migration checklist`, is not, but one of what comes before or after it
 * is.
 */
const CHECK = wordPattern(
  String.raw`(?<![\p{L}\p{N}])(?:(?<!(?<!\b(?:pre|post|before|after)(?:-|[ \t]+(?:the[ \t]+)?))(?:implementation|adaptation|migration|integration|development|refactoring|conversion|upgrade|setup|build|work|tasks?|action|feature|progress|execution)[ \t]+)checklist|verification|validation|testing|test plan|criteria|sign-?off|gates)(?![\p{L}\p{N}])`,
)
/** The same in other languages. */
const CHECK_ELSEWHERE = wordPattern(
  "(?:验证|驗證|检查|檢查|核对|核對|验收|驗收|测试|測試)(?:清单|清單)|(?:検証|確認|最終|品質|テスト|完了)の?チェックリスト|(?:검증|확인|테스트|최종|완료) ?체크리스트" +
    "|(?<![\\p{L}\\p{N}])(?:lista de (?:verifica(?:ci[oó]n|ção)|comprobaci[oó]n|control)|liste de (?:vérification|contrôle)|lista di (?:verifica|controllo)|prüfliste|abnahmeliste|контрольный список|чек-?лист проверки|lista kontrolna|kontrol listesi|danh sách kiểm tra|daftar periksa|controlelijst)(?![\\p{L}\\p{N}])",
)
const CHECKLIST = /\bchecklists?\b/i
/** A checklist that names its work, as many languages do: `Checklist: Implementation`, `Checklist d'implémentation`. */
const LIST_OF_WORK = wordPattern(
  String.raw`(?<![\p{L}\p{N}])checklists?(?:[ \t]?[:：–—-])?(?:[ \t]+(?:of|for|the|an?|de|del|des|la|el|las|los|da|do|das|dos|du|les?|para|pour|di|della|dello|delle|per(?=[ \t]+l))){0,3}[ \t]+(?:d['’]|l['’]|de l['’]|dell['’]|all['’])?(?:impl[eé]menta[\p{L}]*|migra[\p{L}]*|migração|int[eé]gra[\p{L}]*|adapta[\p{L}]*|development|refactoring|conversion|upgrade|setup|build|work|tasks?|actions?|features?|progress|execution|desarrollo|desenvolvimento|développement|sviluppo|tareas|tarefas|tâches|trabajo|trabalho|travail)(?![\p{L}\p{N}])`,
)
/** Checklists of what comes before or after the work, whatever their rows ask for. */
const AT_THE_END = wordPattern(
  String.raw`(?<![\p{L}\p{N}])(?:(?:pre|post)[- ]|(?:before|after|final|antes|después|depois|avant|après|previ[oa]|prima|dopo|release|launch|go-?live|ship(?:ping)?|publish(?:ing)?|publication|submission|deploy(?:ment)?|production|rollout|merge|pr|completion|done|qa|quality|review|audit|tests?|smoke|regression|manual|security|accessibility|performance|compliance|readiness|acceptance|approval|hand-?(?:off|over)|demo|exit|verification|validation|testing|criteria|sign-?off|gates)(?![\p{L}\p{N}]))`,
)

/** Whether, by its heading, the text below is checked once the work is done. */
export function isChecked(text: string): boolean {
  return (CHECK.test(text) || namesChecklist(text)) && !listsWork(text)
}

/** Whether it is called a checklist of what comes after the work, or one in another language, possibly as one of several with a number. */
export function namesChecklist(text: string): boolean {
  return CHECK_ELSEWHERE.test(text) || (CHECKLIST.test(text) && AT_THE_END.test(text))
}

/** Whether it is a checklist that names its work: `Checklist de implementación`. */
export function listsWork(text: string): boolean {
  return LIST_OF_WORK.test(text) && !AT_THE_END.test(text)
}

/** Whether it is a checklist that may list the work itself, which its rows decide. */
export function mayListWork(text: string): boolean {
  return CHECKLIST.test(text) && !AT_THE_END.test(text)
}
