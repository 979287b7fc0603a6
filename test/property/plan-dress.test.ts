import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { scanBlocks } from "../../src/plan/blocks/scan-blocks.ts"
import { readFrontMatter } from "../../src/plan/data/front-matter.ts"
import { splitLines } from "../../src/plan/model/lines.ts"
import type { ParseOptions } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { addLikeliest } from "../support/likeliest-boxes.ts"

/**
 * How a plan is dressed changes nothing: each fixture reads the same with other line ends, bullets and blanks, with emoji and
 * emphasis around its headings, with other prose around it, and one level deeper.
 */

/** A line of a changed plan, and which line of the plan it was; 0 for one that is new. */
interface Line {
  readonly text: string
  readonly from: number
}

interface Fixture {
  readonly name: string
  readonly text: string
  readonly options: ParseOptions
}

/** What a change may look at: the lines, which of them hold structure, and the headings with `#` before their words. */
interface Shown {
  readonly lines: readonly Line[]
  readonly front: number
  readonly isMasked: (line: number) => boolean
  readonly headings: ReadonlyMap<number, { readonly level: number; readonly hasBox: boolean }>
  readonly rows: ReadonlySet<number>
  /** Whether all of it stands below a title, and may stand one level deeper. */
  readonly isBelowTitle: boolean
  /** The line before which new sections may stand: behind the title and its own words. */
  readonly below: number
}

const ROOT = join(import.meta.dir, "../fixtures/plans")
const HEADING = /^( {0,3}#{1,6}[ \t]+)(\S.*?)([ \t]*)$/
const BOX = /\[[^\]]{0,12}\]/

const fixtures: readonly Fixture[] = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => {
    const options = join(ROOT, name.replace(/\.md$/, ".options.json"))
    const known = existsSync(options) ? JSON.parse(readFileSync(options, "utf8")) : {}
    return { name, text: readFileSync(join(ROOT, name), "utf8"), options: { path: name, ...known } }
  })

const insert = (lines: readonly Line[], at: number, block: readonly string[]) =>
  lines.toSpliced(at, 0, ...["", ...block, ""].map((text) => ({ text, from: 0 })))

const onHeadings =
  (change: (start: string, words: string) => string) =>
  ({ lines, headings }: Shown): readonly Line[] =>
    lines.map((line) => {
      const [, start, words] = HEADING.exec(line.text) ?? []
      const isMeant = headings.get(line.from)?.hasBox === false
      return isMeant && start !== undefined && words !== undefined
        ? { ...line, text: change(start, words) }
        : line
    })

const changes: Readonly<Record<string, (shown: Shown) => readonly Line[] | null>> = {
  "stars for bullets": ({ lines, isMasked }) =>
    lines.map((line) =>
      isMasked(line.from) ? line : { ...line, text: line.text.replace(/^(\s*)- (?=\S)/, "$1* ") },
    ),
  "blanks at the ends of lines": ({ lines, isMasked }) =>
    lines.map((line) =>
      isMasked(line.from) || line.text === "" ? line : { ...line, text: `${line.text}  ` },
    ),
  "emoji before headings": onHeadings((start, words) => `${start}🚀 ${words}`),
  "emoji behind headings": onHeadings((start, words) => `${start}${words} 🚀`),
  "bold headings": onHeadings((start, words) =>
    /[*`~]/.test(words) ? start + words : `${start}**${words}**`,
  ),
  "a colon behind headings": onHeadings((start, words) => `${start}${words.replace(/:$/, "")}:`),
  "closed headings": onHeadings((start, words) => `${start}${words.replace(/[ \t]#+$/, "")} ##`),
  "one level deeper": (shown) =>
    shown.isBelowTitle
      ? shown.lines.map((line) =>
          shown.headings.has(line.from) ? { ...line, text: `#${line.text}` } : line,
        )
      : null,
  "blank lines between rows": ({ lines, rows }) =>
    lines.flatMap((line) =>
      rows.has(line.from) && rows.has(line.from - 1) ? [{ text: "", from: 0 }, line] : [line],
    ),
  "a comment in front": ({ lines, front }) => insert(lines, front, ["<!-- by hand -->"]),
  "an overview in front": ({ lines, below }) =>
    insert(lines, below, ["## Overview", "", "What is built, and why. All have agreed on it."]),
  "links to its headings in front": ({ lines, below, headings }) => {
    const links = [...headings.keys()].slice(1).map((line) => `${line}. [Part ${line}](#${line})`)
    return insert(lines, below, ["## Contents", "", ...links])
  },
  "notes behind": ({ lines }) =>
    insert(lines, lines.length, ["## Notes", "", "More of it is in the wiki."]),
}

/** Each fixture with its reading, made once for all changes. */
const read = fixtures.map((fixture) => ({
  fixture,
  shown: shownOf(fixture.text),
  reading: readingOf(fixture, (line) => line),
}))

test.each(Object.keys(changes))("%s", (change) => {
  for (const { fixture, shown, reading } of read) {
    const changed = changes[change]?.(shown)
    if (changed == null) continue
    const text = changed.map((line) => line.text).join("\n")
    const from = (line: number) => changed[line - 1]?.from ?? 0
    expect({ [fixture.name]: readingOf({ ...fixture, text }, from) }).toEqual({
      [fixture.name]: reading,
    })
  }
})

function readingOf({ text, options }: Fixture, from: (line: number) => number) {
  const plan = parsePlan(text, options)
  const boxes = addLikeliest(text, options.path ?? "")
  return [
    plan.dialect,
    plan.state,
    plan.tasks.map(({ line, state, label, optional, runnable }) =>
      [from(line), state, label, optional, runnable].join(" "),
    ),
    plan.subItems.map(({ line, state }) => `${from(line)} ${state}`),
    plan.ignored.map(({ line, reason }) => `${from(line)} ${sameReason(reason)}`),
    plan.warnings.map(({ line, rule }) => `${line > 1 ? from(line) : "-"} ${rule}`).sort(),
    boxes.ok ? boxes.added.map(({ line }) => from(line)) : boxes.message,
  ]
}

/** A list below a label Legend is left out by either rule. */
function sameReason(reason: string): string {
  return reason === "legend" ? "ignored-heading" : reason
}

function shownOf(text: string): Shown {
  const split = splitLines(text)
  const front = readFrontMatter(split)
  const blocks = scanBlocks(front.lines, front.lineCount)
  const masked = new Set(
    blocks.masks.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at + 1),
    ),
  )
  const [first, ...others] = blocks.headings
  const isTitled = first?.level === 1 && !first.isRow
  const end = others[0]?.index ?? 0
  const isAlone = others.every(({ level }) => level > 1 && level < 6)
  return {
    lines: split.map((line, index) => ({ text: line, from: index + 1 })),
    front: front.lineCount,
    isMasked: (line) => line <= front.lineCount || masked.has(line),
    headings: new Map(
      blocks.headings.map(({ index, level }) => [
        index + 1,
        { level, hasBox: BOX.test(split[index] ?? "") },
      ]),
    ),
    rows: new Set(
      blocks.rows.flatMap(({ kind, quoted, index }) =>
        kind === "list" && !quoted ? [index + 1] : [],
      ),
    ),
    isBelowTitle: isTitled && isAlone && (blocks.rows[0]?.index ?? end) >= end && end > 0,
    below: isTitled ? (others[0]?.index ?? split.length) : front.lineCount,
  }
}
