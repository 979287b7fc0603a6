import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { blocksOf, marksOf, withMarks } from "../mutants/marks.ts"
import { mutate, mutationsOf } from "../mutants/mutations.ts"

/** Every text that one mutation makes of a source. */
const mutants = (source: string) =>
  mutationsOf("a.ts", source).map((mutation) => mutate(source, mutation))

const ROWS: readonly { readonly source: string; readonly made: readonly string[] }[] = [
  { source: "const a = b < c", made: ["const a = b <= c"] },
  { source: "const a = b && c", made: ["const a = b || c"] },
  { source: "const a = b ?? c", made: ["const a = (c)"] },
  { source: "const a = !b", made: ["const a = b"] },
  { source: "const a = true", made: ["const a = false"] },
  { source: "const a = 3", made: ["const a = 4"] },
  { source: 'const a = ""', made: ['const a = "mutated"'] },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the source that is changed.
  { source: "const a = `x${b}y`", made: ["const a = `${b}y`", "const a = `x${b}`"] },
  { source: "const a = b.some(c)", made: ["const a = b.every(c)"] },
  { source: "const a = b.filter(c)", made: ["const a = b"] },
  { source: "const a = { ...b }", made: ["const a = { ...{} }"] },
  { source: "a()", made: ["{}"] },
  { source: "const a = b ? c : d", made: ["const a = !(b) ? c : d"] },
  {
    source: "function f() { if (a) return b\n c(d) }",
    made: [
      "function f() { ;\n c(d) }",
      "function f() { if (!(a)) return b\n c(d) }",
      "function f() { if (a) return b\n {} }",
    ],
  },
]

describe("mutations", () => {
  test.each(ROWS)("of $source", ({ source, made }) => expect(mutants(source)).toEqual([...made]))

  test.each([
    { source: 'import { a } from "b"' },
    { source: 'type A = "b" | 3' },
    { source: 'export interface A { readonly b: "c" }' },
    { source: 'const a = { "b": c }' },
  ])("there is none of $source", ({ source }) => expect(mutants(source)).toEqual([]))
})

describe("marks", () => {
  const SOURCE = `const A = 1
const B = [A, 2]
export const f = (b) => (b ? { c: B } : () => b)
export function g() { if (A) { return 3 } }`
  const source = blocksOf("src/a.ts", SOURCE, 0)
  const marksAt = (text: string) => {
    const start = SOURCE.indexOf(text)
    return [...marksOf([source], { file: "src/a.ts", start, end: start + text.length })]
  }

  test("are seen where their block is run, if they are wanted", () => {
    const seen: number[] = []
    Object.assign(globalThis, { $marks: [], $mark: (number: number) => seen.push(number) })
    const marked = withMarks(source, new Set([1, 2]))
    const run = new Function(`${marked.replaceAll("export ", "")}\nreturn f(0)()`)
    expect({ given: run(), seen }).toEqual({ given: 0, seen: [1] })
  })

  test("are no fault in a program of its own, in which nobody writes them down", () => {
    const marked = withMarks(source, new Set([0, 1, 2, 3]))
    const program = `${marked.replaceAll("export ", "")}\nprocess.stdout.write(String(g()))`
    const { stdout, stderr } = spawnSync(process.execPath, ["--eval", program])
    expect({ said: `${stdout}`, wrong: `${stderr}` }).toEqual({ said: "3", wrong: "" })
  })

  test.each([
    { place: "3", marks: [3], of: "the innermost block" },
    { place: "b ?", marks: [0], of: "a function without braces" },
    { place: "2", marks: [0], of: "those who use what is declared there" },
    { place: "1", marks: [0, 2], of: "those who use what is made of it, too" },
  ])("of a place are those of $of", ({ place, marks }) =>
    expect(marksAt(place).toSorted()).toEqual([...marks]),
  )
})
