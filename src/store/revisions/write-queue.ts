// Decides who goes first among those that wait to write.
import { isWithin } from "../../boulder/iso-time.ts"
import { once } from "../../plan/model/once.ts"
import { lifeOf, newWriteId } from "../disk/writer-identity.ts"
import { pathOf, type RevisionFolder } from "./revision-folder.ts"

/**
 * The place of one update among those that wait. It is a courtesy, and never what makes a write correct: an update without a place, or that
 * does not see another's, or has given up its own, writes all the same, and `commitRevision` makes sure that nothing is lost.
 */
export type QueuePlace = ReturnType<typeof openPlace>

/** How long to wait for whoever is in front: a stopped process does not come. */
const PATIENCE_MS = 200
/** After this long, check whether it is alive. */
const ASK_MS = 10
/** No update waits longer than a ticket is valid: older ones belong to processes that have ended. */
const VALID_MS = 10_000

/** The place of an update that begins now. Touches nothing before `take`. */
export function openPlace(at: RevisionFolder) {
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
    /** Tells the others that this update waits, and since when. */
    take,
    /** Waits until nobody is in front who may still come. Ends at the deadline, too (`performance.now()`). */
    async waitForTurn(deadline: number) {
      const waitedMs = new Map<string, number>()
      while (performance.now() < deadline) {
        const others = (await inFront()).filter((name) => (waitedMs.get(name) ?? 0) < PATIENCE_MS)
        const [first] = others
        if (first === undefined) return
        await take()
        // Those further back look less often: looking takes time from whoever is in front.
        const ms = Math.min(3 * others.length - 2, 16) * (0.5 + Math.random())
        await at.pause(ms)
        const before = waitedMs.get(first) ?? 0
        waitedMs.set(first, before + ms)
        if (before < ASK_MS && before + ms >= ASK_MS) await removeOfDead(at, first)
      }
    },
    /** Must be called, however the update has ended. */
    async leave() {
      if (isTaken) await at.files.remove(pathOf(at, ticket())).catch(nobody)
    },
  }
}

/** Whether a name is a ticket that holds nobody up: of an update that has ended, or by a clock that is set differently. */
export function isVoidTicket(name: string, now: number): boolean {
  const begun = TICKET.exec(name)?.[1]
  return begun !== undefined && !isWithin(Number(begun), VALID_MS, now)
}

const TICKET = /^boulder\.json\.(\d{1,16})\.([0-9a-z-]{1,120})\.ticket$/

async function removeOfDead(at: RevisionFolder, name: string): Promise<void> {
  const isDead = (await lifeOf(TICKET.exec(name)?.[2] ?? "", at.own)) === "dead"
  if (isDead) await at.files.remove(pathOf(at, name)).catch(nobody)
}

/** A folder that cannot be read or written is reported where the update itself reads and writes. */
const nobody = () => []
