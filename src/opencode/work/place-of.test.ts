import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aTaskSession, aWork, CHILD, LEAD } from "../../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { workAtHand } from "../../decide/place.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { SessionApi } from "../host/session-api.ts"
import { openSessions } from "../host/sessions.ts"
import { placeOf, placeOnce, workAndPlan } from "./place-of.ts"

/** A shell whose host knows one child. It counts what is asked. */
function shellWith(work: Work) {
  const asked = { store: 0, host: [] as string[] }
  const inner = openMemoryBoulderStore(putWork(emptyBoulder(), work))
  const store = {
    ...inner,
    read: () => {
      asked.store += 1
      return inner.read()
    },
  }
  const session: SessionApi["session"] = async (id) => {
    asked.host.push(id)
    if (id === "ses_unknown") return null
    return { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id }
  }
  const api = { session } as Partial<SessionApi> as SessionApi
  return { asked, shell: { store, api, sessions: openSessions() } }
}

describe("whose work a session's is", () => {
  test.each([
    { id: LEAD, reach: "near", role: "lead", host: 0 },
    { id: LEAD, reach: "far", role: "lead", host: 0 },
    { id: CHILD, reach: "near", role: "stranger", host: 0 },
    { id: CHILD, reach: "far", role: "child", host: 2 },
    { id: "ses_unknown", reach: "far", role: "stranger", host: 1 },
  ] as const)("$id, $reach: $role", async ({ id, reach, role, host }) => {
    const { shell, asked } = shellWith(aWork())
    expect((await placeOf(shell, id, reach)).role).toBe(role)
    expect(asked).toMatchObject({ store: 1 })
    expect(asked.host).toHaveLength(host)
  })
  test("no work at all: the host is not asked", async () => {
    const { shell, asked } = shellWith(aWork())
    const none = { ...shell, store: openMemoryBoulderStore() }
    expect(await placeOf(none, CHILD, "far")).toEqual({
      role: "stranger",
      work: null,
      boulder: null,
    })
    expect(asked.host).toEqual([])
  })
})

test("all who ask within one call of a hook have one read of the store, and none who do not", async () => {
  const { shell, asked } = shellWith(aWork())
  const place = placeOnce(shell, LEAD, "near")
  expect(asked.store).toBe(0)
  expect((await Promise.all([place(), place()])).map(({ role }) => role)).toEqual(["lead", "lead"])
  await place()
  expect(asked.store).toBe(1)
})

describe("a work and its plan", () => {
  const one = aTask({ label: "1" })
  const work = aWork({ task_sessions: { [one.key]: aTaskSession(one) } })
  const moved = aPlan([
    aTask({ label: "1", title: "New" }),
    aTask({ label: "2", title: one.title }),
  ])
  const read = {
    kind: "read",
    plan: moved,
    lines: [],
    fingerprint: { size: 1, mtime_ms: 1, hash: "moved" },
  } as const
  const found = async (reading: PlanFileReading, of: Work) => {
    const { shell } = shellWith(of)
    const paths: string[] = []
    const plans = {
      read: async (path: string) => {
        paths.push(path)
        return reading
      },
      keptHash: () => null,
      mark: async () => ({ kind: "as-it-is" }) as const,
      whyNotMarkable: async () => null,
      inRoot: async () => null,
    }
    const and = await workAndPlan({ plans }, await placeOf(shell, LEAD), workAtHand)
    return { and, paths }
  }
  test("a renumbered task keeps its session under its new key", async () => {
    const { and } = await found(read, work)
    expect(Object.keys(and?.work.task_sessions ?? {})).toEqual(["todo:2"])
  })
  test("where the plan cannot be read the work is as it was", async () => {
    const { and } = await found({ kind: "unavailable", message: "gone" }, work)
    expect(Object.keys(and?.work.task_sessions ?? {})).toEqual(["todo:1"])
  })
  test("a work that is not taken costs no reading", async () => {
    const paused = { ...work, status: "paused", pause_reason: "aborted" } as const
    expect(await found(read, paused)).toEqual({ and: null, paths: [] })
  })
})
