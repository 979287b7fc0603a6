// Who goes first of those that wait to write.
import { isWithin } from "../../boulder/iso-time.ts"
import { once } from "../../plan/model/once.ts"
import { lifeOf, newWriteId, writerOf } from "../disk/writer-identity.ts"
import { pathOf, type RevisionFolder } from "./revision-folder.ts"

/**
 * The place of one update among those that wait. A courtesy, and never what makes a write right: who has no place, or does
 * not see another's, or finds it given up, writes all the same, and `commitRevision` sees to it that nothing is lost.
 */
export interface QueuePlace {
  /** Waits until nobody is in front who may still come. Ends at the deadline, too (`performance.now()`). */
  waitForTurn(deadline: number): Promise<void>
  /** Tells the others that this update waits, since it was begun. */
  take(): Promise<void>
  /** Owed, however the update has ended. */
  leave(): Promise<void>
}

/** How long whoever is in front is waited for: a process that is stopped does not come. */
const PATIENCE_MS = 200
/** After so long it is asked whether it lives. */
const ASK_MS = 10
/** No update waits longer than it takes until its ticket is void: older ones are of processes that have ended. */
const VALID_MS = 10_000

/** The place of an update that begins now. Touches nothing before `take`. */
export function openPlace(at: RevisionFolder): QueuePlace {
  const begun = at.now()
  // Most writers find nobody there, and need no name.
  const ticket = once(() => `boulder.json.${begun}.${newWriteId(at.own)}.ticket`)
  let isTaken = false

  const inFront = async (): Promise<readonly string[]> => {
    const names = await at.files.list(at.folder).catch(nobody)
    const waiting = names.filter((name) => TICKET.test(name) && !isVoidTicket(name, at.now()))
    return waiting.filter((name) => name < ticket()).toSorted()
  }
  const take = async (): Promise<void> => {
    if (isTaken) return
    isTaken = true
    await at.files.createText(pathOf(at, ticket()), "").catch(nobody)
  }

  return {
    take,
    async waitForTurn(deadline) {
      const waitedMs = new Map<string, number>()
      while (performance.now() < deadline) {
        const others = (await inFront()).filter((name) => (waitedMs.get(name) ?? 0) < PATIENCE_MS)
        const [first] = others
        if (first === undefined) return
        await take()
        // Those further behind look less often: looking takes time from whoever is in front.
        const ms = Math.min(3 * others.length - 2, 16) * (0.5 + Math.random())
        await at.pause(ms)
        const before = waitedMs.get(first) ?? 0
        waitedMs.set(first, before + ms)
        if (before < ASK_MS && before + ms >= ASK_MS) await removeOfDead(at, first)
      }
    },
    async leave() {
      if (isTaken) await at.files.remove(pathOf(at, ticket())).catch(nobody)
    },
  }
}

/** Whether a name is a ticket that holds nobody up: of an update that has ended, or of a clock that is set otherwise. */
export function isVoidTicket(name: string, now: number): boolean {
  const begun = TICKET.exec(name)?.[1]
  return begun !== undefined && !isWithin(Number(begun), VALID_MS, now)
}

const TICKET = /^boulder\.json\.(\d{1,16})\.([0-9a-z-]{1,120})\.ticket$/

async function removeOfDead(at: RevisionFolder, name: string): Promise<void> {
  const writer = writerOf(TICKET.exec(name)?.[2] ?? "")
  const isDead = writer !== null && (await lifeOf(writer, at.own)) === "dead"
  if (isDead) await at.files.remove(pathOf(at, name)).catch(nobody)
}

/** A folder that cannot be read or written says so where the update itself reads and writes. */
const nobody = () => []
