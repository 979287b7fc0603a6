import { execFileSync, spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { openGitState } from "../src/store/processes/git-state.ts"
import { temporaryFolder } from "../test/support/temporary-folder.ts"
import { measureCommandLine } from "./command-line.ts"
import { type HookRow, type HookTimes, measureHooks, measureSoak, traceTask } from "./hooks.ts"
import { measureWriters } from "./writers.ts"

/**
 * `npm run bench`: every figure that we have set ourselves a goal for, as one table with a verdict, which is written into
 * docs/FIGURES.md. `npm run bench -- --peer <folder>` measures the hooks of the plugin `oh-my-opencode` that is
 * installed in a folder, by the same rows, and writes nothing. `--quick` measures two sizes in few rounds.
 */
const ROOT = join(import.meta.dir, "..")
const FIGURES = join(ROOT, "docs", "FIGURES.md")
const [BEGIN, END] = ["<!-- bench:begin -->", "<!-- bench:end -->"]
const isQuick = process.argv.includes("--quick")
const SIZES = isQuick ? [10, 1_000] : [10, 100, 1_000, 10_000]
const SOAKED = isQuick ? 500 : 10_000

interface Row {
  readonly what: string
  readonly measured: string
  readonly goal: string
  /** Null where there is nothing to hold it to. */
  readonly isKept: boolean | null
}

const sorted = (list: readonly number[]) => list.toSorted((one, other) => one - other)
const at = (list: readonly number[], share: number) =>
  sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN
const median = (list: readonly number[]) => at(list, 0.5)
const short = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

/** The same at each size: code that has run seldom is slow, and fewer rounds would look like a larger plan. */
const ROUNDS = isQuick ? 7 : 61

/** A row at all sizes: medians, the spread from the first to the ninth tenth at the last one, times two bare writes. */
function hookRow(
  all: readonly HookTimes[],
  row: HookRow,
  { what, times, plusMs = 0 }: { what: string; times: number; plusMs?: number },
): Row {
  const goal = `≤ ${times} × bare${plusMs > 0 ? ` + ${plusMs} ms` : ""}, at any size`
  const seen = all.filter((one) => one.times[row].length > 0)
  if (seen.length === 0) return { what, measured: "–", goal, isKept: null }
  const medians = seen.map((one) => median(one.times[row]))
  const ratios = seen.map((one, index) => (medians[index] ?? 0) / median(one.times.bare))
  const last = seen.at(-1)?.times[row] ?? []
  const isKept = seen.every(
    (one, index) => (medians[index] ?? 0) <= times * median(one.times.bare) + plusMs,
  )
  const measured = `${medians.map(short).join(" / ")} ms (${ratios.map((ratio) => ratio.toFixed(1)).join(" / ")} × bare; at the last ${short(at(last, 0.1))} to ${short(at(last, 0.9))})`
  return { what, measured, goal, isKept }
}

function hookRows(entry: string | null): Row[] {
  const all = SIZES.map((tasks) => measureHooks(entry, tasks, ROUNDS))
  const largest = all.at(-1)
  const other = median(all.flatMap((one) => one.times.other)) * 1_000
  const start = largest?.times.start[0] ?? Number.NaN
  const scans = start / median(largest?.times.scan ?? [])
  const traced = traceTask(entry)
  return [
    {
      what: "two bare durable writes of 4 kB (bare)",
      measured: `${all.map((one) => short(median(one.times.bare))).join(" / ")} ms`,
      goal: "–",
      isKept: null,
    },
    hookRow(all, "task", { what: "`task` before + after, plan unchanged", times: 2 }),
    hookRow(all, "task-edited", { what: "first `task` after a tick", times: 2, plusMs: 1 }),
    hookRow(all, "edit", { what: "an edit that ticks the plan", times: 2 }),
    hookRow(all, "idle", { what: "idle → prompt, plan as seen", times: 2 }),
    hookRow(all, "idle-edited", { what: "idle → prompt, plan edited", times: 3 }),
    {
      what: "another tool, before + after",
      measured: `${short(other)} µs`,
      goal: "≤ 5 µs",
      isKept: other <= 5,
    },
    {
      what: `\`/start-work\`, ${largest?.tasks.toLocaleString("en-US")} tasks, first in its process`,
      measured: `${short(start)} ms, ${short(scans)} line scans`,
      goal: "≤ 12 line scans",
      isKept: scans <= 12,
    },
    {
      what: "files a `task` call",
      measured:
        traced === null
          ? "– (no strace)"
          : `${traced.reads} reads, ${traced.placed} durable writes, ${traced.fsyncs} fsyncs`,
      goal: "≤ 2 reads, 2 durable writes",
      isKept: traced === null ? null : traced.reads <= 2 && traced.placed <= 2,
    },
  ]
}

/** A project's git, asked as at an idle; how many processes that takes. */
async function gitRow(untracked: number): Promise<Row> {
  const folder = temporaryFolder("git")
  const path = process.env["PATH"]
  try {
    const project = join(folder, "project")
    mkdirSync(join(project, "new"), { recursive: true })
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", project, "-c", "user.name=t", "-c", "user.email=t@t", ...args])
    git("init", "-q")
    for (let file = 0; file < 50; file++) writeFileSync(join(project, `${file}.txt`), `${file}\n`)
    git("add", ".")
    git("commit", "-qm", "first")
    for (let file = 0; file < untracked; file++)
      writeFileSync(join(project, "new", `${file}.txt`), `${file}\n`.repeat(200))
    const { tree: gitState } = openGitState(project)
    const times: number[] = []
    for (let run = 0; run < 11; run++) {
      const start = performance.now()
      await gitState()
      times.push(performance.now() - start)
    }
    const log = join(folder, "log")
    const counting = join(folder, "git")
    writeFileSync(counting, `#!/bin/sh\necho >> '${log}'\nexec '${Bun.which("git")}' "$@"\n`)
    chmodSync(counting, 0o755)
    appendFileSync(log, "")
    process.env["PATH"] = `${folder}:${path}`
    await gitState()
    const processes = readFileSync(log, "utf8").length
    return {
      what: `git at an idle${untracked > 0 ? `, ${untracked.toLocaleString("en-US")} untracked files` : ""}`,
      measured: `${short(median(times))} ms, ${processes} processes`,
      goal: "at most one process",
      isKept: processes <= 1,
    }
  } finally {
    process.env["PATH"] = path
  }
}

/** Many that write one state back to back, whichever of them waits longest. */
async function writersRow(): Promise<Row> {
  const [processes, updates] = [8, isQuick ? 60 : 600]
  const { times, gaveUp } = await measureWriters(processes, updates)
  const p99 = at(times, 0.99)
  return {
    what: `${processes} processes × ${updates} updates back to back`,
    measured: `${short(median(times))} ms, p99 ${short(p99)}, at most ${short(at(times, 1))}; ${gaveUp} given up`,
    goal: "p99 ≤ 500 ms, none given up",
    isKept: p99 <= 500 && gaveUp === 0,
  }
}

function tokensRow(): Row {
  const file = join(ROOT, "test", "on-disk", "injected-tokens.test.ts")
  const { stdout, stderr } = spawnSync(process.execPath, ["test", "--timeout", "60000", file], {
    cwd: ROOT,
    encoding: "utf8",
  })
  const tokens = Number(/injected: (\d+) tokens/.exec(stdout + stderr)?.[1])
  return {
    what: "a plan of 40 tasks to its end, injected",
    measured: `${tokens.toLocaleString("en-US")} tokens`,
    goal: "≤ 7,000",
    isKept: tokens <= 7_000,
  }
}

async function commandRows(): Promise<Row[]> {
  const times = await measureCommandLine(["--help", "status"], isQuick ? 5 : 15)
  const bare = median(times.get("node -e 0") ?? [])
  // The goals were set where a bare process took 49 ms.
  return [
    ["--help", 100],
    ["status", 120],
  ].map(([line, goalMs]) => {
    const ms = median(times.get(String(line)) ?? [])
    const most = Number(goalMs) / 49
    const measured = `${short(ms)} ms, ${(ms / bare).toFixed(2)} × a bare process (${short(bare)} ms)`
    const goal = `≤ ${most.toFixed(2)} × (${goalMs} ms where that takes 49)`
    return { what: `\`${line}\` in Node`, measured, goal, isKept: ms <= most * bare }
  })
}

function installedRow(): Row {
  const out = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [{ unpackedSize = Number.NaN } = {}] = JSON.parse(out)
  const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  const packages = 1 + Object.keys(dependencies).length
  return {
    what: "installed by a user",
    measured: `${(unpackedSize / 1e6).toFixed(1)} MB, ${packages} package${packages === 1 ? "" : "s"}`,
    goal: "≤ 6 MB, ≤ 10 packages",
    isKept: unpackedSize <= 6e6 && packages <= 10,
  }
}

function soakRow(entry: string | null): Row {
  const { calls, heapBefore, heapAfter, resident } = measureSoak(entry, 5_000, SOAKED)
  return {
    what: `heap behind ${calls.toLocaleString("en-US")} calls, ${Math.min(calls, 1_000).toLocaleString("en-US")} sessions, ${(calls / 10).toLocaleString("en-US")} edits of a plan of 5,000 tasks`,
    measured: `${short(heapBefore)} → ${short(heapAfter)} MB (${short(resident)} resident)`,
    goal: "≤ 40 MB",
    isKept: heapAfter <= 40,
  }
}

function verdict({ isKept }: Row): string {
  if (isKept === null) return ""
  return isKept ? "kept" : "**not kept**"
}

function tableOf(rows: readonly Row[], loads: readonly number[]): string {
  const lines = rows.map(
    (row) => `| ${row.what} | ${row.measured} | ${row.goal} | ${verdict(row)} |`,
  )
  const said = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, Bun ${Bun.version}, load ${loads.map((load) => load.toFixed(1)).join(" to ")}. Medians, at ${SIZES.map((size) => size.toLocaleString("en-US")).join(" / ")} tasks half done.`
  return [said, "", "| what | measured | goal | |", "| --- | --- | --- | --- |", ...lines].join(
    "\n",
  )
}

/** The module of the peer that is installed in a folder. */
function peerIn(folder: string): string {
  const own = join(folder, "node_modules", "oh-my-opencode")
  const { main = "dist/index.js" } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"))
  return join(own, main)
}

const peer = process.argv[process.argv.indexOf("--peer") + 1]
const isOfPeer = process.argv.includes("--peer") && peer !== undefined
if (!existsSync(join(ROOT, "dist", "index.js")))
  throw new Error("Expected dist; run `npm run build`.")
const before = loadavg()[0] ?? 0
const rows = isOfPeer
  ? hookRows(peerIn(peer))
  : [
      ...hookRows(null),
      await gitRow(0),
      await gitRow(5_000),
      await writersRow(),
      tokensRow(),
      ...(await commandRows()),
      installedRow(),
      soakRow(null),
    ]
const table = tableOf(rows, [before, loadavg()[0] ?? 0])
console.log(table)
if (!isOfPeer && !isQuick) {
  const text = readFileSync(FIGURES, "utf8")
  const [head, rest] = text.split(BEGIN)
  const tail = rest?.split(END)[1]
  if (head === undefined || tail === undefined)
    throw new Error(`Expected ${BEGIN} and ${END} in ${FIGURES}.`)
  writeFileSync(FIGURES, `${head}${BEGIN}\n${table}\n${END}${tail}`)
}
