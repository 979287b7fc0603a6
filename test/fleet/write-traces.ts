/**
 * Checks `lease.qnt` in Quint's simulator and writes down traces of it, which `lease-model.test.ts` replays against the
 * stores: `npm run model`. Quint is fetched for this alone; npm keeps it for the next time. antlr4ts is named since the
 * newest one that Quint would take does not load.
 */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { parseTrace, TRACES, type Trace } from "../support/lease-traces.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const PACKAGES = ["@informalsystems/quint@0.33.1", "antlr4ts@0.5.0-alpha.4"]
const MODEL = join(import.meta.dir, "lease.qnt")
const RULES = ["heldOnce", "heldAsWritten", "settledIsFree"]
const SAMPLES = 5_000
const MADE = 2_000
const KEPT = 24

const folder = temporaryFolder("model")
const { status } = spawnSync(
  "npm",
  [
    ...["exec", "--yes", ...PACKAGES.map((name) => `--package=${name}`), "--", "quint", "run"],
    ...[MODEL, "--backend=typescript", "--seed=21", "--max-steps=30", "--verbosity=1"],
    ...[`--max-samples=${SAMPLES}`, `--n-traces=${MADE}`, `--out-itf=${folder}/{seq}.itf.json`],
    ...["--invariants", ...RULES],
  ],
  { stdio: "inherit" },
)
if (status === 0) {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
  const traces = fewest(texts.sort().map(shortened))
  writeFileSync(TRACES, `${traces.map((trace) => JSON.stringify(trace)).join("\n")}\n`)
}
process.exitCode = status ?? 1

/** The trace with no more of each state than the stores can be held to. */
function shortened(text: string) {
  const { states } = JSON.parse(text)
  const vars = ["now", "record", "did"]
  const kept = states.map(({ now, record, did }: Record<string, unknown>) => ({ now, record, did }))
  return { "#meta": { format: "ITF", source: "test/fleet/lease.qnt" }, vars, states: kept }
}

/** Those that show most: again and again the one with most pairs of steps that none before it has. */
function fewest(traces: readonly ReturnType<typeof shortened>[]) {
  const seen = new Set<string>()
  const left = new Map(traces.map((trace) => [trace, pairsIn(parseTrace(JSON.stringify(trace)))]))
  return Array.from({ length: KEPT }, () => {
    const news = (pairs: readonly string[]) => pairs.filter((pair) => !seen.has(pair)).length
    const [best] = [...left].sort(([, a], [, b]) => news(b) - news(a))
    if (best === undefined) throw new Error("Expected a trace; found none.")
    left.delete(best[0])
    for (const pair of best[1]) seen.add(pair)
    return best[0]
  })
}

function pairsIn({ states }: Trace): readonly string[] {
  const kinds = states.map(({ did }) => `${did.step} ${did.wants} ${did.came}`)
  return kinds.slice(1).map((kind, at) => `${kinds[at]}, ${kind}`)
}
