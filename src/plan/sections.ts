import type { Blocks, Heading, Row } from "./blocks.ts"
import type { Dialect } from "./dialects.ts"
import type { Section } from "./plan.ts"
import { COMMON_SECTIONS, IGNORED_HEADING, type SectionRule } from "./section-rules.ts"

/** Where a row stands. */
export interface Place {
  readonly section: Section | "ignored" | null
  readonly heading: Heading | null
}

/** The place of each row, and whether the plan's own sections turned out to hold no task. */
export interface Places {
  readonly of: ReadonlyMap<Row, Place>
  readonly areSectionsEmpty: boolean
}

interface Opened {
  readonly level: number
  readonly section: Section | "ignored"
}

const MAX_SECTION_LEVEL = 3
const DECORATION = /^[^\p{L}\p{N}]+/u
const NUMBERING = /^\d+(?:\.\d+)*[.)][ \t]+/

/**
 * Finds each row's section: first by the dialect's own headings; if no task stands there, by those
 * of any dialect; if none there either, every row counts (plan-formats rule 4). Rows below headings
 * such as Definition of Done never do.
 */
export function placeRows(blocks: Blocks, dialect: Dialect): Places {
  let areSectionsEmpty = false
  for (const rules of [dialect.sections, COMMON_SECTIONS]) {
    const opened = blocks.headings.map((heading) => ruleFor(heading, rules, 1))
    if (opened.every((rule) => rule === null)) continue
    const of = place(blocks, rules, null)
    if (hasTask(of)) return { of, areSectionsEmpty }
    areSectionsEmpty ||= opened.some(isMain) && blocks.rows.length > 0
  }
  return { of: place(blocks, [...dialect.sections, ...COMMON_SECTIONS], "task"), areSectionsEmpty }
}

/** The heading's words without decoration: emoji, numbers, emphasis. */
function headingWords(heading: Heading): string {
  return heading.text.replaceAll("**", "").replace(DECORATION, "").replace(NUMBERING, "")
}

function isMain(rule: SectionRule | null): boolean {
  return rule !== null && rule.section !== "final-wave"
}

function hasTask(of: ReadonlyMap<Row, Place>): boolean {
  return [...of.values()].some(({ section }) => section === "todo" || section === "task")
}

function place(blocks: Blocks, rules: readonly SectionRule[], outside: "task" | null) {
  const minLevel = blocks.headings.some((heading) => ruleFor(heading, rules, 2) !== null) ? 2 : 1
  const of = new Map<Row, Place>()
  const opened: Opened[] = []
  let here: Place = { section: outside, heading: null }
  let at = 0
  for (const row of blocks.rows) {
    for (; at < blocks.headings.length; at++) {
      const next = blocks.headings[at]
      if (next === undefined || next.index > row.index) break
      if (next.index === row.index) continue
      open(opened, next, ruleFor(next, rules, minLevel))
      here = { section: opened.at(-1)?.section ?? outside, heading: next }
    }
    of.set(row, here)
  }
  return of
}

function open(opened: Opened[], heading: Heading, rule: SectionRule | null): void {
  const { level } = heading
  while ((opened.at(-1)?.level ?? 0) >= level) opened.pop()
  const outer = opened.at(-1)?.section
  if (outer === "ignored") return
  if (IGNORED_HEADING.test(headingWords(heading))) opened.push({ level, section: "ignored" })
  else if (rule === null) return
  else if (outer === undefined || rule.section === "final-wave") {
    opened.push({ level, section: rule.section })
  }
}

function ruleFor(
  heading: Heading,
  rules: readonly SectionRule[],
  minLevel: number,
): SectionRule | null {
  if (heading.isRow || heading.level < minLevel || heading.level > MAX_SECTION_LEVEL) return null
  const plain = heading.text.replaceAll("**", "").replace(DECORATION, "")
  const words = headingWords(heading)
  return rules.find((rule) => rule.heading.test(plain) || rule.heading.test(words)) ?? null
}
