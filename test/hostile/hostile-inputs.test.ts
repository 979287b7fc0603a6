import { expect, test } from "bun:test"
import { OTHER_READERS, problemsOf } from "../support/hostile-problems.ts"

test.each(OTHER_READERS)("$reader takes linear time of $as", async (reader) => {
  expect(await problemsOf(reader)).toEqual([])
})
