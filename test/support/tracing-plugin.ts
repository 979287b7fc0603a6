import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyPlugin } from "./plugin-copy.ts"

/** One operation on a file or folder, in the order in which they returned. */
export type FileOperation = {
  readonly name: string
  readonly path: string
  /** Read or written. */
  readonly bytes: number
}

/** A copy of the built plugin that notes each file operation that it makes in the host's process. */
export type TracingPlugin = {
  /** For `plugin` of a host's options. */
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** What it has done since the last call. */
  take(): readonly FileOperation[]
}

/**
 * Replaces `node:fs/promises`: the same, except that it writes each operation down. Works wherever the tests do, and leaves out what the
 * host itself reads, which an outside tracer of the process could not tell apart.
 */
const TRACED = `
import { appendFileSync, statSync } from "node:fs"
import * as real from "node:fs/promises"
export * from "node:fs/promises"
const note = (name, path, bytes = 0) =>
  appendFileSync(process.env.BOULDER_TRACE_FILE, JSON.stringify({ name, path: String(path), bytes }) + "\\n")
const sizeOf = (result) => result?.bytesRead ?? result?.bytesWritten ?? result?.length ?? 0
const traced = (name, run) => async (path, ...rest) => {
  const result = await run(path, ...rest)
  note(name, path, name === "readFile" ? sizeOf(result) : 0)
  return result
}
export const readFile = traced("readFile", real.readFile)
export const readdir = traced("readdir", real.readdir)
export const stat = traced("stat", real.stat)
export const lstat = traced("stat", real.lstat)
export const statNow = (path) => {
  note("stat", path)
  return statSync(path, { throwIfNoEntry: false })
}
export const link = traced("link", real.link)
export const rename = traced("rename", real.rename)
export async function open(path, ...rest) {
  const handle = await real.open(path, ...rest)
  note("open", path)
  for (const [method, name] of [["read", "read"], ["readFile", "read"], ["write", "write"], ["writeFile", "write"]]) {
    const own = handle[method].bind(handle)
    handle[method] = async (...given) => {
      const result = await own(...given)
      note(name, path, method === "writeFile" ? sizeOf(given[0]) : sizeOf(result))
      return result
    }
  }
  return handle
}
`

/** Stops the view, which looks at the state by a clock of its own: its looks would fall into any turn that is counted. */
function stillView(file: string): void {
  const text = readFileSync(file, "utf8")
  const still = text.replace(/\b(LEAST_MS|LOOK_MS) = [\d_]+/g, "$1 = 3600000")
  if (still === text)
    throw new Error(`Expected the times of the view's looks in ${file}; found none.`)
  writeFileSync(file, still)
}

export function makeTracingPlugin(): TracingPlugin {
  const { folder, store, url } = copyPlugin("tracing")
  const file = join(folder, "trace")
  const traced = join(store, "traced-fs.js")
  const sources = readdirSync(store, { recursive: true, encoding: "utf8" })
  for (const name of sources.filter((one) => one.endsWith(".js"))) {
    const text = readFileSync(join(store, name), "utf8")
    const [quick] = /"[^"]*\/quick-files\.js"/.exec(text) ?? []
    const all = ['"node:fs/promises"', ...(quick === undefined ? [] : [quick])]
    const moved = all.reduce((now, one) => now.replaceAll(one, JSON.stringify(traced)), text)
    writeFileSync(join(store, name), moved)
  }
  writeFileSync(traced, TRACED)
  stillView(join(folder, "dist", "opencode", "live", "keep-view.js"))
  return {
    url,
    env: { BOULDER_TRACE_FILE: file },
    take() {
      const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []
      rmSync(file, { force: true })
      return lines.map((line) => JSON.parse(line) as FileOperation)
    },
  }
}
