// The command `doctor`.
import process from "node:process"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { openProject, type Project } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { UsageError } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { hangingLines } from "../views/columns.ts"
import { bad, type Finding } from "./finding.ts"
import { readHostConfig } from "./host-config.ts"
import {
  attentionFindings,
  hostFinding,
  nodeFinding,
  pluginFindings,
  rivalFinding,
} from "./host-findings.ts"
import {
  boulderFinding,
  folderFindings,
  leftoverFindings,
  planFindings,
  recordFindings,
} from "./project-findings.ts"
import { startUpFindings } from "./start-up-wait.ts"

export const doctorCommand: Run<"doctor"> = async ({ values }, terminal) => {
  if (values.global === true && values.fix !== true)
    throw new UsageError("Expected --global together with --fix; found it alone.")
  const project = await openProject(terminal)
  const found = await findingsOf(project, terminal, values.global === true)
  const mended = values.fix === true ? await Promise.all(found.map(mendedOf)) : found.map(asFound)
  if (values.json === true) terminal.out(jsonText({ findings: mended.map(jsonOf) }))
  else terminal.out(textOf(mended, terminal))
  return mended.some(({ finding, fixed }) => finding.level === "bad" && fixed === null) ? 1 : 0
}

async function findingsOf(
  project: Project,
  terminal: Terminal,
  isGlobal: boolean,
): Promise<readonly Finding[]> {
  const { root } = project
  const { env, typed } = terminal
  const host = await hostFinding(root, env)
  const config = await readHostConfig({ root, cwd: terminal.cwd }, env, host.name)
  const isConfigured = config.plugins.length > 0
  return [
    nodeFinding(process.versions.node),
    host.finding,
    ...(await pluginFindings(config)),
    ...(host.name === "kilo" ? [] : attentionFindings(config, host)),
    rivalFinding(config),
    ...(isConfigured ? await startUpFindings({ config, host, isGlobal, typed }) : []),
    ...(await guarded("folder", () => folderFindings(root))),
    ...(await guarded("state", async () => [await boulderFinding(project, terminal.now())])),
    ...(await guarded("records", () => recordFindings(project, terminal.now()))),
    ...(await guarded("plans", () => planFindings(project, typed))),
    ...(await guarded("leftovers", () => leftoverFindings(root, terminal.now()))),
  ]
}

/** A check that fails becomes a finding, and the others go on. */
async function guarded(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [bad(check, message, "Fix that, then look again.")]
  }
}

interface Mended {
  readonly finding: Finding
  /** What was done; null if nothing. */
  readonly fixed: string | null
}

function asFound(finding: Finding): Mended {
  return { finding, fixed: null }
}

async function mendedOf(finding: Finding): Promise<Mended> {
  if (finding.fix === null) return asFound(finding)
  try {
    return { finding, fixed: await finding.fix() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return asFound({
      ...finding,
      level: "bad",
      todo: `It could not be fixed: ${message}`,
      fix: null,
    })
  }
}

function jsonOf({ finding: { check, level, says, todo, fix }, fixed }: Mended) {
  return { check, level, says, todo, can_fix: fix !== null, fixed }
}

const MARK_COLUMNS = 6

function textOf(all: readonly Mended[], { columns, paint, typed }: Terminal): string {
  const width = columns()
  const marks = { ok: paint.good("ok"), note: paint.warn("note"), bad: paint.bad("bad") }
  const lines = all.flatMap(({ finding: { level, says, todo }, fixed }) => {
    const [first = "", ...more] = hangingLines(" ".repeat(MARK_COLUMNS), cleanLine(says), width)
    const head = `${marks[level]}${" ".repeat(MARK_COLUMNS - level.length)}${first.trimStart()}`
    const action = fixed === null ? todo : `Fixed: ${fixed}.`
    return [head, ...more, ...(action === null ? [] : indented(action, width))]
  })
  const open = all.filter(({ finding, fixed }) => finding.level !== "ok" && fixed === null)
  const worst = open.filter(({ finding }) => finding.level === "bad").length
  const safe = open.filter(({ finding }) => finding.fix !== null).length
  const end =
    open.length === 0
      ? "Everything is as it should be."
      : `${worst} bad, ${open.length - worst} to note.${safe === 0 ? "" : ` ${typed("doctor", { as: "--fix" })} fixes ${safe}.`}`
  return `${[...lines, "", ...hangingLines("", end, width)].join("\n")}\n`
}

function indented(text: string, columns: number): readonly string[] {
  return hangingLines(" ".repeat(MARK_COLUMNS), cleanLine(text), columns)
}
