// Plain bullets that are work still to be done, in a plan all of whose boxes are ticked.
import type { Blocks, Heading } from "../blocks/blocks.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { cutLine } from "../model/lines.ts"

/** Headings of what is still to be done. */
const LEFT =
  /^(?:(?:still |what is |what's )?(?:left|remaining|outstanding|pending|upcoming|unfinished|incomplete|todo|to-do|to do)(?![\p{L}\p{N}])|next(?: up| steps?)?(?=$|[ \t]*[([:—–-])|(?:the )?(?:product )?backlog$|not (?:yet )?(?:started|done)|in progress$|doing$|待办|待辦|待完成|未完成|剩余|下一步|未着手|残り|남은)/iu
/** Signs that a row begins with which is left to do. */
const SIGN = /^(?:[⏳⌛🔄🚧🔲⬜☐□❌🔴🟡⏸🔜📋])/u
const BULLET = /^ {0,1}([-*+])[ \t]+(?=[^\s|])/
const INNER = /^(?: {2,8}|\t)[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\[[^[\]]{0,20}\][ \t])?/

/**
 * The indexes of plain bullets at the margin that are left to do: below a heading that says so, such as Remaining, with a
 * sign for it, or with parts that have no box beside bullets whose parts have one.
 */
export function leftRows(
  lines: readonly string[],
  { headings }: Blocks,
  isBeside: (words: string) => boolean,
): ReadonlySet<number> {
  const isBelow = belowLeft(headings)
  const starts = new Set(headings.map(({ index }) => index))
  const found = new Set<number>()
  let groups: Group[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = cutLine(lines[index] ?? "")
    if (starts.has(index)) {
      addWithout(found, groups)
      groups = []
    }
    const isLeft = isBelow(index)
    const prefix = BULLET.exec(line)?.[0]
    if (prefix === undefined) {
      addPart(groups.at(-1), line)
      continue
    }
    const words = line.slice(prefix.length)
    if (isLeft || SIGN.test(words)) found.add(index)
    if (!isBeside(words)) groups.push({ index, hasPart: false, hasBox: false })
  }
  addWithout(found, groups)
  return found
}

/** Tells of ascending lines whether they stand below a heading of what is left; the plan's title is none. */
function belowLeft(headings: readonly Heading[]): (index: number) => boolean {
  const isTitled = headings.filter(({ level }) => level === 1).length === 1
  const saysLeft = ({ level, text }: Heading) =>
    !(isTitled && level === 1) && LEFT.test(headingWords(text))
  const levelAfter = (from: number, heading: Heading) => {
    const outer = heading.level <= from ? 0 : from
    return outer === 0 && saysLeft(heading) ? heading.level : outer
  }
  let at = 0
  let from = 0
  return (index) => {
    for (; (headings[at]?.index ?? Number.POSITIVE_INFINITY) <= index; at++) {
      const heading = headings[at]
      if (heading !== undefined) from = levelAfter(from, heading)
    }
    return from > 0
  }
}

/** A bullet at the margin, and what stands nested below it. */
interface Group {
  readonly index: number
  hasPart: boolean
  hasBox: boolean
}

function addPart(group: Group | undefined, line: string): void {
  const inner = group === undefined ? null : INNER.exec(line)
  if (group === undefined || inner === null) return
  group.hasPart = true
  group.hasBox ||= inner[1] !== undefined
}

function addWithout(found: Set<number>, groups: readonly Group[]): void {
  if (!groups.some(({ hasBox }) => hasBox)) return
  for (const { index, hasPart, hasBox } of groups) if (hasPart && !hasBox) found.add(index)
}
