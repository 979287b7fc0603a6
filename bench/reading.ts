import { parsePlan } from "../src/plan/parse-plan.ts"

export interface ReadingRow {
  readonly tasks: number
  readonly bytes: number
  /** Median of the runs. */
  readonly readMs: number
  /** The least that a reader by lines does: split the same text and look for a box on each line. */
  readonly scanMs: number
  readonly ratio: number
}

const SIZES = [10, 100, 1_000, 10_000]
const RUNS = 15
const DETAIL_LINES = 7

/** Measures the reading of a plan of 10, 100, 1,000 and 10,000 tasks (about 5 MB) against a bare line scan, in turns. */
export function measureReading(sizes: readonly number[] = SIZES, runs = RUNS): ReadingRow[] {
  return sizes.map((tasks) => {
    const text = planOf(tasks)
    const rounds = Array.from({ length: runs }, () => ({
      readMs: timed(() => parsePlan(text).counts.total),
      scanMs: timed(() => scanLines(text)),
    }))
    const readMs = median(rounds.map((round) => round.readMs))
    const scanMs = median(rounds.map((round) => round.scanMs))
    return { tasks, bytes: text.length, readMs, scanMs, ratio: readMs / scanMs }
  })
}

function planOf(tasks: number): string {
  const rows = Array.from({ length: tasks }, (_, at) => taskOf(at + 1))
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
}

function taskOf(label: number): string {
  const mark = label % 2 === 0 ? "x" : " "
  const details = Array.from(
    { length: DETAIL_LINES },
    (_, at) => `  - Step ${at + 1}: change the handler of part ${label} and keep its old answer`,
  )
  return [
    `- [${mark}] ${label}. Move part ${label} behind the new border`,
    "",
    "  **What to do**:",
    ...details,
    `  - [ ] the test of part ${label} is green`,
    `  **Blocked By**: ${label > 1 ? label - 1 : "None"}`,
    "",
  ].join("\n")
}

const BOX = /^[ \t]*[-*+] \[.\] /

function scanLines(text: string): number {
  let boxes = 0
  for (const line of text.split("\n")) if (BOX.test(line)) boxes += 1
  return boxes
}

function timed(work: () => number): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}

if (import.meta.main) {
  for (const { tasks, bytes, readMs, scanMs, ratio } of measureReading()) {
    console.log(
      `${String(tasks).padStart(6)} tasks ${String(bytes).padStart(8)} bytes  read ${readMs.toFixed(2)} ms` +
        `  line scan ${scanMs.toFixed(2)} ms  ratio ${ratio.toFixed(1)} (goal at 10,000: 20)`,
    )
  }
}
