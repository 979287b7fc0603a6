import { expect, test } from "bun:test"
import { followViews, type Seen } from "./follow-views.ts"

const view = (isAlive: boolean, problems: readonly string[]) => ({
  isAlive,
  view: { version: 1 as const, writer: "x", at: "", problems: [...problems], works: [] },
})

test("the problems of every living process are seen, each once; those of an ended one are not", async () => {
  const views = [view(true, []), view(true, ["a", "b"]), view(true, ["b"]), view(false, ["c"])]
  const seen = Promise.withResolvers<Seen>()
  const end = followViews({ readAll: async () => views }, Date.now, seen.resolve)
  expect((await seen.promise).problems).toEqual(["a", "b"])
  end()
})
