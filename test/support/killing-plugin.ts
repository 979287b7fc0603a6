import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyPlugin } from "./plugin-copy.ts"

/** A copy of the built plugin whose host dies at a chosen file operation of a save. */
export type KillingPlugin = {
  /** For `plugin` of a host's options. */
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /**
   * The host kills itself before the operation with this number, from 0, counting those that change a task state or write its line in the
   * journal afterwards; "end" is after that line. Lines that a look writes in the meantime do not count.
   */
  killAt(operation: number | "end"): void
  /** Whether the kill has happened. If there were fewer operations, the host lives on, whatever it does next. */
  hasKilled(): boolean
}

/** Replaces the file port: the same, except that it dies. */
const PORT = `
import { existsSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { nodeFilePort as realPort } from "./real-file-port.js"
const FILE = process.env.BOULDER_KILL_FILE
const CHANGING = ["createText", "appendText", "syncFile", "syncFolder", "rename", "remove"]
let hasBegun = false
const die = () => {
  unlinkSync(FILE)
  process.kill(process.pid, "SIGKILL")
  return new Promise(() => {})
}
export function nodeFilePort() {
  const port = realPort()
  const wrapped = (name) => async (path, ...rest) => {
    if (!existsSync(FILE)) return port[name](path, ...rest)
    const isOfState = path.includes("/sessions")
    const isJournal = name === "appendText" && path.endsWith("journal.jsonl")
    const isLine = isJournal && String(rest[0]).includes('"decision":"compact"')
    hasBegun ||= isOfState
    if (!isOfState && !(isLine && hasBegun)) return port[name](path, ...rest)
    const left = readFileSync(FILE, "utf8")
    if (left === "0") return die()
    if (left !== "end") writeFileSync(FILE, String(Number(left) - 1))
    const value = await port[name](path, ...rest)
    return left === "end" && isLine ? die() : value
  }
  return { ...port, ...Object.fromEntries(CHANGING.map((name) => [name, wrapped(name)])) }
}
`

export function makeKillingPlugin(): KillingPlugin {
  const { folder, store, url } = copyPlugin("killing")
  const file = join(folder, "kill-at")
  const disk = join(store, "disk")
  renameSync(join(disk, "file-port.js"), join(disk, "real-file-port.js"))
  writeFileSync(join(disk, "file-port.js"), PORT)
  return {
    url,
    env: { BOULDER_KILL_FILE: file },
    killAt: (operation) => writeFileSync(file, String(operation)),
    hasKilled: () => {
      const isLeft = existsSync(file)
      rmSync(file, { force: true })
      return !isLeft
    },
  }
}
