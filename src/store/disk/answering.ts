// Tells whether a file system answers, before a call that could block the host.
import { lstat } from "node:fs/promises"
import { StoreError } from "./store-error.ts"

/** A file system that takes longer than this does not answer. */
const LIMIT_MS = 1_000
/** Then it is left alone for this long. */
const ALONE_MS = 60_000
/** After this long without use it is asked again: a mount often hangs from one turn to the next. */
const REST_MS = 10_000

/** What a test replaces in the system. */
interface AnsweringPorts {
  readonly look?: (path: string) => Promise<unknown>
  readonly clock?: () => number
  readonly limitMs?: number
}

/** Resolves once a file system answers. */
export interface Answering {
  (path: string): Promise<void>
  /** Whether it would resolve at once, so that nobody has to wait. */
  isSure(): boolean
}

/** The machine's own file system: one that answers later than this is slow itself. */
const CONTROL = "/"

/**
 * Resolves at once while the file system answers. The first time, and after a rest, it is asked in a thread and timed, since a mount that
 * hangs must not hang the host. On a busy machine everything is slow: then it waits until the machine's own file system has answered a
 * later question, or as long again. Throws a `StoreError` (`busy`) if no answer comes, and for a minute after that without asking.
 */
export function openAnswering({
  look = lstat,
  clock = () => performance.now(),
  limitMs = LIMIT_MS,
}: AnsweringPorts = {}): Answering {
  let heardAt = Number.NEGATIVE_INFINITY
  let aloneUntil = Number.NEGATIVE_INFINITY
  const ask = async (path: string): Promise<void> => {
    const answer = answered(look(path))
    if (await within(limitMs, answer)) return
    await within(2 * limitMs, answered(look(CONTROL)))
    // It was asked first, and may be about to answer.
    if (await within(limitMs / 4, answer)) return
    aloneUntil = clock() + ALONE_MS
    throw silent(path, limitMs)
  }
  const wait = async (path: string): Promise<void> => {
    const asked = clock()
    if (asked < aloneUntil) throw silent(path, limitMs)
    if (asked - heardAt > REST_MS) await ask(path)
    heardAt = clock()
  }
  const isSure = (): boolean => clock() >= aloneUntil && clock() - heardAt <= REST_MS
  return Object.assign(wait, { isSure })
}

/** A refusal is an answer, too: the next call reports it in its own words. */
const answered = (asked: Promise<unknown>): Promise<true> =>
  asked.then(
    () => true,
    () => true,
  )

const within = (ms: number, answer: Promise<true>): Promise<boolean> =>
  orLate(ms, answer, () => false)

/** The answer, or behind so many ms what `late` gives or throws; what was begun goes on, and nobody waits for it. */
export async function orLate<Answer, Late>(
  ms: number,
  answer: Promise<Answer>,
  late: () => Late,
): Promise<Answer | Late> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    return await Promise.race([answer, limit.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

function silent(path: string, ms: number): StoreError {
  return new StoreError({
    code: "busy",
    expected: `an answer from the file system of ${path} within ${ms} ms`,
    found: "none",
    todo: "Nothing was read or written. It is left alone for a minute. Check the disk or the network mount.",
  })
}
