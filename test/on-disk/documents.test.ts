import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { commandsPage } from "../support/commands-page.ts"
import { withFormatsTable } from "../support/formats-table.ts"
import { withHostsTable } from "../support/hosts-table.ts"
import { optionsPage } from "../support/options-table.ts"

const ROOT = join(import.meta.dir, "../..")
const read = (name: string) => readFileSync(join(ROOT, name), "utf8")
const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
  .sort()

test("the tree in ARCHITECTURE.md is the tree of src, with each file's first line: npm run docs", () => {
  const block = /```tree\n([\s\S]*?)```/.exec(read("docs/ARCHITECTURE.md"))?.[1] ?? ""
  let folder = ""
  const listed = block.split("\n").flatMap((line) => {
    const opened = /^(\w[\w/-]*)\/(\s|$)/.exec(line)
    if (opened) folder = `${opened[1]}/`
    const [, indent, name, about] = /^( *)([\w-]+(?:\.d)?\.tsx?)\s+(\S.*)$/.exec(line) ?? []
    return name ? [`${indent === "" ? "" : folder}${name}: ${about}`] : []
  })
  const firstLines = sources.map((name) => {
    const [, about] = /^(?:#!.*\n)?\/\/ (.*)\.\n/.exec(read(`src/${name}`)) ?? []
    return `${name}: ${about}`
  })
  expect(listed.sort()).toEqual(firstLines.sort())
})

/** A host's tools and agents whose names are no words of ours, and those that are words of ours too. */
const HOSTS_OWN =
  "bash|grep|glob|todowrite|todoread|webfetch|websearch|codesearch|multiedit|apply_patch|general|explore"
const OF_BOTH = "read|write|edit|patch|list|task|question|skill|build|plan|code|title|summary"
const HOSTS_NAMES = [
  /\b(?:session|call|message|parent|provider|model|request|permission)ID\b/,
  /\b(?:task_id|subagent_type|filePath|patchText|oldString|newString)\b/,
  /\b(?:apply_patch|multiedit|todowrite|webfetch)\b|(?:from|import\() ?"@opencode-ai/,
  /"(?:session|message|permission|question|tool|chat|experimental|command)\.[a-z][a-z.]*"/,
  /`(?:task|question|write|edit|bash)\\?`/,
  // As texts: a word of both names a tool or an agent where one is compared with it.
  new RegExp(`["'](?:${HOSTS_OWN})["']`),
  new RegExp(`\\b(?:name|tool|agent) ?[!=]== ?["'](?:${OF_BOTH})["']`),
  /\b(?:MessageAborted|ContextOverflow|ProviderModelNotFound|ProviderAuth|MessageOutputLength)Error\b/,
  /\b(?:responseHeaders|responseBody|statusCode)\b/,
]

test.each([
  { code: 'if (call.name === "edit") return' },
  { code: 'const SHELLS = new Set(["bash"])' },
  { code: 'if (tool !== "task") return null' },
  { code: 'agent === "plan"' },
  { code: 'error === "ContextOverflowError"' },
])("$code names what is a host's", ({ code }) => {
  expect(HOSTS_NAMES.some((pattern) => pattern.test(code))).toBe(true)
})

test("a host's tools, agents, arguments, events, errors and packages are named behind the port alone", () => {
  // Comments may name what they speak of. The panel runs in another process, behind a port of its own.
  const code = (name: string) => read(`src/${name}`).replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, "")
  const outside = sources.filter((name) => !/^(?:opencode\/host|panel)\//.test(name))
  const found = outside.filter((name) => HOSTS_NAMES.some((pattern) => pattern.test(code(name))))
  expect(found).toEqual(Object.keys(NAMED_OUTSIDE).sort())
})

const ERRORS = "what ends a turn: a stop, a full context, a provider's refusal (docs/OPENCODE-2.md)"
const NAMED_OUTSIDE: Readonly<Record<string, string>> = {
  "boulder/upgrade-older-format.ts": "the agent of an older record that has none",
  "cli/table/completion-script.ts": "the shells in which commands are completed",
  "decide/classify-failure.ts": ERRORS,
  "decide/decide-continuation.ts": ERRORS,
  "prompts/handoff-refusal.ts": "`task` is an argument of our own tool",
  "prompts/handoff-text.ts": "`task` is an argument of our own tool",
}

test("no folder of src has over 15 files beside tests, but for the flat ones of the core", () => {
  const counts = new Map<string, number>()
  for (const name of sources) {
    const folder = name.split("/").slice(0, -1).join("/")
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const flat = ["boulder", "decide", "prompts", "headless"]
  const full = [...counts].filter(([folder, count]) => count > 15 && !flat.includes(folder))
  expect(full).toEqual([])
})

test("no source, test or document cites what is not in the repository", () => {
  const absent = [
    /\b(?:[Dd]esign|style|pains|one-way|host-contract|plan-formats|tui-contract)(?:\.md|-2| \d| rule)/,
    // The corpus lies beside the repository where it lies at all, and was skipped where it does not.
    /\bshared\/(?!corpus")/,
    /\(\d+ ?[a-z](?:, [a-z])*\)|\bissue \d+\b|\bthe issue (?:asks|says|wants|names|gives)\b/,
  ]
  const within = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:ts|tsx|mjs|md)$/.test(name) && !/fixtures|documents\.test/.test(name))
      .map((name) => `${folder}/${name}`)
  const roots = ["README.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md"]
  const files = ["src", "test", "bench", "scripts", "docs"].flatMap(within).concat(roots)
  expect(files.filter((name) => absent.some((pattern) => pattern.test(read(name))))).toEqual([])
})

test("AGENTS.md has at most 80 lines, ARCHITECTURE.md fits two pages of prose", () => {
  expect(read("AGENTS.md").split("\n").length).toBeLessThanOrEqual(81)
  const prose = read("docs/ARCHITECTURE.md").replace(/```tree\n[\s\S]*?```/, "")
  expect(prose.split(/\s+/).length).toBeLessThanOrEqual(1_000)
})

test("every boundary in SECURITY.md has a function of the sources and a test", () => {
  const section = /^## The boundaries\n([\s\S]*?)^## /m.exec(read("SECURITY.md"))?.[1] ?? ""
  const rows = [...section.matchAll(/^\| .+ → .+ \| .+ \| (.+) \| (.+) \|$/gm)]
  const code = [
    ...sources.map((name) => `src/${name}`),
    "scripts/build.ts",
    "scripts/third-party.ts",
  ]
    .map(read)
    .join("\n")
  expect(rows.length).toBeGreaterThan(15)
  for (const [row, holders = "", tests = ""] of rows) {
    const names = [...holders.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name ?? "")
    const isHeld = names.length > 0 && names.every((name) => code.includes(name))
    const isTested = tests.includes(".test.ts")
    expect({ row, isHeld, isTested }).toEqual({ row, isHeld: true, isTested: true })
  }
})

test("every JSON in the README and the guide can be pasted", () => {
  const names = ["README.md", "docs/GUIDE.md", "docs/TUTORIAL.md", "docs/OPTIONS.md"]
  const all = names.map(read).join("\n")
  const blocks = [...all.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text)
  expect(blocks.length).toBeGreaterThan(3)
  for (const text of blocks) expect(() => JSON.parse(text ?? "")).not.toThrow()
})

test("the README has at most 200 lines: what only some need is in docs", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(200)
})

test("OPTIONS.md is made of the schema of the options: npm run docs", () => {
  expect(read("docs/OPTIONS.md")).toBe(optionsPage())
})

test("COMMANDS.md is made of the table of commands: npm run docs", () => {
  expect(read("docs/COMMANDS.md")).toBe(commandsPage())
})

test("the table of hosts in the README is made of the suites that have run there: npm run docs", () => {
  expect(read("README.md")).toBe(withHostsTable(read("README.md")))
})

test("nothing in package.json keeps a host from loading the package", () => {
  const { engines, peerDependencies } = JSON.parse(read("package.json"))
  expect({ engines, peerDependencies }).toEqual({
    engines: { node: expect.any(String) },
    peerDependencies: { pg: expect.any(String) },
  })
})

test("the table in PLAN-FORMATS.md is the one that the reader's rows give: npm run docs", () => {
  const text = read("docs/PLAN-FORMATS.md")
  expect(text).toBe(withFormatsTable(text))
})

test("a source file over 250 lines says why", () => {
  const silent = sources.filter((name) => {
    const lines = read(`src/${name}`).split("\n")
    return lines.length > 251 && !lines.some((line) => line.startsWith("// Over 250 lines: "))
  })
  expect(silent).toEqual([])
})

describe("no source file is over 300 lines", () => {
  test.each(sources)("%s", (name) => {
    expect(read(`src/${name}`).split("\n").length).toBeLessThanOrEqual(301)
  })
})

test("the entry has one export, the default: the host calls every function that it finds", () => {
  const exported = read("src/index.ts").match(/^export .*/gm)
  expect(exported).toEqual(["export default plugin"])
})

test("the table of errors in STORE.md has every code of the store, each with a word that the code says", () => {
  const section = /^## Errors\n([\s\S]*?)^## /m.exec(read("docs/STORE.md"))?.[1] ?? ""
  const rows = [...section.matchAll(/^\| `([\w-]+)` \| (.+?) \| (.+?) \|$/gm)]
  const union =
    /StoreErrorCode =([\s\S]*?)\n\n/.exec(read("src/store/disk/store-error.ts"))?.[1] ?? ""
  const codes = [...union.matchAll(/"([\w-]+)"/g)].map((match) => match[1])
  expect(rows.map((row) => row[1])).toEqual(codes)
  const store = sources
    .filter((name) => name.startsWith("store/"))
    .map((name) => read(`src/${name}`))
  for (const [, code, , todo] of rows) {
    const isThrown = store.some((text) => text.includes(`code: "${code}"`))
    const isSaid = store.some((text) => text.includes(todo ?? ""))
    expect({ code, isThrown, isSaid }).toEqual({ code, isThrown: true, isSaid: true })
  }
})

test("no two source files have one name", () => {
  const names = sources.map((name) => name.slice(name.lastIndexOf("/") + 1))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test("the tests that the documents name are there", () => {
  const there = ["src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `/${folder}/${name}`,
    ),
  )
  for (const name of ["docs/STORE.md", "docs/HOST.md", "SECURITY.md"]) {
    const named = read(name).match(/[\w/.-]+\.test\.ts/g) ?? []
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((test) => !there.some((path) => path.endsWith(`/${test}`)))).toEqual([])
  }
})

/** `npm run world:proof` puts each defect back: a change of the lines around one must take its patch along. */
test("each defect of test/world/defects can be put back into the source as it is", () => {
  const patches = readdirSync(join(ROOT, "test/world/defects"))
  const said = patches.map((patch) => {
    const args = ["apply", "-C1", "--check", join("test/world/defects", patch)]
    return spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stderr
  })
  expect(patches.length).toBeGreaterThan(20)
  expect(said.filter((text) => text.startsWith("error"))).toEqual([])
})

/** npm drops entries of platform packages that its registry cannot give, and `npm ci` then refuses the lockfile. */
test("the lockfile has an entry for every optional dependency of what it installs", () => {
  type Entry = { optionalDependencies?: Record<string, string> }
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Entry> }
  const wanted = Object.values(packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  )
  const missing = wanted.filter(
    (name) => !Object.keys(packages).some((at) => at.endsWith(`node_modules/${name}`)),
  )
  expect(wanted.length).toBeGreaterThan(0)
  expect(missing).toEqual([])
})
