import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import type { CommandSpec } from "../../src/cli/table/command-spec.ts"
import { COMMANDS, isCommandName } from "../../src/cli/table/command-table.ts"
import { Refusal } from "../../src/cli/terminal/cli-error.ts"
import { parseCommand } from "../../src/cli/terminal/parse-args.ts"
import { COMMANDS as SLASH_COMMANDS } from "../../src/opencode/user/run-slash-command.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const ROOT = join(import.meta.dir, "../..")
const PAGES = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"))
const DOCUMENTS = ["README.md", "SECURITY.md", ...PAGES.map((name) => `docs/${name}`)]
const read = (name: string) => readFileSync(join(ROOT, name), "utf8")

/** The command lines of a document: in its shell blocks, indented ones, and between backticks. */
function linesOf(text: string): readonly string[] {
  // A sentence may begin with our name, and ends as one.
  const shown = [...text.matchAll(/^(?: {4}|\$ )?(opencode-boulder .*[^.,…])$/gm)]
  const inline = [...text.matchAll(/`((?:npx )?opencode-boulder [^`]+)`/g)]
  return [...shown, ...inline].map(([, line = ""]) => line.replace(/^npx /, ""))
}

/** What a command gets of a line: without a comment, a redirection or a pipe behind it, and without quotes. */
function argumentsOf(line: string): readonly string[] {
  const [own = ""] = line.split(/ (?:[|#]|>>?) /)
  return own
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((word) => word.replaceAll(/^['"]|['"]$/g, ""))
}

describe("each command line in the documents is one that the command line takes", () => {
  const lines = DOCUMENTS.flatMap((name) => linesOf(read(name)).map((line) => ({ name, line })))

  test("there are many", () => {
    expect(lines.length).toBeGreaterThan(50)
  })

  test.each(lines)("$name: $line", ({ line }) => {
    const [command = "", ...args] = argumentsOf(line)
    if (/^(?:<|--|…)/.test(command)) return
    expect(isCommandName(command)).toBe(true)
    // A usage line has its arguments in brackets: what they name is held to the table elsewhere.
    if (!isCommandName(command) || /[[<…]/.test(line)) return
    const spec: CommandSpec = COMMANDS[command]
    expect(() =>
      parseCommand(args.map(withoutComma), { ...spec, arguments: spec.arguments }),
    ).not.toThrow()
  })
})

/** The commands of the palette, as its source has them: the module itself wants the host's. */
const PALETTE = [
  ...readFileSync(join(ROOT, "src/panel/panel-commands.ts"), "utf8").matchAll(
    /name: "(\w+)",\s+(?:key: "\w",\s+)?title: "[^"]+",\s+description: "([^"]+)"/g,
  ),
].map(([, name = "", description = ""]) => ({ name: `boulder-${name}`, description }))
const SERVER = Object.entries(SLASH_COMMANDS).map(([name, { description }]) => ({
  name,
  description,
}))

describe("each slash command that is named is there", () => {
  const known = new Set([...PALETTE, ...SERVER].map(({ name }) => name))
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `src/${name}`)

  test("ten in the palette, three of the server part", () => {
    expect(PALETTE).toHaveLength(10)
    expect(SERVER).toHaveLength(3)
  })

  test.each([...DOCUMENTS, ...sources].map((name) => ({ name })))("in $name", ({ name }) => {
    const named = [
      ...read(name).matchAll(/(?<![\w./-])\/(boulder-[a-z]+|[a-z]+-work|work-[a-z]+)/g),
    ]
    expect(named.map(([, command = ""]) => command).filter((one) => !known.has(one))).toEqual([])
  })

  test("PANEL.md has each of the palette, and none fits less than the list of the prompt", () => {
    const page = read("docs/PANEL.md")
    for (const { name } of PALETTE) expect(page).toContain(`\`/${name}\``)
    const all = [...PALETTE, ...SERVER]
    expect(all.filter(({ description }) => description.length > 40)).toEqual([])
    // One name for a thing: what every host has is not explained by what the panel has.
    for (const { description } of SERVER) expect(description).not.toContain("/")
  })
})

