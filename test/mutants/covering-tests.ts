/**
 * Which fast tests run a place of the source: the blocks around the places are marked, and all tests are run once over what
 * is marked. Kept until a file of the tree changes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { hashText } from "../../src/plan/model/hash-text.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { blocksOf, type Marked, marksOf, withMarks } from "./marks.ts"

/** Test files to be run in one process, and what processor time they take without a mutant. */
export type TestGroup = { readonly files: readonly string[]; readonly cpuMs: number }

export type Place = { readonly file: string; readonly start: number; readonly end: number }

/** Of each test file the marks that it runs, and its processor time. */
type Coverage = Record<string, { readonly marks: readonly number[]; readonly cpuMs: number }>

export type Runner = (
  program: string,
  args: readonly string[],
  limits?: { readonly cpuMs?: number; readonly env?: Readonly<Record<string, string>> },
) => Promise<{ readonly ok: boolean; readonly output: string }>

const HERE = "test/mutants/"
const FOLDERS = ["src", "test/on-disk", "test/property"]
const PRELOADED = "./test/mutants/write-marks.ts"

/**
 * Runs all fast test files of the tree over marked sources, unless that is in `cacheFile`. The function gives the tests that
 * run a place, in groups to be run one after the other: the one beside, the others in `src`, then the slower ones. A test
 * file that fails over marked sources is in none. All paths are relative to `root`.
 */
export async function coveringTests(
  root: string,
  cacheFile: string,
  run: Runner,
  places: readonly Place[],
): Promise<(place: Place) => readonly TestGroup[]> {
  const sources = sourcesOf(root)
  const wanted = new Set(places.flatMap((place) => [...marksOf(sources, place)]))
  const marked = sources.map((source) => ({ ...source, marked: withMarks(source, wanted) }))
  const key = hashText(`${fingerprint(root)} ${[...wanted].join(" ")}`)
  const coverage = await cached(cacheFile, key, () => measured(root, marked, run))
  const group = (files: readonly string[]): TestGroup => {
    const cost = (file: string) => coverage[file]?.cpuMs ?? 0
    const cheapFirst = files.toSorted((a, b) => cost(a) - cost(b))
    return { files: cheapFirst, cpuMs: cheapFirst.reduce((sum, file) => sum + cost(file), 0) }
  }
  return (place) => {
    const marks = marksOf(sources, place)
    const tests = Object.keys(coverage).filter((test) =>
      coverage[test]?.marks.some((number) => marks.has(number)),
    )
    const beside = tests.filter((test) => test === place.file.replace(/\.ts$/, ".test.ts"))
    const inSrc = tests.filter((test) => test.startsWith("src/") && !beside.includes(test))
    const slower = tests.filter((test) => !test.startsWith("src/"))
    return [beside, inSrc, slower].map(group)
  }
}

function sourcesOf(root: string): readonly Marked[] {
  let next = 0
  return filesUnder(root, "src")
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => {
      const source = blocksOf(file, readFileSync(join(root, file), "utf8"), next)
      next += source.blocks.length
      return source
    })
}

async function cached(file: string, key: string, make: () => Promise<Coverage>): Promise<Coverage> {
  const kept = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { key: string; coverage: Coverage })
    : undefined
  if (kept?.key === key) return kept.coverage
  const coverage = await make()
  writeFileSync(file, JSON.stringify({ key, coverage }))
  return coverage
}

async function measured(
  root: string,
  sources: readonly { readonly file: string; readonly text: string; readonly marked: string }[],
  run: Runner,
): Promise<Coverage> {
  const folder = temporaryFolder("marks")
  const env = { MARKS_FILE: join(folder, "marks") }
  for (const { file, marked } of sources) writeFileSync(join(root, file), marked)
  const flags = ["--isolate", "--timeout", "240000", "--preload", PRELOADED]
  const { output } = await run("bun", ["test", ...flags, ...FOLDERS.map((name) => `./${name}`)], {
    env,
  })
  for (const { file, text } of sources) writeFileSync(join(root, file), text)
  const coverage = readMarks(readFileSync(env.MARKS_FILE, "utf8"), root)
  const failed = failedFiles(output)
  process.stdout.write(`left out, since they fail over marked sources: ${failed.join(" ")}\n`)
  return Object.fromEntries(Object.entries(coverage).filter(([test]) => !failed.includes(test)))
}

/** A line is a test file and a mark, or a test file and the processor time (ms) that was spent before it. */
function readMarks(text: string, root: string): Coverage {
  const found = new Map<string, { marks: number[]; cpuMs: number }>()
  let last: { cpuMs: number; before: number } | undefined
  for (const line of text.split("\n")) {
    const [path = "", kind, number] = line.split("\t")
    if (kind === "mark") found.get(relative(root, path))?.marks.push(Number(number))
    if (kind !== "begun") continue
    const before = Number(number)
    if (last !== undefined) last.cpuMs = before - last.before
    const entry = { marks: [], cpuMs: 0, before }
    found.set(relative(root, path), entry)
    last = entry
  }
  return Object.fromEntries(
    [...found].map(([test, { marks, cpuMs }]) => [test, { marks, cpuMs }] as const),
  )
}

function failedFiles(output: string): readonly string[] {
  let file = ""
  const failed = new Set<string>()
  for (const line of output.split("\n")) {
    file = /^(\S+\.test\.ts):$/.exec(line)?.[1] ?? file
    if (line.startsWith("(fail)") || line.startsWith("error:")) failed.add(file)
  }
  return [...failed]
}

function fingerprint(root: string): string {
  const files = ["src", "test"]
    .flatMap((name) => filesUnder(root, name))
    .filter((file) => !file.startsWith(HERE))
  return hashText(
    files.map((file) => `${file} ${hashText(readFileSync(join(root, file), "utf8"))}`).join("\n"),
  )
}

function filesUnder(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))
    .toSorted()
}
