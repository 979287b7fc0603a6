// Counts results of a task that its verification turned down, and what follows from their number.
import type { Unchanging } from "./unchanging.ts"
import { z } from "./z.ts"

/** From this number on its session is no longer offered; at the last one the task is blocked. */
const FRESH_FROM = 3
export const BLOCKED_AT = 5

/** A result that was turned down. The last `BLOCKED_AT` are kept with the session of the task. */
const setbackSchema = z.object({
  /** Its check failed afterwards, its tick was taken back, or its review rejected the whole. */
  kind: z.enum(["check", "untick", "reject"]),
  check: z.string().max(200).optional(),
  exit: z.int().nullable().optional(),
  /** Which of the task's results it was. */
  attempt: z.int().nonnegative(),
})

/** What is kept about verification with a task's session. */
export const verifiedFields = {
  /** One line of its last result. */
  said: z.string().max(200).optional(),
  /** Its last result said that it could not go on. */
  ended_blocked: z.boolean().optional(),
  /** It was seen ticked. */
  ticked: z.boolean().optional(),
  /** What has come back for it since it was ticked: distinct results, at most 2, and whether the last one could not go on. */
  rework: z.object({ results: z.int().nonnegative(), blocked: z.boolean() }).optional(),
  setbacks: z.array(setbackSchema).max(BLOCKED_AT).optional(),
  /** The last of its results when a person unblocked the task: it is not told of any more, nor does a check count that failed after it. */
  freed_result: z.int().nonnegative().optional(),
}

const MAX_REWORKED = 2

/** A session whose task was ticked when its call began, once its result is kept; `isNew`: the words differ from the last result. */
export function withRework<
  Session extends {
    readonly ended_blocked?: boolean | undefined
    readonly rework?: { readonly results: number } | undefined
  },
>(session: Session, isNew: boolean) {
  const { rework, ended_blocked: blocked = false } = session
  const results = Math.min(MAX_REWORKED, (rework?.results ?? 0) + (isNew ? 1 : 0))
  return { ...session, ticked: true, rework: { results, blocked } }
}

/** The option `escalate_agent`. */
export const escalateSchema = () =>
  z
    .union([z.string().min(1).max(256), z.null()], {
      error: "expected the name of an agent, or null for none",
    })
    .default(null)
    .describe(
      "The agent to name for a task whose results have failed their verification three times; it continues in a fresh session.",
    )

export type Setback = Unchanging<z.infer<typeof setbackSchema>>

interface Verified {
  readonly attempts: number
  readonly said?: string | undefined
  readonly setbacks?: readonly Setback[] | undefined
  readonly freed_result?: number | undefined
}

/**
 * A session whose task has failed its verification once more. A result fails once: if a check fails again, or its tick is taken back again
 * (`git stash` and `git stash pop`), that is nothing new.
 */
export function withSetback<Session extends Verified>(
  session: Session,
  setback: Omit<Setback, "attempt">,
): Session {
  const { attempts: attempt, setbacks = [], freed_result: freed = -1 } = session
  if (setback.kind === "check" && attempt <= freed) return session
  return setbacks.at(-1)?.attempt === attempt
    ? session
    : { ...session, setbacks: [...setbacks, { ...setback, attempt }].slice(-BLOCKED_AT) }
}

/** Whether the tick of its last result was taken back, by anybody. */
export function isUnticked({ attempts, setbacks = [] }: Verified): boolean {
  const last = setbacks.at(-1)
  return last?.kind === "untick" && last.attempt === attempts
}

/** A person has unblocked the task: its setbacks are counted afresh, from its next results on. */
export function withoutSetbacks<Session extends Verified>(session: Session): Session {
  return { ...session, setbacks: [], freed_result: session.attempts }
}

/** What a task's setbacks call for: offer its session, offer a fresh one, or block it. */
export function stepOf({ setbacks = [] }: Pick<Verified, "setbacks">): "reuse" | "fresh" | "block" {
  if (setbacks.length >= BLOCKED_AT) return "block"
  return setbacks.length >= FRESH_FROM ? "fresh" : "reuse"
}

/** What was tried last: what its session said, and why that was turned down. */
export function triedWords({ said, setbacks = [] }: Verified): string {
  const last = setbacks.at(-1)
  return [said, last && setbackWords(last)].filter((part) => part !== undefined).join("; ")
}

/** Why nobody goes on with a task, with its history: `5 failed verifications: …`. */
export function historyWords(session: Verified): string {
  const { setbacks = [], said } = session
  const times = new Map<string, number>()
  for (const one of setbacks) times.set(setbackWords(one), (times.get(setbackWords(one)) ?? 0) + 1)
  const rows = [...times].map(([words, count]) =>
    count === 1 ? words : `${words} (${count} times)`,
  )
  const tried = said === undefined ? "" : `. Last tried: ${said}`
  return `${setbacks.length} failed verifications: ${rows.join(", ")}${tried}`
}

function setbackWords({ kind, check = "its check", exit }: Setback): string {
  switch (kind) {
    case "check":
      return `\`${check}\` ended with ${exit ?? "no exit code"}`
    case "untick":
      return "its tick was taken back"
    case "reject":
      return "it was a REJECT"
  }
}
