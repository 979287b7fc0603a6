import { expect, test } from "bun:test"
import { problemsOf, TEXT_READERS } from "../support/hostile-problems.ts"

test.each(TEXT_READERS)("$reader takes linear time of $as", async (reader) => {
  expect(await problemsOf(reader)).toEqual([])
})
