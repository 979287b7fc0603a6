// What the head of a table says of its rows: that they are work, and what is planned of it.
import { STATUS_NAME } from "../model/state-words.ts"
import { countsWork } from "./counting.ts"
import { introduces } from "./heading-roles.ts"
import { headingWords } from "./heading-words.ts"
import { tellsNoWork } from "./no-work.ts"

const UNITS =
  "(?:tasks?|steps?|milestones?|phases?|stages?|sprints?|increments?|stor(?:y|ies)|actions?|to-?dos?|deliverables?|hitos?|marcos?|jalons?|meilensteine?|fases?|etapas?|étapes?|pas(?:s?os?|si)|schritte?|aufgaben?|tareas?|tarefas?|tâches?|вех[аи]|этапы?|фаз[аы]|шаги?|задач[аи]|里程碑|阶段|階段|步骤|步驟|任务|任務|マイルストーン|フェーズ|ステップ|タスク|마일스톤|단계|작업)"
/** What the head of a list of work says that its rows are. */
const UNIT = new RegExp(`^[*_ \\t]*${UNITS}[*_ \\t]*$`, "iu")
/** A heading of these which tells of nothing else, although one of its words does elsewhere. */
const OF_UNITS = new RegExp(`^${UNITS} (?:overview|summary|and acceptance)$`, "iu")
/** What each row is, wherever its column stands, */
const TASK =
  /^[*_ \t]*(?:tasks?|to-?dos?|user stor(?:y|ies)|stor(?:y|ies)|(?:action|work|to-?do) items?|work ?packages?|tickets?|(?:prs?|pull requests?)(?: titles?)?|arbeitspakete?|aufgaben?|tareas?|tarefas?|tâches?|attività|задач[аи]|任务(?:名称|内容|描述)?|任務(?:名稱)?|工作(?:项|内容|包)|タスク名?|作業(?:内容|項目)|작업(?:명| ?내용)?)[*_ \t]*$/iu
/** or may be as well as anything else. */
const PIECE =
  /^[*_ \t]*(?:features?|functions?|modules?|components?|items?|work(?: to do)?|deliverables?|what(?: to do)?|scope|goals?|funktion|modul|komponente|módulo|componente|funcionalidade?s?|funcionalidad|fonctionnalité|funzionalità|modulo|модуль|компонент|функция|功能(?:点|模块|项)?|模块|模組|组件|机能|機能|モジュール|項目|项目|事项|交付物|기능|모듈|항목)[*_ \t]*$/iu
/** What is planned of work: who does it, when and after what, how long it takes, how urgent it is, how far it is. */
const PLANNED = new RegExp(
  `^[*_ \\t]*(?:(?:task |current )?(?:state|progress|${STATUS_NAME})|(?:primary |task |dri|r&d )?owners?|assign(?:ed|ee)s?(?: to)?|responsible|dri|(?:est(?:imated|\\.)? )?(?:effort|estimates?|size|duration|days|hours|points|sp|eta)(?: \\([^()]{1,12}\\))?|story points|estimation|due(?: date)?|deadline|target(?: date)?|dates?|weeks?|sprints?|depend(?:s on|encies|ency|ent on)|deps|blocked by|prerequisites?|priority|prio|complexity|difficulty|` +
    "verantwortlich(?:e[rn]?)?|zuständig|aufwand|dauer|schätzung|termin|frist|fällig(?: am)?|woche|abhängig(?:keiten|keit| von)?|priorität|responsables?|responsáve(?:l|is)|responsabile|esfuerzo|esforço|charge estimée|durée|duración|duração|durata|estimación|estimativa|estimation|stima|plazo|prazo|échéance|scadenza|fecha(?: límite)?|semanas?|semaine|settimana|depende(?: de|ncias?)|dépend(?: de|ances)|dipende(?: da|nze)|priorid[ea]de?|prioridad|priorité|priorità|" +
    "исполнитель|ответственный|оценка|срок(?:и)?|трудоёмкость|трудоемкость|приоритет|зависимости|负责人|負責人|执行人|担当者?|담당자?|(?:预计|预估|估计|預計|預估)?(?:工时|工時|工期|工作量|耗时|耗時)|(?:预计|預計|截止|完成|计划)(?:时间|時間|日期)|期限|納期|工数|見積(?:もり)?|依赖(?:项|关系)?|依賴|依存(?:関係)?|优先级|優先級|優先度|优先度|复杂度|複雑度|进度|進捗|預定|기한|마감일|예상 ?(?:시간|기간)|기간|공수|의존성|우선순위|난이도|일정" +
    ")[*_ \\t]*$",
  "iu",
)

/** Whether a cell of a head says that the rows are units of work: `Phase`. */
export function isUnit(cell: string): boolean {
  return UNIT.test(cell)
}

/** Whether a heading tells of such units alone: `Phase overview`. */
export function isOfUnits(heading: string): boolean {
  return OF_UNITS.test(headingWords(heading))
}

/**
 * How many signs a head gives that its rows are work: two where they are called tasks, one where they are called pieces of it, and one for each
 * column of what is planned. Null where the first column of words (`holdsWords`) names what is no work.
 */
export function signsIn(
  head: readonly string[],
  holdsWords: (column: number) => boolean,
): number | null {
  const planned = head.filter((cell) => PLANNED.test(cell)).length
  const named = head.find((cell, at) => !PLANNED.test(cell) && holdsWords(at)) ?? ""
  if (!countsWork(named, false) || (tellsNoWork(named) && !introduces(named))) return null
  const isTask = isUnit(head[0] ?? "") || head.some((cell, at) => TASK.test(cell) && holdsWords(at))
  const isPiece = head.some((cell) => PIECE.test(cell) || isUnit(cell))
  return (isTask ? 2 : Number(isPiece)) + planned
}
