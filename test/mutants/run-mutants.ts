/**
 * `npm run mutants`: changes one place of the source at a time, in a copy of this tree, and runs the fast tests that can
 * see it. What all of them let live is printed: it wants a test, or a line in `changes-nothing.json`.
 */
import { execFileSync, spawn } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { REPO } from "../support/host-version.ts"
import { coveringTests } from "./covering-tests.ts"
import { type Mutation, mutate, mutationsOf } from "./mutations.ts"

const FOLDERS = ["decide", "boulder", "plan", "store", "opencode"]
/** Far above what all fast tests take: a mutant that takes longer runs in a circle, and is found by that. */
const LIMIT_MS = 10 * 60_000

type Mutant = Mutation & {
  readonly id: string
  readonly file: string
  readonly fromLine: number
  readonly toLine: number
}
/** "alive": the tests in `src` have let it live, the others have not been asked. */
type Fate = "killed" | "types" | "changes nothing" | "alive" | "survived"
type Result = { readonly id: string; readonly fate: Fate; readonly by: string }

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 100_000) },
    count: { type: "string", default: "30" },
    only: { type: "string", default: "src/" },
    /** A file with the names of mutants, a line each: those, in the place of a sample. */
    these: { type: "string" },
  },
})
const seed = Number(values.seed)
const count = Number(values.count)

const copy = copyTree()
process.on("exit", () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))

const all = allMutants(values.only)
const asked = values.these === undefined ? null : readFileSync(values.these, "utf8").split("\n")
const mutants =
  asked === null ? sample(all, count, seed) : all.filter(({ id }) => asked.includes(id))
const harmless = readHarmless()
const cache = join(REPO, "node_modules", ".cache")
mkdirSync(cache, { recursive: true })
const log = join(cache, `mutants-${asked === null ? `${seed}-${count}` : "these"}.jsonl`)
const known = new Map<string, Result>(readLog(log).map((result) => [result.id, result]))
say(`seed ${seed}: ${mutants.length} mutants; what is known already: ${known.size} (${log})`)
const testsOf = await coveringTests(copy, join(cache, "mutants-coverage.json"), (args) =>
  runProgram("bun", args),
)
const testsFor = ({ file, fromLine, toLine }: Mutant) => testsOf(file, fromLine, toLine)

for (const round of [inSrc, inAll]) {
  for (const mutant of mutants) {
    const result = await round(mutant, known.get(mutant.id))
    if (result === known.get(mutant.id)) continue
    known.set(mutant.id, result)
    appendFileSync(log, `${JSON.stringify(result)}\n`)
    say(`${known.size} ${result.fate} ${mutant.id}${result.by === "" ? "" : ` (${result.by})`}`)
  }
}
const number = (fate: Fate) => [...known.values()].filter((result) => result.fate === fate).length
say(`seed ${seed}: ${known.size} mutants, ${number("killed")} killed by tests,`)
say(`${number("types")} by the types, ${number("changes nothing")} known to change nothing,`)
say(`${number("survived")} survived`)
process.exitCode = number("survived") > 0 ? 1 : 0

/** The quick round over all mutants, so that what may survive is known early. */
async function inSrc(mutant: Mutant, before?: Result): Promise<Result> {
  if (before !== undefined) return before
  if (harmless.has(mutant.id)) return { id: mutant.id, fate: "changes nothing", by: "" }
  return withMutant(mutant, async () => {
    const [beside, others] = testsFor(mutant)
    return (await killedBy(mutant, beside)) ?? (await killedBy(mutant, others)) ?? alive(mutant)
  })
}

/** What the tests in `src` let live is put to the types, and to the tests on disk and of properties. */
async function inAll(mutant: Mutant, before?: Result): Promise<Result> {
  if (before?.fate !== "alive") return before ?? alive(mutant)
  return withMutant(mutant, async () => {
    const types = await runProgram("tsc", ["-p", "tsconfig.json"])
    if (!types.ok) return { ...before, fate: "types" }
    const [, , others] = testsFor(mutant)
    return (await killedBy(mutant, others)) ?? { ...before, fate: "survived" }
  })
}

