// Results of a task that verification has turned down, and what follows from how many there are.
import type { Unchanging } from "./unchanging.ts"
import { z } from "./z.ts"

/** From so many on its session is offered no more; at the last the task is blocked. */
const FRESH_FROM = 3
export const BLOCKED_AT = 5

/** A result that was turned down; kept with the session of its task, the last `BLOCKED_AT`. */
const setbackSchema = z.object({
  /** Its check has failed behind it, its tick was taken back, or its review has rejected the whole. */
  kind: z.enum(["check", "untick", "reject"]),
  check: z.string().max(200).optional(),
  exit: z.int().nullable().optional(),
  /** Which of the task's results it was. */
  attempt: z.int().nonnegative(),
})

/** What is kept of verification beside a task's session. */
export const verifiedFields = {
  /** One line of its last result. */
  said: z.string().max(200).optional(),
  /** Its last result has said that it could not go on. */
  ended_blocked: z.boolean().optional(),
  /** It was seen ticked. */
  ticked: z.boolean().optional(),
  /** What has come back for it since it is ticked: distinct results, at most 2, and whether the last could not go on. */
  rework: z.object({ results: z.int().nonnegative(), blocked: z.boolean() }).optional(),
  setbacks: z.array(setbackSchema).max(BLOCKED_AT).optional(),
  /** The last of its results when a person set the task free: a check that has failed behind that one counts no more. */
  freed_result: z.int().nonnegative().optional(),
}

const MAX_REWORKED = 2

/** A session whose task was ticked when its call began, once its result is kept; `isNew`: in other words than the last. */
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
 * A session whose task has failed its verification once more. One result fails once: a check that fails again, or a tick
 * that is taken back for it, says nothing new; a tick that was set once more and taken back does.
 */
export function withSetback<Session extends Verified>(
  session: Session,
  setback: Omit<Setback, "attempt">,
): Session {
  const { attempts: attempt, setbacks = [], freed_result: freed = -1 } = session
  if (setback.kind === "check" && attempt <= freed) return session
  const last = setbacks.at(-1)
  const isKnown =
    last?.attempt === attempt && !(last.kind === "untick" && setback.kind === "untick")
  return isKnown
    ? session
    : { ...session, setbacks: [...setbacks, { ...setback, attempt }].slice(-BLOCKED_AT) }
}

/** The tick of its last result was taken back, whoever did that. */
export function isUnticked({ attempts, setbacks = [] }: Verified): boolean {
  const last = setbacks.at(-1)
  return last?.kind === "untick" && last.attempt === attempts
}

/** A person has set the task free: it is counted from the beginning, by its next results. */
export function withoutSetbacks<Session extends Verified>(session: Session): Session {
  return { ...session, setbacks: [], freed_result: session.attempts }
}

/** What is to be done with a task by its setbacks: its session is offered, a fresh one is, or nobody goes on. */
export function stepOf({ setbacks = [] }: Pick<Verified, "setbacks">): "reuse" | "fresh" | "block" {
  if (setbacks.length >= BLOCKED_AT) return "block"
  return setbacks.length >= FRESH_FROM ? "fresh" : "reuse"
}

/** What was tried last: what its session has said, and why that was turned down. */
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
