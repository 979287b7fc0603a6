import { FORMATS } from "../../src/plan/formats.ts"

const START = "<!-- formats: written by `npm run docs` -->"
const END = "<!-- /formats -->"

/** `text`, with the table between its marks replaced by the one that the reader's own rows give. */
export function withFormatsTable(text: string): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`Expected ${START} and ${END} in PLAN-FORMATS.md`)
  return `${text.slice(0, start)}${START}\n\n${table()}\n\n${text.slice(end)}`
}

function table(): string {
  const rows = FORMATS.map(({ name, patterns, told, tasks, marks }) => {
    const lies =
      patterns.length === 0 ? "anywhere" : patterns.map((place) => `\`${place}\``).join(", ")
    return [name, lies, told, tasks, marks].map(cell).join(" | ")
  })
  return [
    "| format | found in | recognised by | a task is | how it is marked |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n")
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|")
}
