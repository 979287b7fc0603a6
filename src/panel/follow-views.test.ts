import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
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

/** What a source loads when it is loaded, itself too: types and what is loaded later are not among it. */
function loadedBy(path: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(path)) return known
  known.add(path)
  const imports = readFileSync(path, "utf8").matchAll(
    /^(?:import|export)(?! type\b)[^"]*?from "(\.[^"]+)"/gm,
  )
  for (const [, from = ""] of imports) loadedBy(join(dirname(path), from), known)
  return known
}

test("what the panel shows is made of the view files: nothing of it can read the state or a plan", () => {
  const of = (name: string) =>
    [...loadedBy(join(import.meta.dir, name))].map((path) =>
      relative(join(import.meta.dir, ".."), path),
    )
  const readers = /boulder-file|file-boulder-store|plan-files|read-plan-of|parse-plan/
  for (const name of [
    "follow-views.ts",
    "show-panel.ts",
    "panel-view.ts",
    "../store/records/live-files.ts",
  ])
    expect(of(name).filter((path) => readers.test(path))).toEqual([])
  expect(of("../store/plans/read-plan-of.ts").some((path) => readers.test(path))).toBe(true)
})
