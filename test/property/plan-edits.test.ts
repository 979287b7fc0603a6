import { expect, test } from "bun:test"
import fc from "fast-check"
import { matchTasks } from "../../src/plan/match-tasks.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** A row as a person keeps it in mind while editing: `id` never changes, the rest may. */
interface Row {
  readonly id: number
  readonly label: number
  readonly title: string
}

type Edit = (rows: readonly Row[], place: number) => readonly Row[]

const edits: Record<string, Edit> = {
  insert: (rows, place) => {
    const id = Math.max(0, ...rows.map((row) => row.id)) + 1
    return rows.toSpliced(place, 0, { id, label: 100 + id, title: `title ${id}` })
  },
  remove: (rows, place) => rows.toSpliced(place % Math.max(1, rows.length), 1),
  reword: (rows, place) =>
    rows.map((row, at) =>
      at === place % rows.length ? { ...row, title: `${row.title} anew` } : row,
    ),
  move: (rows, place) => [...rows.slice(place), ...rows.slice(0, place)],
  renumber: (rows) => rows.map((row, at) => ({ ...row, label: at + 1 })),
}

const START: readonly Row[] = [1, 2, 3, 4, 5].map((id) => ({ id, label: id, title: `title ${id}` }))
const script = fc.array(fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(6)), {
  maxLength: 8,
})

test("after any edits unchanged tasks keep their keys, and what was moved is said", () => {
  fc.assert(
    fc.property(script, (steps) => {
      const rows = steps.reduce((now, [name, place]) => edits[name]?.(now, place) ?? now, START)
      const matches = matchTasks(planOf(START).tasks, planOf(rows))
      expect<string[]>(matches.map(({ kind }) => kind)).toEqual(
        START.map((row) => expected(row, rows)),
      )
      for (const match of matches) {
        if (match.kind === "same") expect(match.task.key).toBe(match.known.key)
        if (match.kind === "moved") expect(match.task.title).toBe(match.known.title)
      }
    }),
    { numRuns: 2_000 },
  )
})

/** Told from the rows' ids, which the plan's text does not show. */
function expected(row: Row, rows: readonly Row[]): string {
  const now = rows.find(({ title }) => title === row.title)
  if (now !== undefined) return now.label === row.label ? "same" : "moved"
  const heir = rows.find(({ label }) => label === row.label)
  if (heir === undefined) return "gone"
  return START.some(({ title }) => title === heir.title) ? "gone" : "retitled"
}

function planOf(rows: readonly Row[]) {
  const lines = rows.map(({ label, title }) => `- [ ] ${label}. ${title}`)
  return parsePlan(`## TODOs\n${lines.join("\n")}`)
}
