import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { temporaryFolder } from "../support/temporary-folder.ts"

/** Runs the crash tests and writes what they have counted into docs/STORE.md. Fails when a test fails. */
const ROOT = join(import.meta.dir, "..", "..")
const DOCUMENT = join(ROOT, "docs", "STORE.md")
const [BEGIN, END] = ["<!-- figures:begin -->", "<!-- figures:end -->"]

const folder = temporaryFolder("figures")
const figures = join(folder, "figures.jsonl")
const startedMs = performance.now()
const { status } = spawnSync(
  process.execPath,
  [
    "test",
    "test/crash",
    "test/kills/random-kills",
    "test/property/store-interleavings",
    "test/property/handoff-interleavings",
  ],
  {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, STORE_FIGURES: figures, STORE_RUNS: "1000" },
  },
)
const tookS = Math.round((performance.now() - startedMs) / 1_000)
if (status === 0 && existsSync(figures)) writeTable(readFileSync(figures, "utf8"))
process.exit(status ?? 1)

function writeTable(lines: string): void {
  const rows = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ what, figure }) => `| ${what} | ${figure} |`)
  const node = spawnSync("node", ["--version"]).stdout.toString().trim()
  const today = new Date().toISOString().slice(0, 10)
  const load = loadavg()[0]?.toFixed(1)
  const table = [
    `${today}, ${process.platform}, ${cpus().length} cores, Bun ${Bun.version}, Node ${node}; ${tookS} s in all, load ${load} at the end.`,
    "",
    "| what | outcome |",
    "| --- | --- |",
    ...rows,
  ].join("\n")
  const text = readFileSync(DOCUMENT, "utf8")
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  if (before === undefined || after === undefined) {
    throw new Error(
      `Expected ${BEGIN} and ${END} in ${DOCUMENT}; put them back where the table goes.`,
    )
  }
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n${table}\n${END}${after}`)
}
