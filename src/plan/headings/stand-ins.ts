// Headings that tell more of the task of an earlier row: both bear its name.
import type { Row } from "../blocks/blocks.ts"
import { splitLabel } from "../dialects/label.ts"
import { hashTitle } from "../model/title.ts"
import { NAME, type Named, nameKey } from "./named-headings.ts"

/** By the heading's line, the earlier row of the same name, which stands below none of the headings. */
export function findStandIns(
  named: readonly Named[],
  rows: readonly Row[],
): ReadonlyMap<number, Row> {
  const byName = rowsByName(named, rows)
  const found = new Map<number, Row>()
  for (const each of named) {
    const { rest, label } = each.labelled
    const row =
      byName.get(nameKey(each)) ?? byName.get(`${label?.toLowerCase()} ${hashTitle(rest)}`)
    if (row !== undefined && row.index < each.heading.index) found.set(each.heading.index, row)
  }
  return found
}

/** Rows that stand below none of the headings, each by the names that it may have. */
function rowsByName(named: readonly Named[], rows: readonly Row[]): ReadonlyMap<string, Row> {
  const below = new Set(named.flatMap((each) => each.rows))
  const byName = new Map<string, Row>()
  for (const row of rows) {
    if (row.parent !== null || below.has(row)) continue
    for (const name of namesOf(row)) if (!byName.has(name)) byName.set(name, row)
  }
  return byName
}

/** `Task 3: Title` is named by its word and number, `3. Title` by its number and title. */
function namesOf({ box, ordinal }: Row): readonly string[] {
  const [, kind = "task", , number] = NAME.exec(box.text.replace(/^[*_~`]+/, "")) ?? []
  if (number !== undefined) return [`${kind} ${number}`.toLowerCase()]
  const { label, rest } = splitLabel(box.text)
  const id = label ?? ordinal
  return id === null ? [] : [`${id.toLowerCase()} ${hashTitle(rest)}`]
}
