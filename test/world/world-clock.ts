// A clock of the world's own: time passes only if a step says so.

interface Timer {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

const REAL = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  timeout: AbortSignal.timeout,
  now: Date.now,
  performanceNow: performance.now,
  random: Math.random,
}

/** Begins on a Monday at noon. */
const BEGIN = Date.UTC(2026, 0, 5, 12)

/** Replaces the system's times, timers and dice, from `install` to `remove`. */
export class WorldClock {
  #passed = 0
  #set = 0
  #timers = new Map<number, Timer>()
  #made = 0

  /** What a wall clock shows; it may be set. */
  get now(): number {
    return BEGIN + this.#passed + this.#set
  }

  /** ms since the world began, whatever the clock shows. */
  get passed(): number {
    return this.#passed
  }

  /** Somebody sets the clock ahead by this many ms, or back. */
  setAhead(ms: number): void {
    this.#set += ms
  }

  /** ms until the next timer; null if none is set. */
  get untilNext(): number | null {
    const next = this.#next()
    return next === null ? null : Math.max(0, next.due - this.#passed)
  }

  get timers(): number {
    return this.#timers.size
  }

  install(): void {
    const set = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      this.set(() => run(...given), ms)
    globalThis.setTimeout = set as never
    const clear = (timer: unknown) => this.#clear(timer)
    globalThis.clearTimeout = clear as never
    globalThis.setInterval = ((run: () => void, ms: number) => this.#every(run, ms)) as never
    globalThis.clearInterval = clear as never
    AbortSignal.timeout = (ms) => {
      const over = new AbortController()
      this.set(() => over.abort(new DOMException("The operation timed out.", "TimeoutError")), ms)
      return over.signal
    }
    Date.now = () => this.now
    performance.now = () => this.passed
    let dice = 1
    Math.random = () => {
      dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) >>> 0
      return dice / 2 ** 32
    }
  }

  remove(): void {
    globalThis.setTimeout = REAL.setTimeout
    globalThis.clearTimeout = REAL.clearTimeout
    globalThis.setInterval = REAL.setInterval
    globalThis.clearInterval = REAL.clearInterval
    AbortSignal.timeout = REAL.timeout
    Date.now = REAL.now
    performance.now = REAL.performanceNow
    Math.random = REAL.random
  }

  set(run: () => void, ms: number): object {
    this.#made += 1
    const id = this.#made
    this.#timers.set(id, { due: this.#passed + Math.max(1, ms), order: id, run })
    const timer = { id, unref: () => timer, ref: () => timer, hasRef: () => false }
    return timer
  }

  /** Sets the same timer again each time. */
  #every(run: () => void, ms: number): object {
    const timer = { id: 0, unref: () => timer, ref: () => timer, hasRef: () => false }
    const next = () => {
      timer.id = this.#idOf(this.set(again, ms))
    }
    const again = () => {
      next()
      run()
    }
    next()
    return timer
  }

  #idOf(timer: object): number {
    return "id" in timer ? Number(timer.id) : 0
  }

  #clear(timer: unknown): void {
    if (typeof timer === "object" && timer !== null && "id" in timer)
      this.#timers.delete(Number(timer.id))
  }

  /** Time passes without running any timer; what is due comes late. */
  tick(ms: number): void {
    this.#passed += ms
  }

  /** Lets time pass. `settle` runs after each timer, so that what the timer begins comes before the next one. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    const end = this.#passed + ms
    for (let next = this.#next(); next !== null && next.due <= end; next = this.#next()) {
      this.#passed = Math.max(this.#passed, next.due)
      this.#timers.delete(next.order)
      next.run()
      await settle()
    }
    this.#passed = Math.max(this.#passed, end)
  }

  #next(): Timer | null {
    let next: Timer | null = null
    for (const timer of this.#timers.values())
      if (next === null || timer.due < next.due) next = timer
    return next
  }
}
