import { HANDOFF_ID, type Handoff, handoffSchema } from "../../src/boulder/handoff.ts"
import { checkScope } from "../../src/store/handoffs/handoff-scope.ts"
import { type HandoffStore, lastHeard } from "../../src/store/handoffs/handoff-store.ts"
import { NOW } from "./builders.ts"

/** A store that lives as long as `shelf`, which several scopes may share, with the contract of the file store. */
export function openMemoryHandoffStore({
  project,
  shelf = new Map(),
}: {
  project: string
  shelf?: Map<string, Handoff>
}): HandoffStore {
  const find = (id: string): Handoff | null => {
    const found = HANDOFF_ID.test(id) ? shelf.get(id) : undefined
    return found?.scope.project === project ? found : null
  }
  const own = () => [...shelf.values()].filter(({ scope }) => scope.project === project)
  const keep = (handoff: Handoff) => {
    shelf.set(handoff.id, handoffSchema().parse(structuredClone(handoff)))
  }
  return {
    scope: project,
    open: async () => ({
      handoffs: own().filter((handoff) => handoff.settled_at === null),
      unreadable: [],
      now: NOW,
    }),
    read: async (id) => find(id),
    async create(make) {
      const handoff = make(NOW)
      checkScope(handoff, project)
      if (shelf.has(handoff.id)) return null
      keep(handoff)
      return handoff
    },
    async update(id, change) {
      const before = find(id)
      if (before === null) return { kind: "missing" }
      const after = before.settled_at === null ? change(before, NOW) : "settled"
      if (typeof after === "string") return { kind: "refused", reason: after, handoff: before }
      checkScope(after, project)
      keep(after)
      return { kind: "changed", handoff: after }
    },
    async lastOf(sessionId) {
      const open = own().filter((handoff) => handoff.settled_at === null)
      return lastHeard(open, sessionId) ?? lastHeard(own(), sessionId)
    },
  }
}
