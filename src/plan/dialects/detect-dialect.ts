// Finds the dialect by option, front matter, path or content.
import type { Blocks } from "../blocks/blocks.ts"
import { BARE_BOXES, DIALECTS, type Dialect, dialectOf, type Signal } from "./dialects.ts"
import { numberedWords } from "./heading-words.ts"
import { splitLabel } from "./label.ts"

interface DialectClues {
  readonly text: string
  readonly blocks: Blocks
  /** Its rows have no list marks. */
  readonly hasBareRows: boolean
  readonly wanted: string | undefined
  readonly path: string | undefined
  readonly frontMatter: Readonly<Record<string, unknown>>
}

export interface DialectChoice {
  readonly dialect: Dialect
  readonly evidence: string
}

/** Enough to recognise a plan's style; a long plan goes on in the same one. */
const SAMPLE_ROWS = 200
const SAMPLE_TEXT = 100_000
const MIN_WEIGHT = 2

/** The dialect by option, front matter, path or content, in this order. */
export function detectDialect(clues: DialectClues): DialectChoice {
  return byOption(clues) ?? byFrontMatter(clues) ?? byPath(clues) ?? byContent(clues)
}

function byOption({ wanted }: DialectClues): DialectChoice | null {
  const dialect = DIALECTS.find(({ name }) => name === wanted)
  return dialect === undefined ? null : { dialect, evidence: "named by option" }
}

function byFrontMatter({ frontMatter }: DialectClues): DialectChoice | null {
  const named = DIALECTS.find(({ name }) => name === frontMatter["dialect"])
  if (named !== undefined) return { dialect: named, evidence: "named in the front matter" }
  const dialect = DIALECTS.find(
    ({ frontMatterKeys: keys }) =>
      keys.length > 0 && keys.every((key) => Object.hasOwn(frontMatter, key)),
  )
  if (dialect === undefined) return null
  return { dialect, evidence: `front matter with ${dialect.frontMatterKeys.join(" and ")}` }
}

function byPath({ path }: DialectClues): DialectChoice | null {
  if (path === undefined) return null
  const plain = path.replaceAll("\\", "/")
  const dialect = DIALECTS.find((candidate) => candidate.path?.test(plain))
  return dialect === undefined ? null : { dialect, evidence: `the path ${plain}` }
}

function byContent(clues: DialectClues): DialectChoice {
  const heard = listen(clues)
  const scored = DIALECTS.map((dialect) => {
    const signals = dialect.signals.filter((signal) => heard(signal))
    return { dialect, signals, weight: signals.reduce((sum, { weight }) => sum + weight, 0) }
  })
  const best = Math.max(...scored.map(({ weight }) => weight))
  const first = scored.filter(({ weight }) => weight === best)
  const [only] = first
  if (best < MIN_WEIGHT || only === undefined) {
    return clues.hasBareRows
      ? { dialect: dialectOf(BARE_BOXES), evidence: "boxes that stand in no list" }
      : { dialect: dialectOf(undefined), evidence: "no sign of another format" }
  }
  if (first.length > 1) {
    const names = first.map(({ dialect }) => dialect.name).join(" and ")
    return { dialect: dialectOf(undefined), evidence: `${names} are equally likely` }
  }
  return { dialect: only.dialect, evidence: only.signals.map(({ says }) => says).join(", ") }
}

function listen({ text, blocks }: DialectClues): (signal: Signal) => boolean {
  const sample = text.slice(0, SAMPLE_TEXT)
  const headings = blocks.headings
    .slice(0, SAMPLE_ROWS)
    .map(({ level, text: heading }) => `${"#".repeat(level)} ${numberedWords(heading)}`)
  const labels = blocks.rows
    .slice(0, SAMPLE_ROWS)
    .map(({ box }) => splitLabel(box.text).label ?? "")
  return ({ on, pattern }) => {
    if (on === "text") return pattern.test(sample)
    return (on === "heading" ? headings : labels).some((line) => pattern.test(line))
  }
}
