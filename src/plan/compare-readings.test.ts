import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { compareReadings } from "./compare-readings.ts"

const FIXTURES = join(import.meta.dir, "../../test/fixtures/plans")
const plans = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
)

test.each(plans)("both readings of %s are one", (name) => {
  expect(compareReadings(readFileSync(join(FIXTURES, name), "utf8"))).toEqual([])
})

test("a text too long for remark is not compared", () => {
  expect(compareReadings("- [ ] a\n".repeat(10_000))).toBeNull()
})
