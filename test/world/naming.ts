// Makes the words in which a model's call names a task: well, badly, or not at all.
import type { Naming } from "./ledger.ts"
import { keyOf, type Row, rowsOf } from "./world-plan.ts"

/** The words of a call, and what they name in any plan that they are read against. */
export interface Words {
  readonly how: string
  readonly description: string
  readonly prompt: string
  readonly naming: Naming
  /** Whether the description names nothing. Then a session that the call resumes comes before the prompt. */
  readonly isSilent?: boolean
  /** Whether a reader may take it as naming no task. */
  readonly isDoubtful?: boolean
}

/**
 * `had`: the row as it was when the model read the plan; its key may belong to another row by now. `told`: the row as it was last told, if
 * its key must be said alone.
 */
type Say = (row: Row, other: Row, had: Row, told: Row | null) => Omit<Words, "how">

const NOBODY: Naming = () => null
const byKey =
  (key: string): Naming =>
  (plan) =>
    only(rowsOf(plan).filter((row) => keyOf(row) === key))
/** By a bare key that was told for this title. It means no other row. */
const byKeyOf =
  (key: string, title: string): Naming =>
  (plan) =>
    only(rowsOf(plan).filter((row) => keyOf(row) === key && row.title === title))
/** By a key with a title after it. If the title is another row's, and has more than one word, both are named. */
const byKeyAndTitle =
  (key: string, title: string): Naming =>
  (plan) => {
    const rows = rowsOf(plan)
    const keyed = rows.filter((row) => keyOf(row) === key)
    const titled = rows.filter((row) => row.title === title && title.includes(" "))
    const isOwn = titled.length === 0 || keyed.some((row) => titled.includes(row))
    return only(isOwn ? keyed : [...keyed, ...titled])
  }
const byTitle =
  (title: string): Naming =>
  (plan) =>
    only(rowsOf(plan).filter((row) => row.title === title))

function only(rows: readonly Row[]): string | null {
  return rows.length === 1 ? (rows[0]?.title ?? null) : null
}

/** Ways that name the task, as the plugin's texts ask for. */
const GOOD: Readonly<Record<string, Say>> = {
  "by its key": (row, _, had, told) => ({
    description: told === null ? `${keyOf(had)} ${row.title}` : keyOf(told),
    prompt: "Do it.",
    isDoubtful: had !== row || told !== null,
    naming: told === null ? byKeyAndTitle(keyOf(had), row.title) : byKeyOf(keyOf(told), row.title),
  }),
  "by its label": (row) => ({
    description: row.isOfWave ? `${row.label} review` : `Task ${row.label}`,
    prompt: "Do it.",
    naming: byKey(keyOf(row)),
  }),
  "by its title": (row) => ({
    description: row.title,
    prompt: "Do it.",
    naming: byTitle(row.title),
  }),
  "by its key, in the prompt": (row) => ({
    description: "Do the next thing",
    prompt: `Work on ${keyOf(row)}.`,
    naming: byKey(keyOf(row)),
    isSilent: true,
  }),
}

/** Ways that name no task, or several. */
const BAD: Readonly<Record<string, Say>> = {
  "not at all": () => ({
    description: "Write the missing tests",
    prompt: "Cover what is not covered.",
    naming: NOBODY,
    isSilent: true,
  }),
  "by words that hold its title": ({ title }) => ({
    description: `Undo the re${title.replaceAll("`", "").toLowerCase()}ing`,
    prompt: "Check the requirements of the quitest builds.",
    naming: NOBODY,
    isSilent: true,
  }),
  "together with another": (row, other) => ({
    description: `${keyOf(row)} and ${keyOf(other)}`,
    prompt: "Do both.",
    isDoubtful: true,
    naming: (plan) => {
      const keys = new Set([keyOf(row), keyOf(other)])
      return only(rowsOf(plan).filter((one) => keys.has(keyOf(one))))
    },
  }),
  "by its key and another's label": (row, other) => ({
    description: `${keyOf(row)} and ${other.isOfWave ? "" : "Task "}${other.label}`,
    prompt: "Do both.",
    isDoubtful: true,
    naming: (plan) => {
      const keys = new Set([keyOf(row), keyOf(other)])
      return only(rowsOf(plan).filter((one) => keys.has(keyOf(one))))
    },
  }),
  "by its key and another's title": (row, other) => ({
    description: `${keyOf(row)} and ${other.title}`,
    prompt: "Do both.",
    isDoubtful: true,
    naming: (plan) =>
      only(
        rowsOf(plan).filter(
          (one) =>
            keyOf(one) === keyOf(row) || (one.title === other.title && one.title.includes(" ")),
        ),
      ),
  }),
  "by its number and another's title": (row, other) => ({
    description: `${row.label}. ${other.title}`,
    prompt: "Do it.",
    isDoubtful: true,
    naming: (plan) => {
      const rows = rowsOf(plan).filter(({ label }) => label === row.label)
      // A one-word title is said in passing too often to count beside a label.
      const isSaid = other.title.includes(" ")
      return only(isSaid ? rows.filter(({ title }) => title === other.title) : rows)
    },
  }),
}

/** The row beside which it is named, and the row as it was when it was read. */
interface Beside {
  readonly other: Row | undefined
  readonly had: Row
  readonly told: Row | null
}

/** The words for a row. `at` chooses among the ways. Without another row only some of the bad ways are possible. */
export function wordsFor(row: Row, { other, had, told }: Beside, at: number, well: boolean): Words {
  const ways = Object.entries(well ? GOOD : BAD)
  const usable = other === undefined && !well ? ways.slice(0, 2) : ways
  const [how, say] = usable[at % usable.length] ?? ["not at all", BAD["not at all"]]
  const none = { description: "", prompt: "", naming: NOBODY }
  return { how, ...(say?.(row, other ?? row, had, told) ?? none) }
}
