// How fast a work settles its tasks, and how long that takes for the rest.
import { byTime } from "../../boulder/iso-time.ts"

/** What a pace is made of: how many tasks were settled at an ISO time. */
export interface PacePoint {
  readonly at: string
  readonly settled: number
}

/** The pace of a work. */
export interface Pace {
  /** To one decimal. */
  readonly tasksAnHour: number
  /** Null where nothing is left that can be worked on. */
  readonly minutesLeft: number | null
}

const LEAST_TASKS = 3
const LEAST_MS = 300_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * The pace from the first of these points (oldest first) to the last; null while fewer than three tasks, or five minutes,
 * tell of it. `left` are the tasks that can still be worked on.
 */
export function paceOf(points: readonly PacePoint[], left: number): Pace | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return null
  const tasks = last.settled - first.settled
  const ms = byTime(last.at, first.at)
  if (tasks < LEAST_TASKS || !(ms >= LEAST_MS)) return null
  const perHour = (tasks / ms) * HOUR_MS
  return {
    tasksAnHour: Math.round(perHour * 10) / 10,
    minutesLeft: left <= 0 ? null : Math.ceil((left * ms) / (tasks * MINUTE_MS)),
  }
}

/** `pace: 4.2 tasks an hour, about 2 h 10 min left`. */
export function paceWords({ tasksAnHour, minutesLeft }: Pace): string {
  const rate = `${tasksAnHour} ${tasksAnHour === 1 ? "task" : "tasks"} an hour`
  if (minutesLeft === null) return rate
  return `${rate}, about ${hourWords(minutesLeft)} left`
}

/** Minutes in words: `40 min`, `2 h 10 min`. */
export function hourWords(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
