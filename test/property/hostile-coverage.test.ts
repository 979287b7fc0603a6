import { expect, test } from "bun:test"
import { NOT_IN_THE_TABLE } from "../support/hostile-exceptions.ts"
import { PLAN_READERS } from "../support/hostile-plan-readers.ts"
import { READERS } from "../support/hostile-readers.ts"
import { sourceReaders } from "../support/source-readers.ts"

const { functions, files } = sourceReaders()
const table = new Set([...PLAN_READERS, ...READERS].map(({ reader }) => reader))
const excepted = Object.values(NOT_IN_THE_TABLE).flat()
const fileOf = (reader: string): string => reader.split(" ")[0] ?? ""

test("the sources have readers", () => {
  expect(functions.length).toBeGreaterThan(100)
})

test.each([
  { form: "a function", text: "export async function x<T>(a: string): void {}" },
  { form: "an arrow", text: "export const x = (a: string): number => 1" },
  { form: "an arrow of a written type", text: "export const x: Reader = async (a: unknown) => 1" },
  { form: "a function in a constant", text: "export const x = function (a: Uint8Array) {}" },
  {
    form: "an alias of an alias",
    text: "type A = B | null\ntype B = string\nexport const x = (a: A) => 1",
  },
  { form: "an alias below", text: "export const x = (a: A) => 1\ntype A = string" },
  { form: "a list of an alias", text: "type A = string\n\nexport function x(a: readonly A[]) {}" },
  { form: "a field", text: "export function x({ a }: { readonly a: string }) {}" },
  {
    form: "a field of an interface",
    text: "interface A {\n  readonly a?: string\n}\n\nexport function x(a: A) {}",
  },
  {
    form: "a field of an object type",
    text: "type A = { readonly a: string }\n\nexport function x(a: A) {}",
  },
  {
    form: "a field of an alias",
    text: "type T = string\ninterface A {\n  readonly a: T\n}\nexport function x(a: A) {}",
  },
])("$form that takes a text is seen", ({ text }) => {
  expect(sourceReaders([{ file: "store/x.ts", text }]).functions).toEqual(["store/x.ts x"])
})

test.each([
  { form: "numbers", text: "export const x = (a: number): string => ''" },
  { form: "a value", text: "type A = string\n\nexport const x: A = 'a'" },
  { form: "a callback's texts", text: "export function x(a: (b: string) => void) {}" },
])("$form are none", ({ text }) => {
  expect(sourceReaders([{ file: "store/x.ts", text }]).functions).toEqual([])
})

test("every function that takes a text from outside is in the hostile-input table, or says why not", () => {
  const known = new Set([...table, ...excepted])
  expect(functions.filter((reader) => !known.has(reader))).toEqual([])
})

test("every file where bytes come in that looks into a text is too", () => {
  const known = new Set([...table, ...excepted].map(fileOf))
  expect(files.filter((file) => !known.has(file))).toEqual([])
})

test("no exception is left of a reader that is gone, or in the table", () => {
  const there = new Set([...functions, ...files])
  expect(excepted.filter((reader) => !there.has(reader) || table.has(reader))).toEqual([])
})
