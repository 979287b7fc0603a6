import { columnsOf } from "../../src/cli/views/columns.ts"

/** The lines of a text that are wider than a terminal, except those that end in one long word, which is left whole. */
export function overlong(text: string, columns: number): readonly string[] {
  return text.split("\n").filter((line) => {
    const word = line.split(" ").at(-1) ?? ""
    return columnsOf(line) > columns && columnsOf(word) < 10
  })
}