function alive({ id }: Mutant): Result {
  return { id, fate: "alive", by: "" }
}

async function withMutant(mutant: Mutant, run: () => Promise<Result>): Promise<Result> {
  const path = join(copy, mutant.file)
  const text = readFileSync(path, "utf8")
  writeFileSync(path, mutate(text, mutant))
  try {
    return await run()
  } finally {
    writeFileSync(path, text)
  }
}

async function killedBy({ id }: Mutant, tests: readonly string[] = []): Promise<Result | null> {
  if (tests.length === 0) return null
  const files = tests.map((test) => `./${test}`)
  const run = await runProgram("bun", ["test", "--bail", "--timeout", "60000", ...files])
  return run.ok ? null : { id, fate: "killed", by: firstFailure(run.output) }
}

function firstFailure(output: string): string {
  return (
    /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(output)?.[1] ??
    "no test: it did not load or did not end"
  )
}

function allMutants(only: string): readonly Mutant[] {
  const all = FOLDERS.flatMap((folder) => sourcesOf(`src/${folder}`))
    .filter((file) => file.startsWith(only))
    .flatMap((file) => {
      const text = readFileSync(join(copy, file), "utf8")
      return mutationsOf(file, text).map((mutation) => named(file, text, mutation))
    })
  return [...new Map(all.map((mutant) => [mutant.id, mutant])).values()]
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
    .toSorted()
}

/** A mutant is known by its file and by what is changed into what, so that lines above may come and go. */
function named(file: string, text: string, mutation: Mutation): Mutant {
  const begin = text.lastIndexOf("\n", mutation.start - 1) + 1
  const newline = text.indexOf("\n", mutation.end)
  const end = newline < 0 ? text.length : newline
  const short = (code: string) => code.replace(/\s+/g, " ").trim()
  const before = short(text.slice(begin, end))
  const after = short(
    text.slice(begin, mutation.start) + mutation.replacement + text.slice(mutation.end, end),
  )
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length
  const [fromLine, toLine] = [lineOf(mutation.start), lineOf(mutation.end)]
  return { ...mutation, file, fromLine, toLine, id: `${file}: ${before} → ${after}` }
}

/** The first `count` of the list, shuffled by the seed (mulberry32). */
function sample<T>(list: readonly T[], size: number, from: number): readonly T[] {
  let state = from
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const keyed = list.map((item) => ({ item, key: random() }))
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ item }) => item)
}

function readHarmless(): ReadonlySet<string> {
  const text = readFileSync(join(REPO, "test/mutants/changes-nothing.json"), "utf8")
  return new Set(Object.keys(JSON.parse(text) as Record<string, string>))
}

function readLog(path: string): readonly Result[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, "utf8").split("\n")
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Result)
}

/** The files of the tree as they are now, in a repository of its own; modules and build are linked. */
function copyTree(): string {
  const target = mkdtempSync(join(tmpdir(), "boulder-mutants-"))
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: REPO,
    encoding: "utf8",
  })
  for (const file of listed.split("\n").filter((name) => name !== "")) {
    if (!existsSync(join(REPO, file))) continue
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(REPO, file), join(target, file))
  }
  for (const folder of ["node_modules", "dist"])
    symlinkSync(join(REPO, folder), join(target, folder))
  execFileSync("git", ["init", "-q"], { cwd: target })
  execFileSync("git", ["add", "-A"], { cwd: target })
  return target
}

function runProgram(
  name: string,
  args: readonly string[],
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(join(REPO, "node_modules", ".bin", name), args, {
      cwd: copy,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    }
    const timer = setTimeout(end, LIMIT_MS)
    process.once("exit", end)
    child.on("close", (code) => {
      clearTimeout(timer)
      process.off("exit", end)
      resolve({ ok: code === 0, output })
    })
  })
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
