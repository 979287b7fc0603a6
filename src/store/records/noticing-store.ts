// Tells the user and the journal what the store had to restore.

import { isoOf } from "../../boulder/iso-time.ts"
import { messageOf } from "../disk/store-error.ts"
import type { BoulderStore, StoreNotice } from "../revisions/boulder-store.ts"
import type { Journal } from "./journal.ts"

/** More than a store ever has to say: the user must not be flooded. */
const MAX_WAITING = 16

/** A store whose notices wait until they are told, whoever called it. */
export type NoticingStore = ReturnType<typeof openNoticingStore>

interface Listeners {
  readonly store: BoulderStore
  readonly journal: Pick<Journal, "append">
  /** ms since 1970 */
  readonly now: () => number
  /** Tells the user. */
  readonly tell: (message: string) => unknown
}

/** Wraps a store: the answer of a call never waits for the user to be told. */
export function openNoticingStore({ store, journal, now, tell }: Listeners) {
  /** Words on their way to the user: they concern no work, and are dropped once told. */
  const waiting: StoreNotice[] = []
  const heard = <Answer extends { readonly notices: readonly StoreNotice[] }>(answer: Answer) => {
    waiting.push(...answer.notices.slice(0, MAX_WAITING - waiting.length))
    return answer
  }
  return {
    store: {
      ...store,
      read: async () => heard(await store.read()),
      update: async (...given: Parameters<BoulderStore["update"]>) =>
        heard(await store.update(...given)),
    },
    isWaiting: () => waiting.length > 0,
    /** Tells the journal and the user what waits, each once. Throws what these throw. */
    async say() {
      for (const { kind, message } of waiting.splice(0)) {
        const facts = { message }
        const entry = { at: isoOf(now()), session: null, work: null, decision: "notice", facts }
        await Promise.all([tell(message), journal.append({ ...entry, reason: kind })])
      }
    },
  }
}

/** Wraps a store: a call tells its notices before it answers. If the journal cannot be written, that is told, not thrown. */
export function openSayingStore(given: Listeners): BoulderStore {
  const { store, say } = openNoticingStore(given)
  const said = async <Answer>(answer: Answer): Promise<Answer> => {
    try {
      await say()
    } catch (error) {
      await given.tell(messageOf(error))
    }
    return answer
  }
  return {
    ...store,
    read: async () => said(await store.read()),
    update: async (...given) => said(await store.update(...given)),
  }
}
