// Replaces the system's process ids by a world's: who writes, and who is still alive.
import process from "node:process"

/** The id of the command line, and of everything that the plugin does after its start. */
const FIRST = 90_000
const REAL = { kill: process.kill, pid: process.pid }

/** From `install` to `remove` the system knows these processes and no others. */
export class WorldProcesses {
  #own = FIRST
  readonly #alive = new Set([FIRST])

  install(): void {
    process.kill = (pid) => {
      if (!this.#alive.has(Number(pid)))
        throw Object.assign(new Error(`kill ESRCH: ${pid}`), { code: "ESRCH" })
      return true
    }
    Object.defineProperty(process, "pid", { configurable: true, get: () => this.#own })
  }

  remove(): void {
    process.kill = REAL.kill
    Object.defineProperty(process, "pid", { configurable: true, value: REAL.pid })
  }

  /** Everything that runs until this resolves runs in the process with that number. */
  async within<Value>(number: number, run: () => Promise<Value>): Promise<Value> {
    this.#alive.add(FIRST + number)
    this.#own = FIRST + number
    try {
      return await run()
    } finally {
      this.#own = FIRST
    }
  }

  end(number: number): void {
    this.#alive.delete(FIRST + number)
  }
}
