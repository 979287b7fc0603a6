// The plan of a world, as a person and a model see it: rows with labels and titles.

/** A row of the plan with a box. */
export interface Row {
  readonly line: number
  readonly state: "open" | "done" | "blocked"
  readonly label: string
  readonly title: string
  readonly isOfWave: boolean
}

export const FOLDER = ".boulder/plans"
export const NAME = "demo.md"
export const PLAN = `${FOLDER}/${NAME}`
/** The plan under another name. */
export const RENAMED = `${FOLDER}/renamed.md`
/** The second plan of a world that has two. */
export const SIDE = `${FOLDER}/side.md`
export const SIDE_TEXT = "# Side\n\n## TODOs\n\n- [ ] 1. Paint the shed\n- [ ] 2. Oil the gate\n"

/** Some titles occur inside other words, so that words can look like names without being any. */
const TITLES = [
  "Add `foo` route",
  "UI",
  "Rate limits",
  "Build the database",
  "Test",
  "Rate limits for guests",
  "Write the parser",
  "Bring up the mail server",
] as const
const REVIEWS = ["Plan compliance", "Code quality"] as const
const ADDED = ["Clean the cache", "Sort the imports", "Rename the flags", "Draw the logo"] as const

const DETAILS = "\n  It says what it does, as the others do, and ends with a line of its own."
const LINES_OF_A_PAGE = 40

/** A plan with this many tasks and reviews. `isWordy`: each task has a page of details. */
export function planText(tasks: number, reviews: number, isWordy = false): string {
  const details = isWordy ? DETAILS.repeat(LINES_OF_A_PAGE) : ""
  const rows = TITLES.slice(0, tasks).map((title, at) => `- [ ] ${at + 1}. ${title}${details}`)
  const wave = REVIEWS.slice(0, reviews).map((title, at) => `- [ ] F${at + 1}. ${title}`)
  const last = wave.length === 0 ? "" : `\n## Final Verification Wave\n\n${wave.join("\n")}\n`
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n${last}`
}

const ROW = /^- \[(.)\] ([0-9A-Z]+)\. (.*?)\r?$/

/** The rows of a plan's text, whoever has written it. */
export function rowsOf(text: string): readonly Row[] {
  return text.split("\n").flatMap((content, line) => {
    const [, box, label = "", title = ""] = ROW.exec(content) ?? []
    if (box === undefined) return []
    const state = box === "x" ? "done" : box === " " ? "open" : "blocked"
    return [{ line, state, label, title, isOfWave: label.startsWith("F") } as const]
  })
}

/** The key under which the plugin knows a row. */
export function keyOf({ label, isOfWave }: Row): string {
  return `${isOfWave ? "final-wave" : "todo"}:${label.toLowerCase()}`
}

/** A title as it reads without marks. */
export function bare(title: string): string {
  return title.replaceAll("`", "")
}

/** The text with the box of a row set. */
export function withBox(text: string, row: Row, box: " " | "x"): string {
  return changed(text, row.line, (line) => line.replace(/^- \[.\]/, `- [${box}]`))
}

/** What a user does to a plan by hand; null if that is not possible with it. */
export const EDITS: readonly {
  readonly name: string
  readonly edit: (text: string, at: number) => string | null
}[] = [
  {
    name: "ticks a row of",
    edit: (text, at) => onRow(text, at, (row) => withBox(text, row, "x")),
  },
  {
    name: "unticks a row of",
    edit: (text, at) => onRow(text, at, (row) => withBox(text, row, " ")),
  },
  {
    name: "adds a row at the end of the tasks of",
    edit: (text, at) => inserted(text, at, Number.POSITIVE_INFINITY),
  },
  { name: "adds a row in front of the tasks of", edit: (text, at) => inserted(text, at, 0) },
  {
    name: "takes a row out of",
    edit: (text, at) => {
      const rows = rowsOf(text).filter(({ isOfWave }) => !isOfWave)
      const row = rows[at % Math.max(1, rows.length)]
      if (row === undefined || rows.length < 2) return null
      return renumbered(
        text
          .split("\n")
          .filter((_, line) => line !== row.line)
          .join("\n"),
      )
    },
  },
  {
    name: "saves with other line ends",
    edit: (text) =>
      text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"),
  },
]

function onRow(text: string, at: number, change: (row: Row) => string): string | null {
  const rows = rowsOf(text)
  const row = rows[at % Math.max(1, rows.length)]
  return row === undefined ? null : change(row)
}

/** The plan with one more task, and all tasks renumbered. */
function inserted(text: string, at: number, where: number): string | null {
  const rows = rowsOf(text).filter(({ isOfWave }) => !isOfWave)
  const free = ADDED.filter((one) => !text.includes(one))
  const title = free[at % Math.max(1, free.length)]
  const beside = rows[Math.min(where, rows.length - 1)]
  if (title === undefined || beside === undefined) return null
  const lines = text.split("\n")
  lines.splice(beside.line + (where === 0 ? 0 : 1), 0, `- [ ] 99. ${title}`)
  return renumbered(lines.join("\n"))
}

function renumbered(text: string): string {
  let number = 0
  return rowsOf(text)
    .filter(({ isOfWave }) => !isOfWave)
    .reduce((done, { line }) => {
      number += 1
      return changed(done, line, (one) => one.replace(/^(- \[.\] )\d+/, `$1${number}`))
    }, text)
}

function changed(text: string, line: number, change: (line: string) => string): string {
  return text
    .split("\n")
    .map((one, at) => (at === line ? change(one) : one))
    .join("\n")
}
