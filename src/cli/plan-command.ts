import { stat } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { choosePlan, looksLikePath, planNameOf } from "../decide/choose-plan.ts"
import { cleanLine, harmlessJson } from "../plan/foreign-text.ts"
import { isAdapted } from "../plan/formats.ts"
import { findPlans } from "../store/find-plans.ts"
import { openPlanFiles, type PlanFileReading } from "../store/plan-files.ts"
import { findProjectRoot } from "../store/project-root.ts"
import { UsageError } from "./cli-error.ts"
import { wrapLine } from "./columns.ts"
import type { Command } from "./command.ts"
import { parseCommand } from "./parse-args.ts"
import { planJson } from "./plan-json.ts"
import { planText } from "./plan-text.ts"
import type { Terminal } from "./terminal.ts"

export const planCommand: Command = {
  summary: "Show what is read of a plan file: its tasks, and what was passed over",
  help: `Usage: opencode-boulder plan <file> [--json]

Reads a plan the way the plugin reads it and shows the dialect and why it was chosen, the counts,
every task with its key and line, the lines that look like a checkbox and were passed over with
the reason, and warnings. Nothing is started and nothing is written.

Arguments:
  <file>    Path of the plan, or the name of one that is found in this project.

Options:
  --json    Print one JSON object: file, dialect, evidence, state, counts, next, tasks, ignored, warnings.
  --help    Show this help.

Exit codes:
  0  read        1  not readable (state "unavailable") or without any task ("invalid")        2  usage

Example:
  opencode-boulder plan .boulder/plans/auth-rewrite.md
  opencode-boulder plan auth-rewrite --json | jq .next
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(args, { json: { type: "boolean" } }, 1)
    const [file] = positionals
    if (file === undefined)
      throw new UsageError("Expected the path of a plan; found none: opencode-boulder plan <file>.")
    const found = await planFile(file, terminal)
    const reading = await withGrammarCheck(await readPlan(found, terminal))
    if (values.json === true) terminal.out(`${harmlessJson(planJson(found, reading), 2)}\n`)
    else terminal.out(textOf(found, reading, terminal.columns()))
    return reading.kind === "read" && reading.plan.state !== "invalid" ? 0 : 1
  },
}

/** Reads a plan of ordinary size a second time, with remark, and warns of lines that the two readings see differently. */
async function withGrammarCheck(reading: PlanFileReading): Promise<PlanFileReading> {
  if (reading.kind !== "read" || isAdapted(reading.plan.dialect)) return reading
  const { compareReadings } = await import("../plan/compare-readings.ts")
  const differing = compareReadings(reading.text) ?? []
  const message = "remark reads this line otherwise than the scanner: please report it"
  const warnings = differing.map((line) => ({ line, rule: "grammar-differs", message }))
  const plan = { ...reading.plan, warnings: [...reading.plan.warnings, ...warnings] }
  return { ...reading, plan }
}

function textOf(file: string, reading: PlanFileReading, columns: number): string {
  return reading.kind === "read"
    ? planText(file, reading.plan, columns)
    : `${wrapLine(cleanLine(reading.message), columns).join("\n")}\n`
}

/** The path as given, or that of the project's plan of this name. */
async function planFile(given: string, { cwd }: Terminal): Promise<string> {
  const isThere = await stat(resolve(cwd, given)).then(
    () => true,
    () => false,
  )
  if (isThere || looksLikePath(given)) return given
  const root = await findProjectRoot(cwd)
  const paths = await findPlans(root)
  const candidates = paths.map((path) => ({ path, name: planNameOf(path) }))
  const choice = choosePlan(candidates, given)
  return choice.kind === "chosen" ? resolve(root, choice.candidate.path) : given
}

/** Where a plan lies is a hint at its dialect: the path from its own project's root is what the reader sees. */
async function readPlan(file: string, { cwd, now }: Terminal): Promise<PlanFileReading> {
  const full = resolve(cwd, file)
  const root = await findProjectRoot(dirname(full))
  const path = await openPlanFiles({ root, now }).inRoot(full)
  return path === null
    ? openPlanFiles({ root: dirname(full), now }).read(basename(full) || ".")
    : openPlanFiles({ root, now }).read(path)
}
