/**
 * `npm run mutants`: changes one place of the source at a time, in a copy of this tree, and runs the fast tests that can
 * see it. What all of them let live is printed: it wants a test, or a line in `changes-nothing.json`. What is known of a
 * sample is kept below `node_modules/.cache`: the same seed and count go on where they were ended.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { REPO } from "../support/host-version.ts"
import { copyTree, runIn } from "./copied-tree.ts"
import { coveringTests, type TestGroup } from "./covering-tests.ts"
import { type Mutation, mutate, mutationsOf } from "./mutations.ts"

const FOLDERS = ["decide", "boulder", "plan", "store", "opencode"]
/** A mutant that takes this many times its tests' own processor time, and a start, runs in a circle: it is found by that. */
const CIRCLE = 2
const START_MS = 5_000

type Mutant = Mutation & { readonly id: string; readonly file: string }
/** "typed": the types have let it live; "alive": the tests in `src` have, too, and the others have not been asked. */
type Fate = "typed" | "killed" | "types" | "changes nothing" | "alive" | "survived"
type Result = { readonly id: string; readonly fate: Fate; readonly by: string }

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 100_000) },
    count: { type: "string", default: "30" },
    only: { type: "string", default: "src/" },
    /** A file with the names of mutants, a line each: those, in the place of a sample. */
    these: { type: "string" },
    /** Test files or folders: nothing but these are asked, and nothing is kept. */
    test: { type: "string", multiple: true },
  },
})
const seed = Number(values.seed)
const count = Number(values.count)

const copy = copyTree()
const run = runIn(copy)

const all = allMutants(values.only)
const asked = values.these === undefined ? null : readFileSync(values.these, "utf8").split("\n")
const mutants =
  asked === null ? sample(all, count, seed) : all.filter(({ id }) => asked.includes(id))
const harmless = readHarmless()
if (values.test !== undefined) {
  for (const mutant of mutants) {
    const group = { files: values.test, cpuMs: 60_000 }
    const result = await withMutants([mutant], () => killedBy(mutant, group))
    say(`${result?.fate ?? "alive"} ${mutant.id}${result === null ? "" : ` (${result.by})`}`)
  }
  process.exit()
}
const cache = join(REPO, "node_modules", ".cache")
mkdirSync(cache, { recursive: true })
const log = join(cache, `mutants-${asked === null ? `${seed}-${count}` : "these"}.jsonl`)
const known = new Map<string, Result>(readLog(log).map((result) => [result.id, result]))
say(`seed ${seed}: ${mutants.length} mutants; what is known already: ${known.size} (${log})`)
const unknown = mutants.filter(({ id }) => !known.has(id) && !harmless.has(id))
for (const set of oneOfEachFile(unknown)) await askTypes(set)
const left = mutants.filter(({ id }) => known.get(id)?.fate !== "types")
const testsFor = await coveringTests(copy, join(cache, "mutants-coverage.json"), run, left)
for (const round of [inSrc, inAll]) {
  for (const mutant of mutants) {
    const result = await round(mutant, known.get(mutant.id))
    if (result !== known.get(mutant.id)) keep(result)
  }
}
const number = (fate: Fate) => [...known.values()].filter((result) => result.fate === fate).length
say(`seed ${seed}: ${known.size} mutants, ${number("killed")} killed by tests,`)
say(`${number("types")} by the types, ${number("changes nothing")} known to change nothing,`)
say(`${number("survived")} survived`)
process.exitCode = number("survived") > 0 ? 1 : 0

function keep(result: Result): void {
  known.set(result.id, result)
  appendFileSync(log, `${JSON.stringify(result)}\n`)
  say(`${known.size} ${result.fate} ${result.id}${result.by === "" ? "" : ` (${result.by})`}`)
}

/** Functions declare what they give, so that an error of types lies in the file of its mutant: one in each is asked at once. */
async function askTypes(set: readonly Mutant[]): Promise<void> {
  const { output } = await withMutants(set, () => run("tsc", ["-p", "tsconfig.json"]))
  const errors = [...output.matchAll(/^(src\/.*?)\(\d+,\d+\): error (.*)$/gm)]
  for (const { id, file } of set) {
    const error = errors.find(([, where]) => where === file)?.[2]
    keep({ id, fate: error === undefined ? "typed" : "types", by: error ?? "" })
  }
}

function oneOfEachFile(list: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const sets: Mutant[][] = []
  for (const mutant of list) {
    const set = sets.find((others) => others.every(({ file }) => file !== mutant.file))
    if (set === undefined) sets.push([mutant])
    else set.push(mutant)
  }
  return sets
}

/** The quick round over all mutants, so that what may survive is known early. */
async function inSrc(mutant: Mutant, before?: Result): Promise<Result> {
  if (before !== undefined && before.fate !== "typed") return before
  if (harmless.has(mutant.id)) return { id: mutant.id, fate: "changes nothing", by: "" }
  return withMutants([mutant], async () => {
    const [beside, others] = testsFor(mutant)
    return (await killedBy(mutant, beside)) ?? (await killedBy(mutant, others)) ?? alive(mutant)
  })
}

/** What the tests in `src` let live is put to the tests on disk and of properties. */
async function inAll(mutant: Mutant, before?: Result): Promise<Result> {
  if (before?.fate !== "alive") return before ?? alive(mutant)
  return withMutants([mutant], async () => {
    const [, , others] = testsFor(mutant)
    return (await killedBy(mutant, others)) ?? { ...before, fate: "survived" }
  })
}

function alive({ id }: Mutant): Result {
  return { id, fate: "alive", by: "" }
}

/** At most one mutant of a file. */
async function withMutants<T>(set: readonly Mutant[], act: () => Promise<T>): Promise<T> {
  const texts = set.map((mutant) => ({
    path: join(copy, mutant.file),
    text: readFileSync(join(copy, mutant.file), "utf8"),
    mutant,
  }))
  for (const { path, text, mutant } of texts) writeFileSync(path, mutate(text, mutant))
  try {
    return await act()
  } finally {
    for (const { path, text } of texts) writeFileSync(path, text)
  }
}

async function killedBy({ id }: Mutant, group?: TestGroup): Promise<Result | null> {
  if (group === undefined || group.files.length === 0) return null
  const files = group.files.map((test) => `./${test}`)
  const args = ["test", "--bail", "--no-isolate", "--timeout", "120000", ...files]
  const { ok, output } = await run("bun", args, { cpuMs: START_MS + CIRCLE * group.cpuMs })
  return ok ? null : { id, fate: "killed", by: firstFailure(output) }
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
  return { ...mutation, file, id: `${file}: ${before} → ${after}` }
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

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
