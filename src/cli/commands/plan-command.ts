// The command `plan`.
import { existsSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import type { Tier } from "../../boulder/proof-entry.ts"
import { looksLikePath, requestOf } from "../../decide/choose-plan.ts"
import type { BoxedLine, OfferedLines } from "../../plan/boxes/add-boxes.ts"
import { aboveOffers } from "../../plan/boxes/likeliest-choice.ts"
import { isAdapted } from "../../plan/formats.ts"
import type { Task } from "../../plan/model/plan.ts"
import { aboutFile, inShell, starting } from "../../prompts/typed-command.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { realPathOrSelf } from "../../store/disk/real-path.ts"
import { openPlanFiles, type PlanFileReading } from "../../store/plans/plan-files.ts"
import { changePlan, type PlanMark } from "../../store/plans/write-plan.ts"
import { namedPlan, unnamedPlan } from "../project/named-plan.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { proofOfWork } from "../proof/proof-of-work.ts"
import type { Run } from "../table/command-table.ts"
import { asCalled } from "../terminal/as-called.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { wrapLine } from "../views/columns.ts"
import { planJson } from "../views/plan-json.ts"
import { boxesText, MAX_BESIDE, noOffersText, offersText, planText } from "../views/plan-text.ts"

type ReadPlan = PlanFileReading & { readonly kind: "read" }

/** The plugin's default for cutting plans; it does not affect what is read. */
const SHARD_SIZE = 12

export const planCommand: Run<"plan"> = async ({ values, names }, terminal) => {
  const [file = ""] = names
  const lines = values["add-boxes"]
  await expectRanges(lines)
  const project = await openProject(terminal)
  const found = await planFile(project, file, terminal)
  const at = await whereIs(found, terminal, lines !== undefined)
  const added = lines === undefined ? null : await writeBoxes(at, lines)
  const shown = file === "" ? relative(terminal.cwd, found) : file
  const plans = openPlanFiles({ root: at.root, now: terminal.now })
  const reading = await withChecks(
    await plans.read(namedBy(at, project)),
    await plans.whyNotMarkable(at.path),
  )
  const offers = await offersIn(reading, at.path)
  const tierOf = values.json === true ? await tiersOf(at, reading, terminal) : NO_TIERS
  if (values.json === true)
    terminal.out(jsonText(jsonOf(found, reading, { added, offers, tierOf })))
  else if (reading.kind !== "read") throw new Refusal(reading.message)
  else
    terminal.out(
      textOf(
        {
          file: found === file ? found : relative(terminal.cwd, found),
          reading: asTyped(reading, { shown, offers }, terminal),
          command: asCalled(aboutFile(ADD_BOXES, shown), terminal.call),
          start: added === null ? "" : await startOf(project, { found, shown }, terminal),
          ...{ added, offers },
        },
        terminal.columns(),
      ),
    )
  return reading.kind === "read" && reading.plan.state !== "invalid" ? 0 : 1
}

/** The reading with advised commands as typed here, and without warnings that the offers repeat. */
function asTyped(
  reading: ReadPlan,
  { shown, offers }: { readonly shown: string; readonly offers: readonly OfferedLines[] },
  { call }: Pick<Terminal, "call">,
): ReadPlan {
  const firsts = new Set(offers.slice(0, MAX_BESIDE).map(({ lines }) => Number.parseInt(lines, 10)))
  const told = reading.plan.warnings.filter(
    ({ rule, line }) => rule !== "rows-without-box" || !firsts.has(line),
  )
  const warnings = told.map((warning) => {
    const message = aboutFile(aboveOffers(warning.message), shown)
    return { ...warning, message: asCalled(message, call) }
  })
  return { ...reading, plan: { ...reading.plan, warnings } }
}

/** The reading with what a second one, with remark, sees differently, and with why the plan cannot be marked. */
async function withChecks(
  reading: PlanFileReading,
  whyNotMarkable: string | null,
): Promise<PlanFileReading> {
  if (reading.kind !== "read") return reading
  const { lines, plan } = reading
  const warnings = [...plan.warnings]
  if (!isAdapted(plan.dialect)) {
    const { warnOfPlan } = await import("../../plan/compare-readings.ts")
    warnings.push(...warnOfPlan(lines, plan.tasks, SHARD_SIZE))
  }
  if (whyNotMarkable !== null)
    warnings.push({ line: 0, rule: "not-markable", message: whyNotMarkable })
  return { ...reading, plan: { ...plan, warnings } }
}

type TierOf = (task: Task) => Tier | null
const NO_TIERS: TierOf = () => null

/** What the ticks of a plan are based on, if a work carries it out. */
async function tiersOf(
  { root, path }: PlanAt,
  reading: PlanFileReading,
  terminal: Terminal,
): Promise<TierOf> {
  if (reading.kind !== "read" || !reading.plan.tasks.some(({ checks }) => checks !== undefined))
    return NO_TIERS
  const project = await openProject({ ...terminal, cwd: root })
  const works = Object.values((await readBoulder(project))?.works ?? {})
  const work = works.find(({ active_plan }) => active_plan === path)
  const proof = work === undefined ? null : await proofOfWork(project, work, reading)
  return proof === null ? NO_TIERS : (task) => proof.of(task)?.tier ?? null
}

interface Boxes {
  readonly added: readonly BoxedLine[] | null
  readonly offers: readonly OfferedLines[]
}

function jsonOf(
  file: string,
  reading: PlanFileReading,
  { added, offers, tierOf }: Boxes & { readonly tierOf: TierOf },
) {
  const json = { ...planJson(file, reading, tierOf), ...(offers.length === 0 ? {} : { offers }) }
  return added === null ? json : { ...json, added: added.map(({ line }) => line) }
}

interface Shown extends Boxes {
  readonly file: string
  readonly reading: ReadPlan
  /** The command that writes boxes, up to its line numbers. */
  readonly command: string
  readonly start: string
}

const ADD_BOXES = "opencode-boulder plan <file> --add-boxes"

function textOf({ file, reading, added, offers, command, start }: Shown, columns: number): string {
  const { plan, lines } = reading
  const text = planText(file, plan, columns)
  if (plan.state === "invalid" && !isAdapted(plan.dialect) && offers.length === 0)
    return text + noOffersText(lines.slice(0, lines.length), columns)
  const offered = offersText(offers, { command, hasTasks: plan.tasks.length > 0 }, columns)
  if (added === null) return text + offered
  const how = plan.next === null ? [] : wrapLine(`To start it, ${start}`, columns)
  return [boxesText(added, columns), text, offered, ...how.map((line) => `${line}\n`)].join("")
}

/** The lines that may be tasks of a plan without any, or that stand outside its tasks and have no box. */
async function offersIn(reading: PlanFileReading, path: string): Promise<readonly OfferedLines[]> {
  if (reading.kind !== "read") return []
  const { lines, plan } = reading
  if (isAdapted(plan.dialect)) return []
  const { offeredLines } = await import("../../plan/boxes/add-boxes.ts")
  return offeredLines(lines.slice(0, lines.length).join("\n"), path)
}

async function expectRanges(typed: string | undefined): Promise<void> {
  if (typed === undefined) return
  const { whyNotRanges } = await import("../../plan/boxes/add-boxes.ts")
  const problem = whyNotRanges(typed)
  if (problem !== null) throw new UsageError(problem)
}

/** Writes boxes before the given lines; throws a `Refusal` if that is not possible. */
async function writeBoxes({ root, path }: PlanAt, lines: string): Promise<readonly BoxedLine[]> {
  const { addBoxes } = await import("../../plan/boxes/add-boxes.ts")
  let added: readonly BoxedLine[] = []
  const change = (text: string, at: string): string | PlanMark => {
    const boxes = addBoxes(text, at, lines)
    if (!boxes.ok) return { kind: "refused", message: boxes.message }
    added = boxes.added
    return boxes.text
  }
  const done = await changePlan({ root, path, doing: "put boxes", change })
  if (done.kind === "refused") throw new Refusal(`${done.message} Nothing was written.`)
  return added
}

/**
 * The path of the plan as every command accepts it, or of a file as seen from the reader's folder; without an argument the plan of the open
 * work, else the only plan. Throws a `Refusal` if none or several could be meant.
 */
async function planFile(project: Project, given: string, terminal: Terminal): Promise<string> {
  const { cwd } = terminal
  const { root } = project
  if (given === "") return resolve(root, await unnamedPlan(project))
  const path = await namedPlan(project, requestOf(given), terminal)
  if (path === null) return given
  const full = resolve(root, path)
  // Shown the way it was typed.
  const isHere = existsSync(resolve(cwd, given))
  return isHere && (await realPathOrSelf(resolve(cwd, given))) === full ? given : full
}

/** How to start a plan from here; for one outside this project, after it was moved into it. */
async function startOf(
  { plans, planPlace }: Project,
  { found, shown }: { readonly found: string; readonly shown: string },
  { cwd, call }: Terminal,
): Promise<string> {
  const path = await plans.inRoot(resolve(cwd, found))
  if (path === null)
    return `put it into the project, at ${planPlace}: no start takes one from outside.`
  // opencode need not be open in the folder in which this is typed.
  return starting(inShell(call), looksLikePath(shown) ? path : shown)
}

interface PlanAt {
  readonly root: string
  readonly path: string
}

/** The path that messages about a plan name: the whole one outside this project. */
function namedBy({ root, path }: PlanAt, project: Project): string {
  return root === project.root ? path : resolve(root, path)
}

/** Where a plan lies hints at its dialect, so the reader gets its path from the project's root, or from here. */
async function whereIs(file: string, { cwd, now }: Terminal, writes: boolean): Promise<PlanAt> {
  const full = resolve(cwd, file)
  const root = await findProjectRoot(dirname(full), cwd)
  const path = await openPlanFiles({ root, now }).inRoot(full)
  if (path !== null) return { root, path }
  // A file of the person's own, outside any project. One behind a link is shown but never written.
  const real = writes ? full : await realPathOrSelf(full)
  let folder = dirname(real)
  while (!existsSync(folder)) folder = dirname(folder)
  return { root: folder, path: relative(folder, real) || "." }
}
