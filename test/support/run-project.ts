import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type FolderOptions, makeHostFolders } from "./host-folders.ts"
import { hostBinary, REPO } from "./host-version.ts"
import { orchestratorScript } from "./orchestrator.ts"
import { type Script, type ScriptedModel, startScriptedModel } from "./scripted-model.ts"

const MAIN = join(REPO, "dist", "cli", "main.js")

interface Exit {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The built command line in one folder, under the Node that runs everywhere, not under Bun. */
export interface CommandLine {
  readonly cli: (...args: string[]) => Promise<Exit>
  readonly spawnCli: (...args: string[]) => { child: ChildProcess; exit: Promise<Exit> }
}

/** A project with a plan, whose opencode the command line starts by itself. */
export interface RunProject extends CommandLine {
  readonly project: string
  readonly model: ScriptedModel
  readonly env: Readonly<Record<string, string>>
}

/** Makes the project. `main` is the command line, else the built one; `ends` gets what to do after the test, in reverse order. */
export async function openRunProject(
  { path, text }: { readonly path: string; readonly text: string },
  ends: (() => Promise<void>)[],
  options: { script?: Script; version?: string; main?: string } & Pick<
    FolderOptions,
    "plugin" | "permission" | "env"
  > = {},
): Promise<RunProject> {
  const { script, main, ...given } = options
  const orchestrator = orchestratorScript({ project: () => folders.project, planPath: path })
  const model = await startScriptedModel(script ?? orchestrator)
  const folders = makeHostFolders(model.url, { files: { [path]: text }, ...given })
  ends.push(() => model.stop())
  const env = { ...folders.env, OPENCODE_BIN: await hostBinary(options.version) }
  return { project: folders.project, model, env, ...commandLine(folders.project, env, ends, main) }
}

export function commandLine(
  project: string,
  env: Readonly<Record<string, string>>,
  ends: (() => Promise<void>)[],
  main = MAIN,
): CommandLine {
  const spawnCli = (...args: string[]) => {
    const child = spawn(nodeBinary(), [main, ...args], {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    })
    let out = ""
    let err = ""
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString()
    })
    const exit = once(child, "close").then(() => ({ code: child.exitCode, out, err }))
    ends.push(async () => {
      child.kill("SIGKILL")
      await exit
    })
    return { child, exit }
  }
  return { spawnCli, cli: (...args: string[]) => spawnCli(...args).exit }
}

/** Resolves with everything that a program has printed since now, once the text is in it. Fails with what it said instead. */
export function isPrinted(child: ChildProcess, text: string): Promise<string> {
  let out = ""
  let err = ""
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes(text)) resolve(out)
    })
    child.stderr?.on("data", (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once("close", (code) =>
      reject(new Error(`${text} was not printed before the end (${code}), but: ${out}\n${err}`)),
    )
  })
}

function nodeBinary(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const found = folders
    .filter((folder) => !folder.includes("bun-node"))
    .map((folder) => join(folder, "node"))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error("No node on the PATH")
  return found
}
