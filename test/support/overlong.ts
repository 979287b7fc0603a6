import { columnsOf } from "../../src/cli/views/columns.ts"

/** The lines of a text that are wider than a terminal, but for those that end in one long word: it is left whole. */
export function overlong(text: string, columns: number): readonly string[] {
  return text.split("\n").filter((line) => {
    const word = line.split(" ").at(-1) ?? ""
    return columnsOf(line) > columns && columnsOf(word) < 10
  })
}
