// A clock of the world's own: time passes only where a step says so.

interface Timer {
  readonly due: number
  readonly order: number
  readonly run: () => void
}

const REAL = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: Date.now,
}

/** Begins on a Monday at noon. */
const BEGIN = Date.UTC(2026, 0, 5, 12)

/** In the place of `Date.now`, `setTimeout` and `clearTimeout`, from `install` to `remove`. */
export class WorldClock {
  #now = BEGIN
  #timers = new Map<number, Timer>()
  #made = 0

  get now(): number {
    return this.#now
  }

  /** ms until the next timer; null where none is set. */
  get untilNext(): number | null {
    const next = this.#next()
    return next === null ? null : Math.max(0, next.due - this.#now)
  }

  get timers(): number {
    return this.#timers.size
  }

  install(): void {
    const set = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      this.set(() => run(...given), ms)
    globalThis.setTimeout = set as never
    globalThis.clearTimeout = ((timer: unknown) => this.#clear(timer)) as never
    Date.now = () => this.#now
  }

  remove(): void {
    globalThis.setTimeout = REAL.setTimeout
    globalThis.clearTimeout = REAL.clearTimeout
    Date.now = REAL.now
  }

  set(run: () => void, ms: number): object {
    this.#made += 1
    const id = this.#made
    this.#timers.set(id, { due: this.#now + Math.max(1, ms), order: id, run })
    const timer = { id, unref: () => timer, ref: () => timer, hasRef: () => false }
    return timer
  }

  #clear(timer: unknown): void {
    if (typeof timer === "object" && timer !== null && "id" in timer)
      this.#timers.delete(Number(timer.id))
  }

  /** A moment in which no timer is run, whatever is due: it comes late. */
  tick(ms: number): void {
    this.#now += ms
  }

  /** Lets time pass; `settle` runs behind each timer, so that what it begins comes before the next. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    const end = this.#now + ms
    for (let next = this.#next(); next !== null && next.due <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due)
      this.#timers.delete(next.order)
      next.run()
      await settle()
    }
    this.#now = Math.max(this.#now, end)
  }

  #next(): Timer | null {
    let next: Timer | null = null
    for (const timer of this.#timers.values())
      if (next === null || timer.due < next.due) next = timer
    return next
  }
}
