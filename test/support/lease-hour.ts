import {
  claimHandoff,
  type HandoffChange,
  renewHandoff,
  saveHandoff,
} from "../../src/boulder/handoff-changes.ts"
import { msOf } from "../../src/boulder/iso-time.ts"
import { isAway } from "../../src/store/fleet/away.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { NOW } from "./builders.ts"
import { aHandoff, anActor, idOf, someProgress } from "./handoff-builders.ts"
import { randomBy } from "./seeded-random.ts"

const STEP_MS = 10_000
const LEASE_MS = 5 * 60_000

/** Several machines on the same handoffs, and the clock that their leases run by. */
interface Machines {
  readonly stores: readonly HandoffStore[]
  setNow(ms: number): Promise<void>
}

interface Claimer {
  readonly session: string
  readonly store: HandoffStore
  /** The task that it believes it holds, and until when (ms since 1970). */
  held: { readonly id: string; readonly until: number } | null
  /** Asleep until then: it renews nothing, and does not notice the time. */
  asleep: number
}

/** What has happened. `twice` names each task that two sessions held at once, or that was completed again. */
export interface LeaseHour {
  readonly claims: number
  readonly kills: number
  readonly completed: number
  readonly twice: readonly string[]
  readonly lost: readonly string[]
}

/**
 * Lets `claimers` work for this many minutes of leases, all at once in each step of 10 seconds: they claim what is free, renew, block,
 * complete, fall asleep, and are killed at any moment, half of them during a request. Once the last lease is over, one more session
 * completes what is left.
 */
export async function playLeases(
  { stores, setNow }: Machines,
  given: {
    readonly claimers: number
    readonly tasks: number
    readonly minutes: number
    readonly seed: number
  },
): Promise<LeaseHour> {
  const random = randomBy(given.seed)
  const twice = new Set<string>()
  const completed = new Set<string>()
  const counts = { claims: 0, kills: 0, sessions: 0 }
  let now = NOW
  const storeAt = (index: number) => stores[index % stores.length] as HandoffStore
  const aClaimer = (index: number): Claimer => {
    counts.sessions += 1
    return {
      session: `ses_claimer${counts.sessions}`,
      store: storeAt(index),
      held: null,
      asleep: 0,
    }
  }
  const ids = Array.from({ length: given.tasks }, (_, index) => idOf(index + 1))
  const claimers = Array.from({ length: given.claimers }, (_, index) => aClaimer(index))
  await setNow(now)
  const scope = { project: storeAt(0).scope, agent: null }
  for (const id of ids) await storeAt(0).create(() => aHandoff({ id, scope, work_id: "demo" }))

  /** Null if nobody answered: then nobody knows the outcome. */
  const ask = async ({ store, session }: Claimer, id: string, wants: keyof typeof CHANGES) => {
    const change = CHANGES[wants](session)
    return store.update(id, change).catch((error: unknown) => {
      if (isAway(error)) return null
      throw error
    })
  }
  const take = async (claimer: Claimer, id: string): Promise<void> => {
    const update = await ask(claimer, id, "claim")
    if (update?.kind !== "changed") return
    counts.claims += 1
    claimer.held = { id, until: msOf(update.handoff.claim?.lease_until ?? 0) }
  }
  const renew = async (claimer: Claimer, id: string): Promise<void> => {
    const update = await ask(claimer, id, "renew")
    if (update?.kind === "changed")
      claimer.held = { id, until: msOf(update.handoff.claim?.lease_until ?? 0) }
    else if (update?.kind === "refused" && update.reason !== "still-fresh") claimer.held = null
  }
  const letGo = async (claimer: Claimer, id: string, wants: "block" | "complete") => {
    claimer.held = null
    const update = await ask(claimer, id, wants)
    if (update?.kind !== "changed" || wants === "block") return
    if (completed.has(id)) twice.add(id)
    completed.add(id)
  }
  const goOn = (claimer: Claimer, id: string, dice: number): Promise<void> =>
    dice > 0.04 ? renew(claimer, id) : letGo(claimer, id, dice > 0.02 ? "block" : "complete")
  const act = async (claimer: Claimer, free: readonly string[]): Promise<void> => {
    const [dice, place] = [random(), random()]
    const id = free[Math.floor(place * free.length)]
    if (claimer.asleep > now) return
    if (dice > 0.98) claimer.asleep = now + 2 * LEASE_MS * place
    else if (claimer.held !== null) await goOn(claimer, claimer.held.id, dice)
    else if (id !== undefined) await take(claimer, id)
  }
  const look = () => {
    const own = claimers.flatMap(({ held }) => (held !== null && held.until > now ? [held.id] : []))
    for (const [at, id] of own.entries()) if (own.indexOf(id) !== at) twice.add(id)
  }

  for (const end = NOW + given.minutes * 60_000; now < end; now += STEP_MS) {
    await setNow(now)
    const { handoffs } = await storeAt(0).open()
    const free = handoffs.flatMap(({ id, claim }) =>
      claim === null || msOf(claim.lease_until) <= now ? [id] : [],
    )
    const acts = claimers.map((claimer, index) => {
      const isKilled = random() < 0.01
      const isAsking = random() < 0.5
      const acting = isKilled && !isAsking ? Promise.resolve() : act(claimer, free)
      if (isKilled) {
        // Nobody hears what comes back to the old one.
        counts.kills += 1
        claimers[index] = aClaimer(index)
      }
      return acting
    })
    await Promise.all(acts)
    look()
  }

  await setNow(now + LEASE_MS)
  const last = aClaimer(0)
  for (const { id } of (await storeAt(0).open()).handoffs) {
    await take(last, id)
    await ask(last, id, "complete")
  }
  const ends = await Promise.all(ids.map(async (id) => (await storeAt(0).read(id))?.settled_at))
  const lost = ids.filter((_, index) => ends[index] == null)
  return {
    claims: counts.claims,
    kills: counts.kills,
    completed: completed.size,
    twice: [...twice],
    lost,
  }
}

const CHANGES = {
  claim: (session: string): HandoffChange => claimHandoff(actor(session)),
  renew: (session: string): HandoffChange => renewHandoff(actor(session)),
  block: (session: string): HandoffChange => saveHandoff(actor(session), someProgress()),
  complete: (session: string): HandoffChange =>
    saveHandoff(actor(session), someProgress({ status: "complete" })),
}

function actor(session: string) {
  return anActor(session, { leaseMs: LEASE_MS })
}
