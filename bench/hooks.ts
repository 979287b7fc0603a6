import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Hooks } from "@opencode-ai/plugin"
import { createOpencodeClient } from "@opencode-ai/sdk"
import plugin from "../src/index.ts"

const LEAD = "ses_e02a05cf0ffeiVkhL7Rr1p5C1e"
const CHILD = "ses_e02a05cf0ffeiVkhL7Rr1p5CHI"
const RUNS = 21
const median = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

/** The host's answers, without a host: what is measured is the plugin's own work. */
async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const id = pathname.split("/")[2] ?? ""
  if (pathname.endsWith("/status")) return Response.json({})
  if (pathname.endsWith("/message")) return Response.json([])
  if (pathname.startsWith("/session/"))
    return Response.json({ id, ...(id === CHILD ? { parentID: LEAD } : {}) })
  return Response.json(pathname === "/config/providers" ? { providers: [], default: {} } : {})
}

async function hooksIn(project: string): Promise<Hooks> {
  const client = createOpencodeClient({ baseUrl: "http://127.0.0.1:1", fetch: answer })
  const input = { client, directory: project, worktree: project, serverUrl: new URL("http://x") }
  return plugin.server({ ...input, project: {}, experimental_workspace: {}, $: Bun.$ } as never)
}

function planOf(tasks: number): string {
  const rows = Array.from({ length: tasks }, (_, at) => {
    const details = Array.from(
      { length: 7 },
      (_, step) =>
        `  - Step ${step + 1}: change the handler of part ${at + 1}, keep its old answer`,
    )
    const mark = at < tasks / 2 ? "x" : " "
    return [
      `- [${mark}] ${at + 1}. Move part ${at + 1} behind the border`,
      "",
      ...details,
      "",
    ].join("\n")
  })
  return `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
}

function projectWith(tasks: number): string {
  const project = mkdtempSync(join(tmpdir(), "boulder-bench-"))
  execFileSync("git", ["init", "-q", project])
  mkdirSync(join(project, ".boulder/plans"), { recursive: true })
  writeFileSync(join(project, ".boulder/plans/demo.md"), planOf(tasks))
  return project
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const startWork = async (hooks: Hooks) => {
  const output = { parts: [] }
  const input = { command: "start-work", sessionID: LEAD, arguments: "demo" }
  await hooks["command.execute.before"]?.(input, output)
}

async function delegate(hooks: Hooks, callID: string): Promise<void> {
  const call = { tool: "task", sessionID: LEAD, callID }
  const args = { description: "todo:1 work on it", prompt: "do it", subagent_type: "general" }
  await hooks["tool.execute.before"]?.(call, { args })
  const result = { title: "", output: `done ${callID}`, metadata: { sessionId: CHILD } }
  await hooks["tool.execute.after"]?.({ ...call, args }, result)
}

/** A temp file, fsync, rename, fsync of the folder: what one durable write costs at the least. */
async function bareWrite(folder: string, text: string, run: number): Promise<void> {
  const temp = join(folder, `temp-${run}`)
  const file = await open(temp, "w")
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(temp, join(folder, "bare.json"))
  const directory = await open(folder, "r")
  await directory.sync()
  await directory.close()
}

async function measureDelegation(tasks: number): Promise<void> {
  const project = projectWith(tasks)
  const hooks = await hooksIn(project)
  await startWork(hooks)
  await Bun.sleep(150)
  const text = await Bun.file(join(project, ".boulder/boulder.json")).text()
  const ours: number[] = []
  const bare: number[] = []
  for (let run = 0; run < RUNS; run++) {
    ours.push(await timed(() => delegate(hooks, `call_${run}`)))
    bare.push(
      await timed(async () => {
        await bareWrite(project, text, 2 * run)
        await bareWrite(project, text, 2 * run + 1)
      }),
    )
  }
  const [our, two] = [median(ours), median(bare)]
  console.log(
    `task before + after, ${tasks} tasks half done: ${our.toFixed(2)} ms; two bare durable writes ${two.toFixed(2)} ms; ratio ${(our / two).toFixed(2)} (goal at 1,000: 3)`,
  )
  const other = { tool: "read", sessionID: LEAD, callID: "call_x" }
  const count = 20_000
  const spent = await timed(async () => {
    for (let run = 0; run < count; run++) {
      await hooks["tool.execute.before"]?.(other, { args: {} })
      await hooks["tool.execute.after"]?.(
        { ...other, args: {} },
        { title: "", output: "", metadata: {} },
      )
    }
  })
  console.log(
    `  a tool that is not ours, before + after: ${((spent / count) * 1_000).toFixed(2)} µs (goal: 20 a hook)`,
  )
  await hooks.dispose?.()
  rmSync(project, { recursive: true, force: true })
}

async function measureStart(tasks: number): Promise<void> {
  const project = projectWith(tasks)
  const text = planOf(tasks)
  const starts: number[] = []
  const scans: number[] = []
  for (let run = 0; run < 7; run++) {
    const hooks = await hooksIn(project)
    starts.push(await timed(() => startWork(hooks)))
    scans.push(
      await timed(async () => {
        let boxes = 0
        for (const line of text.split("\n")) if (/^[ \t]*[-*+] \[.\] /.test(line)) boxes += 1
        return boxes
      }),
    )
    await hooks.dispose?.()
  }
  const [start, scan] = [median(starts), median(scans)]
  console.log(
    `/start-work, ${tasks} tasks (${text.length} bytes): ${start.toFixed(1)} ms, first ${(starts[0] ?? 0).toFixed(1)} ms; line scan ${scan.toFixed(2)} ms; ratio ${(start / scan).toFixed(1)} (goals at 10,000: 1,000 ms, 20)`,
  )
  rmSync(project, { recursive: true, force: true })
}

function measureStartUp(): void {
  const code = `const start = performance.now(); const m = await import(${JSON.stringify(join(import.meta.dir, "../dist/index.js"))}); await m.default.server({ directory: "/tmp", worktree: "/", client: {} }); console.log(performance.now() - start)`
  const times = Array.from({ length: 9 }, () =>
    Number(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" })),
  )
  console.log(
    `plugin start-up (import of dist and server()): ${median(times).toFixed(0)} ms (goal: 150)`,
  )
}

measureStartUp()
for (const tasks of [100, 1_000, 10_000]) await measureDelegation(tasks)
for (const tasks of [1_000, 10_000]) await measureStart(tasks)
