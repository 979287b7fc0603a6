import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createOpencodeClient } from "@opencode-ai/sdk"
import plugin from "../src/index.ts"
import { temporaryFolder } from "../test/support/temporary-folder.ts"

/** How long the built command line takes in Node, in turns with a bare `node -e 0`: medians, and their ratio to it. */
const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))
const RUNS = 15
const TASKS = 40

/** Beside another program's wrapper for Node, the one that everybody has. */
const NODE = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("bun-node"))
  .map((folder) => join(folder, "node"))
  .find((path) => spawnSync(path, ["-e", "0"]).status === 0)

const median = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

/** A project with a started work of 40 tasks, half of them done, as the plugin has left it. */
async function startedProject(): Promise<string> {
  const project = temporaryFolder("bench")
  execFileSync("git", ["init", "-q", project])
  mkdirSync(join(project, ".boulder/plans"), { recursive: true })
  const rows = Array.from({ length: TASKS }, (_, at) => {
    const mark = at < TASKS / 2 ? "x" : " "
    return `- [${mark}] ${at + 1}. Move part ${at + 1} behind the border\n  Keep its old answer.\n`
  })
  writeFileSync(join(project, ".boulder/plans/demo.md"), `# Plan\n\n## TODOs\n\n${rows.join("")}`)
  const client = createOpencodeClient({
    baseUrl: "http://127.0.0.1:1",
    fetch: async () => Response.json({}),
  })
  // That of a host that serves nothing: there calls go to the client.
  const serverUrl = new URL("http://localhost:4096/")
  const input = { client, directory: project, worktree: project, serverUrl }
  const hooks = await plugin.server({ ...input, project: {}, $: Bun.$ } as never)
  await hooks["command.execute.before"]?.(
    { command: "start-work", sessionID: "ses_e02a05cf0ffeiVkhL7Rr1p5C1e", arguments: "demo" },
    { parts: [] },
  )
  await Bun.sleep(150)
  await hooks.dispose?.()
  return project
}

/** Runs it, and gives ms; throws where it fails, for a failure is quick. */
function runOnce(cwd: string, args: readonly string[]): number {
  if (NODE === undefined) throw new Error("Expected node on the PATH; found none.")
  const start = performance.now()
  const { status, stderr } = spawnSync(NODE, args, { cwd })
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`${args.join(" ")}: exit ${status}\n${stderr}`)
  return ms
}

const LINES = ["--version", "--help", "status --help", "status", "why", "works demo", "cost"]

/** The ms of each command line, by its words, in turns with a bare `node -e 0`; the first run warms the files. */
export async function measureCommandLine(
  lines: readonly string[] = LINES,
  runs = RUNS,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const project = await startedProject()
  const args = new Map<string, readonly string[]>([
    ["node -e 0", ["-e", "0"]],
    ...lines.map((line) => [line, [MAIN, ...line.split(" ")]] as const),
  ])
  const times = new Map<string, number[]>([...args.keys()].map((name) => [name, []]))
  for (let run = 0; run <= runs; run++)
    for (const [name, given] of args) {
      const ms = runOnce(project, given)
      if (run > 0) times.get(name)?.push(ms)
    }
  return times
}

if (import.meta.main) {
  const times = await measureCommandLine()
  const bare = median(times.get("node -e 0") ?? [])
  for (const [name, all] of times)
    console.log(
      `${name.padEnd(14)} ${median(all).toFixed(0).padStart(4)} ms, least ${Math.min(...all).toFixed(0)} ms; ${(median(all) / bare).toFixed(2)} times a bare node`,
    )
}
