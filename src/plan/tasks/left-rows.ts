// Plain bullets that are work still to be done, in a plan all of whose boxes are ticked.
import {
  type Blocks,
  filledHeadings,
  type Heading,
  headingReader,
  placeOf,
} from "../blocks/blocks.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { tellsBesideWork, tellsOfWork } from "../dialects/heading-roles.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { askForWork, forbid } from "../dialects/no-work.ts"
import { COMMON_SECTIONS } from "../dialects/section-rules.ts"
import { isNamedUnit } from "../dialects/unit-names.ts"
import { headingsOfLeft } from "../headings/empty-headings.ts"
import { countedBy } from "../headings/named-headings.ts"
import { saysNothing } from "../model/blocked-words.ts"
import { cutLine } from "../model/lines.ts"
import { saysDone } from "../model/title.ts"

const BULLET = /^ {0,1}([-*+])[ \t]+(?=[^\s|])/
/** `code`: words, **Name**: words, name: `code`, and a word that leads to what stands below it. */
const DEFINES =
  /^(?:`[^`]{1,80}`|\*\*[^*]{1,80}\*\*)(?:[:：]|[ \t]{1,4}[—–-][ \t])|^\*\*[^*]{1,80}[:：]\*\*|^[^`:：]{1,60}[:：][ \t]*(?:`[^`]{1,80}`[ \t,、，]{0,3}){1,9}$|^[*_]{0,2}\p{L}{1,20}[:：][*_]{0,2}$/u

/**
 * The indexes of plain bullets at the margin that are left to do: right below a heading that says so, such as Remaining, with a
 * sign for it, or below a heading without any box beside others that have some: `### Frontend` beside `### Backend`; beside `## Tasks` only where most ask for something to be done.
 */
export function leftRows(
  lines: readonly string[],
  { headings, rows }: Blocks,
): ReadonlySet<number> {
  const areas = areasWithout({ headings, rows })
  // A unit's bullets may tell how it stands, also below what is left.
  const isUnit = (index: number) => areas.get(index)?.isUnit === true
  const left = new Set([...headingsOfLeft(headings)].filter((index) => !isUnit(index)))
  const above = headingReader(headings)
  const isLeft = (bullet: Bullet) => {
    const heading = above(bullet.index)?.index ?? -1
    if (showsLeft(bullet.words)) return true
    if (left.has(heading)) return !saysNothing(bullet.words)
    areas.get(heading)?.bullets.push(bullet)
    return false
  }
  const found = new Set<number>()
  for (let index = 0; index < lines.length; index++) {
    const line = cutLine(lines[index] ?? "")
    const prefix = BULLET.exec(line)?.[0]
    if (prefix !== undefined && isLeft({ index, words: line.slice(prefix.length) }))
      found.add(index)
  }
  for (const index of [...areas.values()].flatMap(bulletsOfWork)) found.add(index)
  return found
}

interface Bullet {
  readonly index: number
  readonly words: string
}

/** A heading without a box beside some that hold boxes. */
interface Area {
  /** Whether those are headings of tasks: they hold the work, and this one is none of their kind. */
  readonly isBesideTasks: boolean
  /** It is a unit itself, `Task 3: Title`, which is said to have no box where its bullets are no work. */
  readonly isUnit: boolean
  readonly bullets: Bullet[]
}

/** Of its bullets those that may be work: none that says what something is. */
function bulletsOfWork({ isBesideTasks, bullets }: Area): readonly number[] {
  const texts = bullets.map(({ words }) => words)
  const areDefined = texts.filter((each) => DEFINES.test(each)).length * 2 > texts.length
  if (areDefined || forbid(texts) || (isBesideTasks && !askForWork(texts, true))) return []
  return bullets.flatMap(({ index, words }) =>
    saysNothing(words) || saysDone(words) || DEFINES.test(words) ? [] : [index],
  )
}

/** Headings of what a plan is about, beside those that name its work. */
const ABOUT =
  /(?<![\p{L}\p{N}])(?:files?|stack|tech(?:nolog(?:y|ies))?|architecture|structure|layout|resources?|links?|errors?|why|what|how|motivation|rationale|design|spec(?:s|ification)?|metrics?|timeline|schedule|team|owners?|stakeholders?|tools?|environment|config(?:uration)?|prerequisites?|deliverables?|outputs?|results?|outcomes?|status|state|progress|checkpoints?|logs?|journal|lessons?|learnings?|reviews?|retrospectives?|glossary|terms?|terminology|key|benefits?|impact|users?|audience|endpoints?|about|introduction|description|appendix|updates?|legend|implemented|shipped|stats|statistics|sources?|credits?|license|contact|version|releases?)(?![\p{L}\p{N}])|^(?:进度|進度|进展|進捗)(?:跟踪|追踪|追跡|记录|記録)?$|^(?:改动|修改|变更|新增|相关|涉及|關聯|変更)(?:的)?(?:文件|檔案|ファイル)(?:清单|列表|一览|一覧)?$/iu

/** Headings without a box beside as many others, below one and the same heading, that hold some. */
function areasWithout({
  headings,
  rows,
}: Pick<Blocks, "headings" | "rows">): ReadonlyMap<number, Area> {
  const holding = filledHeadings(headings, rows)
  const groups = new Map<string, { readonly filled: Heading[]; readonly empty: Heading[] }>()
  for (const [order, heading] of headings.entries()) {
    const { index, level, text, isRow } = heading
    const isAbout = tellsBesideWork(text) || ABOUT.test(headingWords(text)) || saysDone(text)
    if (level === 1 || isRow || isAbout) continue
    const group = groups.get(placeOf(heading)) ?? { filled: [], empty: [] }
    groups.set(placeOf(heading), group)
    if (holding.has(index)) group.filled.push(heading)
    else if (headings[order + 1]?.parent !== index) group.empty.push(heading)
  }
  return new Map(
    [...groups.values()].flatMap(({ filled, empty }) => {
      if (filled.length === 0 || filled.length < empty.length) return []
      const isBesideTasks = filled.filter(holdsTasks).length * 2 > filled.length
      return empty.map(({ index, text }) => {
        return [index, { isBesideTasks, isUnit: isNamedUnit(text), bullets: [] }] as const
      })
    }),
  )
}

/** Whether a heading says that it holds the tasks, `Tasks` or `Phase 1`, and not what they are about. */
function holdsTasks({ text }: Heading): boolean {
  const words = headingWords(text)
  const isCounted = countedBy(text) !== undefined
  return isCounted || tellsOfWork(text) || COMMON_SECTIONS.some((each) => each.heading.test(words))
}
