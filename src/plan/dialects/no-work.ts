// Tells whether a heading names something beside the work.
import { wordPattern } from "../model/word-pattern.ts"
import { headingWords, numberedWords } from "./heading-words.ts"

/** Ways to examine the work, which may be work of their own. */
const LOOKED = "tests?|testing|verification"
const BESIDE =
  "risks?|issues|findings|questions?|acceptance|requirements?|criteria|constraints?|background|context|goals?|objectives?|decisions?|assumptions?|causes?|diagnosis|overview|summary|notes?|references?|problems?|scope|done|completed|finished|history|changelog|logs?|metrics?|related"
const NO_WORK = new RegExp(`\\b(?:${LOOKED}|${BESIDE})\\b`, "i")
/** What decides nothing after a heading's words: `Plan (root cause)`, `Setup (can be done first)`, `검증 계획 (Verification plan)`. */
const REMARK = /(?<=\p{Script=Latin}[ \t]{0,2})[(（][^()（）]*[)）]?$/iu
const NEVER_WORK = new RegExp(`\\b(?:${BESIDE})\\b`, "i")
/** How a heading begins that asks for something to be done: `Fix issues in the parser`. */
const VERBS =
  "fix|add|write|update|create|implement|remove|delete|build|refactor|rename|move|extend|replace|migrate|handle|improve|clean|resolve|address|document|make|introduce|wire|extract|support|generate|enable|port|convert"
export const HEADING_ASKS = new RegExp(`^(?:${VERBS})(?![\\p{L}\\p{N}-])`, "iu")
/** The same for a row, where such words are no part of a name: `Use cases` and `Release notes` are headings. */
const ROW_ASKS = new RegExp(
  `^[*_\`~]{0,4}(?:${VERBS}|set up|setup|configure|install|deploy|integrate|investigate|design|develop|verify|test|run|merge|publish|release|split|drop|rewrite|adjust|change|connect|define|register|prepare|draft|ship|upgrade|bump|check|ensure|review|optimi[sz]e|consolidate|expose|hook|store|persist|parse|validate|schedule|scaffold|initiali[sz]e|finish|complete|start|begin|plan|research|evaluate|decide|collect|measure|benchmark|simplify|unify|apply|switch|turn|let|allow|do|criar|crear|créer|creare|añadir|agregar|adicionar|ajouter|aggiungere|configurar|configurer|configurare|implementar|implémenter|implementare|migrar|migrer|atualizar|actualizar|aggiornare|mettre|instalar|installer|remover|eliminar|supprimer|escrever|escribir|écrire|scrivere|corrigir|corregir|corriger|definir|définir|integrar|intégrer|erstelle|erstellen|implementiere|richte|füge)(?![\\p{L}\\p{N}-])`,
  "iu",
)
/** The ones that only ask to examine what was done. */
const LOOKS =
  /^[*_`~]{0,4}(?:verify|test|run|check|ensure|review|validate|evaluate|measure|complete|finish)(?![\p{L}\p{N}-])/iu
const QUESTION = /[?？][*_~`)）\s]{0,4}$/u
const FOREIGN = /^[^\p{L}\p{N}]{0,4}(?!\p{Script=Latin})\p{L}/u
/** A numbered heading names only something else if it consists of these words. */
const ONLY = wordPattern(
  `^(?:(?:verification|${BESIDE}|and|or|of|the|to|in|for|on|out|open|known|key|current|root|non|design|technical|architectur(?:e|al)|executive|progress|work|core|project|problem|statement|mitigations?|considerations?|analysis|made|user|functional|product|success)(?:[^\\p{L}\\p{N}]+|$))+$`,
)

