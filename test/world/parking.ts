// Where every operation of a simulated process waits until the world lets it go on.

interface Parked {
  readonly process: string
  readonly what: string
  readonly go: () => void
}

const MOST_ROUNDS = 20_000

/** Chooses one of `n`. */
export type Pick = (n: number) => number

/** Every read and write of a file, and every call over a border, waits here and is released in an order of our choice. */
export class Parking {
  #waiting: Parked[] = []
  readonly #dead = new Set<string>()

  /** The number of waiting operations, of one process or of all. */
  waiting(process?: string): number {
    return process === undefined
      ? this.#waiting.length
      : this.#waiting.filter((one) => one.process === process).length
  }

  /** Resolves when it is released; never for a dead process. */
  park(process: string, what: string): Promise<void> {
    return new Promise((go) => {
      if (!this.#dead.has(process)) this.#waiting.push({ process, what, go })
    })
  }

  isDead(process: string): boolean {
    return this.#dead.has(process)
  }

  /** Nothing of the process goes on any more. Gives what it was about to do. */
  kill(process: string): readonly string[] {
    this.#dead.add(process)
    const cut = this.#waiting.filter((one) => one.process === process)
    this.#waiting = this.#waiting.filter((one) => one.process !== process)
    return cut.map(({ what }) => what)
  }

  /** Releases everything that waits, and what follows from it, until nothing waits. In turn, or one by one as `pick` says. */
  async settle(pick?: Pick): Promise<void> {
    for (let round = 0; ; round++) {
      await quiet()
      if (this.#waiting.length === 0) return
      if (round === MOST_ROUNDS) throw new Error(`still at work: ${this.#waiting[0]?.what}`)
      if (pick === undefined) for (const { go } of this.#waiting.splice(0)) go()
      else this.#waiting.splice(pick(this.#waiting.length), 1)[0]?.go()
    }
  }

  /** Releases `count` operations, one by one as `pick` says. The rest wait for a later step. */
  async letGo(count: number, pick: Pick): Promise<void> {
    for (let done = 0; done < count; done++) {
      await quiet()
      if (this.#waiting.length === 0) return
      this.#waiting.splice(pick(this.#waiting.length), 1)[0]?.go()
    }
    await quiet()
  }
}

/** Resolves when everything that could run without us has run. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