/** Commands that look and change nothing: those in the documents are run. */
const LOOKING = [
  "status",
  "why",
  "works",
  "cost",
  "proof",
  "plan",
  "handoffs",
  "state",
  "report",
  "completion",
]

test("each looking command of the documents runs where a plan was started", () =>
  withFolder(async (root) => {
    const plan = "## TODOs\n\n- [ ] 1. One\n"
    for (const name of ["hello", "auth", "my-plan", "demo"])
      put(join(root, `.boulder/plans/${name}.md`), plan)
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork()))
    const lines = new Set(DOCUMENTS.flatMap((name) => linesOf(read(name))))
    const run: string[] = []
    for (const line of lines) {
      const args = argumentsOf(line).map(withoutComma)
      if (!LOOKING.includes(args[0] ?? "") || /[[<…]|--watch|--html/.test(line)) continue
      run.push(line)
      // A name that this project does not have is refused by its name; what is misused is not in our documents.
      await runInFolder(root, args.join(" ")).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw new Error(`${line}: ${String(error)}`)
      })
    }
    expect(run.length).toBeGreaterThan(15)
  }))

test("a command line in a text of ours is one that the command line takes as it is printed", () => {
  const folder = join(ROOT, "test/fixtures/prompts")
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
  const lines = texts.flatMap((text) =>
    [...text.matchAll(/opencode-boulder ([a-z][^.,;)`"\n]*)/g)].map(([, line = ""]) => line),
  )
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    // A placeholder and what is said of it: "unblock <task> (approve <task> …".
    const [command = "", ...args] = (line.split(" (")[0] ?? "").trim().split(" ")
    if (!isCommandName(command)) throw new Error(`No command: ${line}`)
    const spec: CommandSpec = COMMANDS[command]
    expect(() => parseCommand(args, { ...spec, arguments: spec.arguments })).not.toThrow()
  }
})

function withoutComma(word: string): string {
  return word.replace(/,$/, "")
}

/** Runs the commands of a block in `cwd`; gives what they say, and the folder that they end in. */
function runBlock(text: string, cwd: string, env: NodeJS.ProcessEnv) {
  const run = `${text.trim().replaceAll("\n", " && ")} ; echo "EXIT $?"; pwd`
  const out = execFileSync("sh", ["-c", run], { cwd, env, encoding: "utf8", stdio: "pipe" })
  const [code = "", end = cwd] = out.trim().split("\n").slice(-2)
  return { out, code, end }
}

test("the tutorial's commands, run in their order in an empty folder, work", () =>
  withFolder(async (folder) => {
    const env = { ...process.env, HOME: folder, PATH: withPrograms(join(folder, "bin")) }
    let cwd = folder
    const said: string[] = []
    const steps = [...read("docs/TUTORIAL.md").matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    const act: Readonly<Record<string, (text: string) => void>> = {
      json: (text) => put(join(cwd, "opencode.json"), text),
      markdown: (text) => put(join(cwd, ".boulder/plans/hello.md"), text),
      sh: (text) => {
        const { out, code, end } = runBlock(text, cwd, env)
        cwd = end
        said.push(out)
        expect(`${text} ${code}`).toEndWith("EXIT 0")
      },
    }
    // Nobody has started the plan here, and its report is tested where one is.
    const isRun = (text: string) => !text.includes(" report ")
    for (const [, kind = "", text = ""] of steps) if (isRun(text)) act[kind]?.(text)
    // However long the folder's path is, and the lines are broken.
    const all = said.join("\n").replaceAll(/\s+/g, " ")
    expect(all).toContain(
      ".boulder/plans/hello.md: omo format (a heading that only omo plans have), open",
    )
    expect(all).toContain("todo:3")
    expect(all).toContain("ok opencode 1.18.33")
    expect(all).toContain("No work was started here yet.")
  }))

/** The PATH with the command line from here, and an opencode that tells its version. */
function withPrograms(bin: string): string {
  mkdirSync(bin)
  const main = join(ROOT, "src/cli/main.ts")
  const programs = {
    "opencode-boulder": `exec '${process.execPath}' '${main}' "$@"`,
    opencode: "echo 1.18.33",
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return `${bin}${delimiter}${process.env["PATH"]}`
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
