// Headings that tell more of the task of an earlier row: both bear its name.
import type { Heading, Row } from "../blocks/blocks.ts"
import { type Labelled, splitLabel } from "../dialects/label.ts"
import { hashTitle } from "../model/title.ts"

/** A heading that names a task, and the rows below it that no other such heading is nearer to. */
export interface Named {
  readonly heading: Heading
  readonly kind: string
  readonly labelled: Labelled
  readonly rows: Row[]
  isGroup: boolean
}

/** The words for a task in the languages that plans were met in. */
export const NAME =
  /^(?:(?:user[ \t]+)?(task|story|milestone|stage|phase|tarea|tarefa|tâche|aufgabe|задача)s?(?:[ \t]+|-)|(任务|任務|タスク|작업|태스크)[ \t]*)#?((?:[A-Z]{1,4}[.-]?)?\d{1,9}(?:[.–-]\d{1,9})*[a-z]?)(?![\p{L}\p{N}])[ \t]*(?:[.):：—–|-]+(?=\s|$|\P{ASCII}))?/iu

/** The word and number that a heading is known by. */
export function nameKey({ kind, labelled }: Named): string {
  return `${kind} ${labelled.label?.toLowerCase()}`
}

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
