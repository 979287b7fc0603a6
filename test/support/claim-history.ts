import { appendFileSync, readFileSync } from "node:fs"
import {
  claimHandoff,
  type HandoffActor,
  type HandoffChange,
  releaseHandoff,
  saveHandoff,
} from "../../src/boulder/handoff-changes.ts"
import { isAway } from "../../src/store/fleet/away.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { aHandoff, idOf, someProgress } from "./handoff-builders.ts"
import { randomBy } from "./seeded-random.ts"

/** What a session may ask of one record. */
const DOES = ["create", "read", "claim", "block", "complete", "release"] as const
type Does = (typeof DOES)[number]

/** One operation of a history. `came` is null if nobody ever heard its result. */
export interface Operation {
  readonly id: string
  readonly session: string
  readonly does: Does
  /** The places of its two lines in the history: before it began and after it ended. */
  readonly begun: number
  readonly ended: number
  readonly came: string | null
}

interface Line {
  readonly session: string
  readonly number: number
  readonly id: string
  readonly does: Does
  readonly came: string | null
}

/**
 * Does `count` things to a few records and writes each into the file `history`, one line before it and one after. The lines of all
 * processes are there in the order of time. Ends early if the store is away. `dies` is called during the operation numbered `diesAt`.
 */
export async function recordHistory(
  store: HandoffStore,
  given: {
    readonly actor: HandoffActor
    readonly history: string
    readonly seed: number
    readonly count: number
    readonly records: number
    readonly diesAt: number | null
    readonly dies: () => void
  },
): Promise<void> {
  const { actor, history, count, records, diesAt, dies } = given
  const random = randomBy(given.seed)
  const among = <Value>(values: readonly Value[]) =>
    values[Math.floor(random() * values.length)] as Value
  const ids = Array.from({ length: records }, (_, index) => idOf(index + 1))
  for (let number = 0; number < count; number++) {
    const line = { session: actor.sessionId, number, id: among(ids), does: among(DOES) }
    const note = (came: string | null) =>
      appendFileSync(history, `${JSON.stringify({ ...line, came })}\n`)
    note(null)
    const doing = doOne(store, actor, line)
    if (number === diesAt) {
      setTimeout(dies, random() * 6)
      await doing
      return
    }
    try {
      note(await doing)
    } catch (error) {
      if (!isAway(error)) throw error
      return
    }
  }
}

async function doOne(
  store: HandoffStore,
  actor: HandoffActor,
  { id, does }: Pick<Line, "id" | "does">,
): Promise<string> {
  if (does === "create") {
    const scope = { project: store.scope, agent: null }
    return (await store.create(() => aHandoff({ id, scope, work_id: "demo" }))) === null
      ? "taken"
      : "made"
  }
  if (does === "read") {
    const found = await store.read(id)
    if (found === null) return "missing"
    return found.settled_at === null ? (found.claim?.session_id ?? "free") : "settled"
  }
  const update = await store.update(id, CHANGES[does](actor))
  return update.kind === "refused" ? update.reason : update.kind
}

const CHANGES: Readonly<
  Record<Exclude<Does, "create" | "read">, (actor: HandoffActor) => HandoffChange>
> = {
  claim: claimHandoff,
  block: (actor) => saveHandoff(actor, someProgress()),
  complete: (actor) => saveHandoff(actor, someProgress({ status: "complete" })),
  release: releaseHandoff,
}

/** The operations in a history's file. */
export function readHistory(file: string): readonly Operation[] {
  const lines: Line[] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const begun = new Map<string, Operation>()
  for (const [at, { session, number, id, does, came }] of lines.entries()) {
    const key = `${session} ${number}`
    const before = begun.get(key)?.begun ?? at
    const ended = came === null ? Number.POSITIVE_INFINITY : at
    begun.set(key, { id, session, does, begun: before, ended, came })
  }
  return [...begun.values()]
}

/**
 * The rules, written again here instead of taken from the code: each row is for a record in the named state; `own` and `other` say who
 * holds it.
 */
const RULES: Readonly<
  Record<string, Partial<Record<Does, readonly [state: string, came: string]>>>
> = {
  missing: { create: ["free", "made"] },
  free: {
    claim: ["own", "changed"],
    block: ["free", "unclaimed"],
    complete: ["free", "unclaimed"],
    release: ["free", "not-held"],
  },
  own: {
    claim: ["own", "changed"],
    block: ["free", "changed"],
    complete: ["settled", "changed"],
    release: ["free", "changed"],
  },
  other: {
    claim: ["other", "held-by-other"],
    block: ["other", "held-by-other"],
    complete: ["other", "held-by-other"],
    release: ["free", "changed"],
  },
}

/** The result of an operation on a record that is `missing`, `free`, `settled`, or held by the named session. */
function follows(holder: string, { does, session }: Operation) {
  const name = holder === session ? "own" : holder.startsWith("ses_") ? "other" : holder
  const [state, came] = RULES[name]?.[does] ?? [name, does === "create" ? "taken" : holder]
  return { state: { own: session, other: holder }[state] ?? state, came }
}

/**
 * The ids of records whose operations have no order that explains every result: one after another, each between its beginning and its end
 * (Wing and Gong's search, remembering what was tried). An operation that never ended may have been done at any time after it began, or
 * never. Records do not affect each other, so each is checked alone.
 */
export function notLinearizable(operations: readonly Operation[]): readonly string[] {
  const ids = [...new Set(operations.map(({ id }) => id))]
  return ids.filter((id) => !isLinearizable(operations.filter((one) => one.id === id)))
}

interface Reached {
  readonly done: bigint
  readonly state: string
}

function isLinearizable(operations: readonly Operation[]): boolean {
  const tried = new Set<string>()
  const stack: Reached[] = [{ done: 0n, state: "missing" }]
  const heard = operations.flatMap(({ came }, at) => (came === null ? [] : [1n << BigInt(at)]))
  const all = heard.reduce((mask, bit) => mask | bit, 0n)
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { done, state } = at
    if ((done & all) === all) return true
    const key = `${done} ${state}`
    if (tried.has(key)) continue
    tried.add(key)
    stack.push(...nextOf(operations, at))
  }
  return false
}

/** What can come next: every operation that began before any other remaining one ended. */
function nextOf(operations: readonly Operation[], { done, state }: Reached): readonly Reached[] {
  const left = operations.flatMap((operation, at) => {
    const bit = 1n << BigInt(at)
    return (done & bit) === 0n ? [{ operation, bit }] : []
  })
  const firstEnd = Math.min(...left.map(({ operation }) => operation.ended))
  return left.flatMap(({ operation, bit }) => {
    const next = follows(state, operation)
    const isTrue = operation.came === null || operation.came === next.came
    return isTrue && operation.begun < firstEnd ? [{ done: done | bit, state: next.state }] : []
  })
}
