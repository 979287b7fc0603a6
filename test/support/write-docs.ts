import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { REASONS } from "../../src/prompts/reasons.ts"
import { IN_OPENCODE } from "./by-name.ts"
import { commandsPage } from "./commands-page.ts"
import { withFormatsTable } from "./formats-table.ts"
import { withHostsTable } from "./hosts-table.ts"
import { optionsPage } from "./options-table.ts"

/**
 * `npm run docs`: COMMANDS.md, REASONS.md, OPTIONS.md, the README's table of hosts, the formats of PLAN-FORMATS.md, and the tree of
 * ARCHITECTURE.md.
 */
const ROOT = new URL("../../", import.meta.url)
const FOLDERS: Readonly<Record<string, string>> = {
  plan: "· what a plan says: the only grammar, and what marks it",
  "plan/model": "plans, titles, lines, foreign text",
  "plan/blocks": "markdown's structure, before any format has spoken",
  "plan/dialects": "the tables of the markdown formats",
  "plan/boxes": "lines without a box: what may be tasks among them, and what writes boxes",
  "plan/data": "plans that keep their tasks as data, and front matter",
  "plan/headings": "headings that are tasks",
  "plan/tasks": "from rows to tasks",
  boulder: "· what we remember: schema and changes",
  decide: "· what to do next",
  "decide/memory": "what is remembered of a session, and how an event changes it",
  "decide/proof": "what a tick stands on",
  "decide/shell": "what a shell command runs and writes",
  prompts: "· what we say",
  "store/processes": "programs that the plugin starts: git, and what `notify` names",
  "store/disk": "files, opened in one careful way",
  "store/revisions": "`boulder.json`",
  "store/records": "smaller files: journal, archive, task states",
  "store/plans": "plans: found, read, marked",
  "store/handoffs": "handoffs: their files and their desk",
  "store/fleet": "handoffs in PostgreSQL, for several machines",
  opencode: "the host",
  "opencode/host": "the port to the host; sessions, timers, options",
  "opencode/host/v1": "opencode 1 and Kilo behind the port: all that knows their names",
  "opencode/host/http": "a host over HTTP, for `opencode-boulder run`",
  "opencode/live": "what a running opencode shows of its works",
  "opencode/work": "what is read, changed and shown of a work",
  "opencode/tools": "around tools: `task`, rounds, the write guard",
  "opencode/idle": "idle: gather, decide, carry out",
  "opencode/user": "messages and commands, and telling a person who is away",
  "opencode/compaction": "task states over compactions",
  "opencode/handoffs": "the handoff tools in the host",
  handoffs: "the handoff tools, as every host answers them",
  headless: "`opencode-boulder run`",
  panel: "the panel in the terminal interface",
  mcp: "the handoff tools for other hosts",
  cli: "`opencode-boulder …`",
  "cli/table": "every command as data: help, completion and reference are made of it",
  "cli/commands": "what they do",
  "cli/doctor": "what may be wrong, and what fixes it",
  "cli/report": "one page of a work, as HTML",
  "cli/proof": "what ticks stand on",
  "cli/views": "what they print",
  "cli/project": "the project that the terminal stands in",
  "cli/terminal": "arguments, errors, the terminal",
}

const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8")

/** One line for each file: what its first line says about it. */
function tree(): string {
  const folders = Object.entries(FOLDERS).flatMap(([folder, about]) => {
    const files = sourcesIn(folder)
    return files.length === 0
      ? []
      : [`${folder}/ ${about}`, ...files.map((file) => lineOf("  ", `${folder}/${file}`))]
  })
  return [lineOf("", "index.ts"), lineOf("", "tui.ts"), ...folders].join("\n")
}

function sourcesIn(folder: string): readonly string[] {
  if (!existsSync(new URL(`src/${folder}`, ROOT))) return []
  return readdirSync(new URL(`src/${folder}`, ROOT))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .sort()
}

function lineOf(indent: string, path: string): string {
  const name = path.split("/").at(-1) ?? path
  const [, about = "?"] = /^(?:#!.*\n)?\/\/ (.*)\.\n/.exec(read(`src/${path}`)) ?? []
  return `${indent}${name.padEnd(26)} ${about}`
}

writeFileSync(new URL("docs/COMMANDS.md", ROOT), commandsPage())
writeFileSync(new URL("docs/REASONS.md", ROOT), reasonsText())
writeFileSync(new URL("docs/OPTIONS.md", ROOT), optionsPage())
writeFileSync(new URL("README.md", ROOT), withHostsTable(read("README.md")))
const FORMATS = "docs/PLAN-FORMATS.md"
writeFileSync(new URL(FORMATS, ROOT), withFormatsTable(read(FORMATS)))
const map = read("docs/ARCHITECTURE.md")
writeFileSync(
  new URL("docs/ARCHITECTURE.md", ROOT),
  map.replace(/```tree\n[\s\S]*?```/, () => `\`\`\`tree\n${tree()}\n\`\`\``),
)

/** Every reason with what it says and what to do, as a page. */
function reasonsText(): string {
  const rows = Object.entries(REASONS).map(
    ([name, { says, todo }]) => `| \`${name}\` | ${says} | ${todo?.(IN_OPENCODE, true) ?? "–"} |`,
  )
  const head =
    "# Reasons\n\nThe reasons that `opencode-boulder why`, `status`, `/work-status` and the notices name, with commands as they are typed in opencode. In a shell, `opencode-boulder resume` resumes. Written by `npm run docs`.\n"
  return `${head}\n| reason | what it means | what you can do |\n| --- | --- | --- |\n${rows.join("\n")}\n`
}
