import { isoOf } from "../boulder/iso-time.ts"
import type { BoulderStore, StoreNotice } from "../store/boulder-store.ts"
import type { Shell } from "./shell.ts"

/** More than a store has ever to say; a flood is not for the user. */
const MAX_WAITING = 16

/** A store whose notices wait to be said, whoever called it. */
export interface NoticingStore {
  readonly store: BoulderStore
  readonly isWaiting: () => boolean
  /** Tells the journal and the user what waits, each once. Throws what these throw. */
  readonly say: () => Promise<void>
}

/** Wraps the store of a shell: a call's answer never waits for the user to be told. */
export function openNoticingStore({
  store,
  journal,
  api,
  now,
}: Pick<Shell, "store" | "journal" | "api" | "now">): NoticingStore {
  const waiting: StoreNotice[] = []
  const heard = <Answer extends { readonly notices: readonly StoreNotice[] }>(answer: Answer) => {
    waiting.push(...answer.notices.slice(0, MAX_WAITING - waiting.length))
    return answer
  }
  return {
    store: {
      read: async () => heard(await store.read()),
      update: async (change) => heard(await store.update(change)),
    },
    isWaiting: () => waiting.length > 0,
    async say() {
      for (const { kind, message } of waiting.splice(0)) {
        const facts = { message }
        const entry = { at: isoOf(now()), session: null, work: null, decision: "notice", facts }
        await Promise.all([
          journal.append({ ...entry, reason: kind }),
          api.toast(message, "warning"),
        ])
      }
    },
  }
}
