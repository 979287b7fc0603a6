import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ParseOptions, Plan, Task } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

const ROOT = join(import.meta.dir, "../fixtures/plans")

/** Read by their own names; goldens and options end otherwise. */
const JSON_PLAN = /\.(?:tasks|prd|features)\.json$/

const fixtures = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") || JSON_PLAN.test(name))
  .sort()

test.each(fixtures)("%s reads as its golden says", (name) => {
  const text = readFileSync(join(ROOT, name), "utf8")
  const golden = join(
    ROOT,
    name.replace(/\.(?:md|tasks\.json|prd\.json|features\.json)$/, ".golden.json"),
  )
  const reading = show(parsePlan(text, optionsOf(name)))
  if (process.env["WRITE_GOLDENS"] !== undefined && !existsSync(golden)) {
    writeFileSync(golden, `${JSON.stringify(reading, null, 2)}\n`)
  }
  expect(reading).toEqual(JSON.parse(readFileSync(golden, "utf8")))
})

function optionsOf(name: string): ParseOptions {
  if (JSON_PLAN.test(name)) return { path: name }
  const options = join(ROOT, name.replace(/\.md$/, ".options.json"))
  return existsSync(options) ? JSON.parse(readFileSync(options, "utf8")) : {}
}

/** One line for each thing, so that a change of the reading is a diff to read. */
function show(plan: Plan) {
  return {
    dialect: plan.dialect,
    state: plan.state,
    next: plan.next?.key ?? null,
    tasks: plan.tasks.map(showTask),
    subItems: plan.subItems.map(
      ({ line, parentKey, label, state }) => `${line} ${label ?? "-"} ${state} of ${parentKey}`,
    ),
    ignored: plan.ignored.map(({ line, reason }) => `${line} ${reason}`),
    warnings: plan.warnings.map(({ line, rule }) => `${line} ${rule}`),
  }
}

function showTask(task: Task): string {
  const flags = [
    task.optional ? "optional" : "",
    task.runnable ? "runnable" : "",
    task.rejected ? "rejected" : "",
    task.dependsOn.length > 0 ? `after ${task.dependsOn.join(", ")}` : "",
  ].filter((flag) => flag !== "")
  const place = `${task.line}-${task.endLine} (${task.group ?? "no group"})`
  return [`${task.key} ${task.state}`, task.title, place, ...flags].join(" | ")
}