/** The same in other languages, if such words are all that the heading says: `遇到的错误`, `Hintergrund`. */
const ELSEWHERE = wordPattern(
  "^(?:v\\d+(?:\\.\\d+)*[ \\t]*)?(?:(?:" +
    "(?:pros|advantages|benefits)(?: and (?:cons|disadvantages|drawbacks))?|cons|disadvantages|drawbacks|(?:vor- und )?nachteile|vorteile|(?:ventajas y )?desventajas|ventajas|(?:vantagens e )?desvantagens|vantagens|(?:avantages et )?inconvénients|avantages|contras|(?:pro e )?contro|(?:vantaggi e )?svantaggi|vantaggi|(?:плюсы и )?минусы|плюсы|преимущества|недостатки|(?:zalety i )?wady|zalety|(?:voor- en )?nadelen|voordelen|fördelar|nackdelar|artıları?|eksileri?|ưu điểm|nhược điểm|kelebihan|kekurangan|优点|優點|缺点|缺點|优势|優勢|劣势|劣勢|利点|欠点|メリット|デメリット|장점|단점|" +
    "(?:final |expected )?(?:results?|outcomes?|report)|retrospective|post-?mortem|lessons learned|" +
    "troubleshooting|(?:soluci[oó]n|solução|résolution|risoluzione) (?:de|dei|des) (?:problem|problèm)[\\p{L}]+|dépannage|fehlerbehebung|problembehandlung|устранение (?:неполадок|неисправностей)|усунення несправностей|rozwiązywanie problemów|sorun giderme|probleemoplossing|felsökning|feilsøking|khắc phục sự cố|pemecahan masalah|故障排[除查]|疑難排解|トラブルシュー(?:ティング|ト)|문제 ?해결|" +
    "(?:lern|kern|haupt)ziele?|prioritäten|ergebnisse?|prioridades|priorités|приоритеты|" +
    "目标|目標|目的|背景|概述|概要|简介|風險|风险|リスク|问题|問題|疑问|課題|决策|決策|决定|決定|假设|前提|约束|約束|制約|需求|要件|范围|範圍|" +
    "验收|驗收|标准|基準|参考|関連|相关|相關|文档|文檔|ドキュメント|資料|资料|备注|備考|備註|说明|說明|注意|事项|笔记|メモ|总结|總結|结论|結論|まとめ|历史|歷史|履歴|记录|記錄|日志|已完成|" +
    "成果|学习成果|学習成果|验证|驗證|検証|结果|結果|用户确认|用戶確認|优先级|優先級|優先順位|" +
    "(?:(?:analysis|assessment) of (?:the )?)?(?:current|existing) (?:state|situation)(?: (?:analysis|assessment))?|(?:gap|root cause|situation) analysis|" +
    "ist-?analyse|bestandsaufnahme|état des lieux|analyse de l['’]existant|análisis de (?:la situación|brechas)|análise da situação|analisi della situazione|анализ (?:текущего состояния|ситуации)|" +
    "(?:现状|現状|現狀|差距|问题|問題)(?:分析|诊断|診断|診斷)|(?:현황|현재 상태|문제) ?분석|" +
    "(?:需要|待|请|請)(?:你|您|用户|用戶)?(?:确认|確認|决定|決定)(?:的?(?:点|點|问题|問題|事项|事項))?|开放(?:性)?问题|開放問題|確認事項|要確認|확인(?:이)? ?필요(?:한)? ?(?:사항|항목)|" +
    "(?:open )?points? to (?:confirm|clarify|discuss)|(?:please|to) (?:confirm|clarify)|questions? (?:for|to) (?:you|the (?:user|author|team))|zu klären|offene punkte|puntos? (?:a|por) (?:confirmar|aclarar|definir)|pontos? a (?:confirmar|esclarecer)|points? à (?:confirmer|clarifier)|punti da (?:confermare|chiarire)|вопросы к (?:вам|заказчику)|требует уточнения|" +
    "发现|發現|错误|錯誤|エラー|状态|狀態|" +
    "problem(?:a|as|e|i|y|en|er)|probleem|problèmes?|проблем[аы]|conocid[oa]s?|conhecid[oa]s?|connus?|not[io]|bekannte|известные|" +
    "遇到|核心|具体|具體|总体|總體|主な|핵심|principales|principais|principaux|principali|основные|当前|目前|关键|關鍵|主要|项目|專案|任务|計画|计划|的|与|和|及|・|、|の|と|" +
    "목표|목적|배경|개요|위험|질문|결정|가정|제약|요구사항|범위|참고|메모|비고|요약|완료|기록|오류|" +
    "ziele?|hintergrund|risiken|(?:offene )?fragen|entscheidungen|annahmen|notizen|hinweise|überblick|zusammenfassung|anforderungen|" +
    "objetivos?|contexto|riesgos|riscos|preguntas|perguntas|decisiones|decisões|notas|resumen|resumo|alcance|requisitos|" +
    "objectifs?|contexte|risques|décisions|résumé|hypothèses|obiettiv[io]|contesto|rischi|domande|decisioni|note|notities|aantekeningen|anteckningar|notater|noter|muistiinpanot|notatki|poznámky|notlar|ghi chú|catatan|" +
    "цел[ьи]|контекст|риски|вопросы|решения|заметки|примечания|итоги|требования" +
    ")[\\s/&·:：-]*)+$",
)

/** A row of contents: nothing but a link to a heading with the same text. */
const CONTENTS =
  /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+[*_]{0,3}\[.{1,300}\]\(#[^()\s]{0,300}\)[*_]{0,3}[ \t]*$/u

const LEFT_ELSEWHERE = /^(?:任务|任務|计划|計画|项目|專案|目前|当前)+$/u

/**
 * Whether a heading names something beside the work, such as `Risks and open questions`: numbers and states below it do not belong to
 * tasks. A heading that asks for work does not, nor does a numbered one that says more than such words: `2. Add tests`.
 */
export function tellsNoWork(text: string): boolean {
  const words = headingWords(text)
  if (tellsOnlyOfNoWork(text)) return true
  if (!NO_WORK.test(words.replace(REMARK, "")) || HEADING_ASKS.test(words)) return false
  return numberedWords(text) === words
}

/** The same for states below a heading that names only tests: if the heading states its own state, it is work. */
export function tellsNoStates(text: string): boolean {
  const words = headingWords(text)
  return tellsNoWork(text) && (NEVER_WORK.test(words) || ELSEWHERE.test(words))
}

/** Whether a line is a row of contents, `1. [Ground](#ground)`: it says where the work is described. */
export function isContents(line: string): boolean {
  return line.includes("](#") && CONTENTS.test(line)
}

/**
 * Whether most rows of a list ask for something to be done or, unless `isSure`, may do so in a script whose verbs nobody here knows;
 * questions do not.
 */
export function askForWork(rows: readonly string[], isSure = false): boolean {
  if (rows.filter((row) => QUESTION.test(row)).length * 2 > rows.length) return false
  const asks = (row: string) => ROW_ASKS.test(row) || (!isSure && FOREIGN.test(row))
  return rows.filter(asks).length * 2 >= rows.length
}

/** The same, where it is to be made, and not only looked at. */
export function askToMake(rows: readonly string[]): boolean {
  return askForWork(rows.map((row) => (LOOKS.test(row) ? "" : row)))
}

/** Whether such words are all that a heading says: `Overview`, but not `Usage metrics`. */
export function tellsOnlyOfNoWork(text: string): boolean {
  const words = headingWords(text)
  if (ELSEWHERE.test(words) && !LEFT_ELSEWHERE.test(words)) return true
  return ONLY.test(words) && NO_WORK.test(words)
}
