import { describe, expect, test } from "bun:test"
import { aWork, CHILD, LEAD } from "../../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { openMemoryHandoffStore } from "../../../test/support/memory-handoff-store.ts"
import { emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { complete, putWork, stop } from "../../boulder/change-work.ts"
import type { SessionApi } from "../host/session-api.ts"
import { openSessions } from "../host/sessions.ts"
import { callerOf } from "./handoff-caller.ts"

function callerIn(work: Work, sessionId: string) {
  const sessions = openSessions()
  sessions.note({ kind: "session-created", sessionId: LEAD, parentId: null })
  sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
  const store = openMemoryBoulderStore(putWork(emptyBoulder(), work))
  const api = { session: async () => null } as Partial<SessionApi> as SessionApi
  const handoffs = openMemoryHandoffStore({ project: "p" })
  return callerOf({ store, handoffs, sessions, api }, sessionId, "build")
}

describe.each([
  { role: "lead", sessionId: LEAD },
  { role: "child", sessionId: CHILD },
] as const)("a $role", ({ role, sessionId }) => {
  test.each([{ work: aWork() }, { work: stop(aWork()) }])(
    "has its place in a work that is $work.status",
    async ({ work }) => {
      const { place, family } = await callerIn(work, sessionId)
      expect(place).toEqual({ workId: work.work_id, role, task: null })
      expect(family).toEqual([LEAD, CHILD])
    },
  )

  test("has none in a work that is completed, and no family", async () => {
    const { place, family } = await callerIn(complete(aWork()), sessionId)
    expect({ place, family }).toEqual({ place: null, family: [] })
  })
})
