import { describe, expect, test } from "bun:test"
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
  { source: "a()", made: [";"] },
  { source: "const a = b ? c : d", made: ["const a = !(b) ? c : d"] },
  {
    source: "function f() { if (a) return b\n c(d) }",
    made: [
      "function f() { ;\n c(d) }",
      "function f() { if (!(a)) return b\n c(d) }",
      "function f() { if (a) return b\n ; }",
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
