// Lines that are nothing but a bold label with the name of an ignored heading: `**Acceptance criteria:**`.
import { type Blocks, type Mask, maskReader } from "../blocks/blocks.ts"
import { headingWords } from "../dialects/heading-words.ts"
import type { SectionRule } from "../dialects/section-rules.ts"
import { labelOn, rowsBelowLabel } from "./criteria-labels.ts"

/** What stands below such a label, up to the next heading, thematic break or label of another name. */
export interface LabelStretch extends Pick<Mask, "from" | "to"> {
  /** The label's words. */
  readonly text: string
}

/**
 * What stands below labels whose rows are never tasks, as below a heading of that name; a name that the dialect's own
 * sections have is none. `bold` are the indexes of the lines that begin with bold words.
 */
export function ignoredLabels(
  lines: readonly string[],
  bold: readonly number[],
  { headings, breaks, masks }: Blocks,
  sections: readonly SectionRule[],
): readonly LabelStretch[] {
  const isMasked = maskReader(masks)
  const labels = bold.flatMap((index) => {
    const text = isMasked(index) ? null : labelOn(lines[index] ?? "")
    return text === null ? [] : [{ index, text }]
  })
  if (!labels.some(({ text }) => isIgnored(text, sections))) return []
  const ends = [...headings, ...labels].map(({ index }) => index)
  const sorted = [...ends, ...breaks].sort((one, other) => one - other)
  let at = 0
  return labels.flatMap(({ index, text }) => {
    while ((sorted[at] ?? lines.length) <= index) at++
    const to = (sorted[at] ?? lines.length) - 1
    return isIgnored(text, sections) ? [{ from: index + 1, to, text }] : []
  })
}

function isIgnored(label: string, sections: readonly SectionRule[]): boolean {
  const words = headingWords(label)
  const isKept = sections.some((rule) => rule.isNeverIgnored && rule.heading.test(words))
  return !isKept && rowsBelowLabel(label) === "never"
}
