/** Which fast tests run a line of the source, as coverage tells; kept until a file of the tree changes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { hashText } from "../../src/plan/model/hash-text.ts"

/** Test files in groups to be run one after the other: the one beside, the others in `src`, then the slower ones. */
export type TestGroups = readonly (readonly string[])[]

/** The lines of each source file that a test file runs. */
type Coverage = Record<string, Record<string, readonly number[]>>

type Runner = (args: readonly string[]) => Promise<{ ok: boolean; output: string }>

const FOLDERS = ["src", "test/on-disk", "test/property"]

/**
 * Runs each fast test file of the tree alone, with coverage, unless that is in `cacheFile`; throws where one fails. The
 * function gives the tests that run one of the lines `from` to `to` of a file; all paths are relative to `root`.
 */
export async function coveringTests(
  root: string,
  cacheFile: string,
  bun: Runner,
): Promise<(file: string, from: number, to: number) => TestGroups> {
  const coverage = await cached(cacheFile, fingerprint(root), () => measured(root, bun))
  return (file, from, to) => {
    const tests = Object.keys(coverage).filter((test) => {
      const lines = coverage[test]?.[file] ?? []
      return lines.some((line) => line >= from && line <= to)
    })
    const beside = tests.filter((test) => test === file.replace(/\.ts$/, ".test.ts"))
    const inSrc = tests.filter((test) => test.startsWith("src/") && !beside.includes(test))
    return [beside, inSrc, tests.filter((test) => !test.startsWith("src/"))]
  }
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

async function measured(root: string, bun: Runner): Promise<Coverage> {
  const coverage: Coverage = {}
  const folder = mkdtempSync(join(tmpdir(), "boulder-coverage-"))
  const tests = FOLDERS.flatMap((name) => filesUnder(root, name)).filter((name) =>
    name.endsWith(".test.ts"),
  )
  for (const test of tests) {
    const flags = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`]
    const run = await bun(["test", "--timeout", "60000", ...flags, `./${test}`])
    if (!run.ok) throw new Error(`${test} fails without a mutant:\n${run.output}`)
    coverage[test] = readLcov(readFileSync(join(folder, "lcov.info"), "utf8"))
  }
  rmSync(folder, { recursive: true })
  return coverage
}

/** Lines that the report leaves out belong to the one before them: an expression goes on there. */
function readLcov(text: string): Record<string, readonly number[]> {
  return Object.fromEntries(
    text.split("end_of_record").flatMap((record) => {
      const file = /^SF:(src\/.*)$/m.exec(record)?.[1]
      if (file === undefined || file.endsWith(".test.ts")) return []
      const counts = [...record.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => ({
        line: Number(line),
        isRun: count !== "0",
      }))
      const lines = counts.flatMap(({ line, isRun }, index) => {
        const next = counts[index + 1]?.line ?? line + 1
        return isRun ? Array.from({ length: next - line }, (_, more) => line + more) : []
      })
      return [[file, lines]]
    }),
  )
}

function fingerprint(root: string): string {
  const files = ["src", "test"].flatMap((name) => filesUnder(root, name))
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
