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
