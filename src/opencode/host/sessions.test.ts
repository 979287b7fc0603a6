import { describe, expect, test } from "bun:test"
import { NOTHING_REMEMBERED } from "../../decide/memory/session-memory.ts"
import { openSessions } from "./sessions.ts"

const GONE = { ...NOTHING_REMEMBERED, isDeleted: true }
const created = (sessionId: string, parentId: string | null = null) =>
  ({ kind: "session-created", sessionId, parentId }) as const

describe("the memory of sessions", () => {
  test("of a session that nothing was told of is empty", () => {
    expect(openSessions().of("ses_a")).toBe(NOTHING_REMEMBERED)
  })
  test("takes events into their own session", () => {
    const sessions = openSessions()
    sessions.note(created("ses_a"))
    sessions.note({ kind: "question-asked", sessionId: "ses_b", requestId: "q" })
    expect(sessions.of("ses_a")).toMatchObject({ parentId: null, questions: [] })
    expect(sessions.of("ses_b")).toMatchObject({ parentId: undefined, questions: ["q"] })
    expect([...sessions.ids()]).toEqual(["ses_a", "ses_b"])
  })
  test("an event that says nothing new takes no room", () => {
    const sessions = openSessions()
    sessions.note({ kind: "session-idle", sessionId: "ses_a", at: 1 })
    expect([...sessions.ids()]).toEqual([])
  })
  test("is emptied when a session is deleted", () => {
    const sessions = openSessions()
    sessions.note(created("ses_a"))
    sessions.note({ kind: "session-deleted", sessionId: "ses_a" })
    expect(sessions.of("ses_a")).toEqual({ ...GONE, parentId: null })
    expect([...sessions.ids()]).toEqual([])
  })
  test("is told nothing more of one that is deleted, till it is made again", () => {
    const sessions = openSessions()
    const spent = { messageId: "msg_1", tokens: 700, usd: null, output: 1, isFinal: true }
    const answer = { kind: "assistant-started", createdAt: 1, at: 1, spent } as const
    sessions.note({ ...answer, sessionId: "ses_a" })
    sessions.note({ kind: "session-deleted", sessionId: "ses_a" })
    sessions.note({ ...answer, sessionId: "ses_a" })
    expect(sessions.of("ses_a")).toEqual(GONE)
    expect([...sessions.ids()]).toEqual([])
    sessions.note(created("ses_a"))
    expect(sessions.of("ses_a")).toMatchObject({ parentId: null, isDeleted: false })
  })
  test.each(["running", "error"] as const)(
    "one that is deleted is made by no part of its call that is %s",
    (status) => {
      const sessions = openSessions()
      const part = { kind: "task-part", sessionId: "ses_lead", callId: "c", status } as const
      sessions.note({ ...part, status: "running", childId: "ses_a" })
      sessions.note({ kind: "session-deleted", sessionId: "ses_a" })
      sessions.note({ ...part, childId: "ses_a" })
      expect(sessions.of("ses_a")).toEqual({ ...GONE, parentId: "ses_lead" })
      expect([...sessions.ids()]).toEqual([])
    },
  )
  test("what one has spent comes back to whom it ran below, where it was deleted while that was booked", () => {
    const sessions = openSessions()
    const spent = { tokens: 700, usd: 0, unpricedTokens: 700 }
    sessions.note(created("ses_a", "ses_b"))
    sessions.note(created("ses_b", "ses_lead"))
    for (const sessionId of ["ses_a", "ses_b"])
      sessions.note({ kind: "session-deleted", sessionId })
    sessions.note({ kind: "spent-returned", sessionId: "ses_a", spent })
    expect(sessions.of("ses_lead").spent).toEqual(spent)
  })
  test("is bounded: the sessions that were told of longest ago go first", () => {
    const sessions = openSessions()
    sessions.note(created("ses_old"))
    sessions.note(created("ses_kept"))
    for (let index = 0; index < 1_500; index++) {
      sessions.note(created(`ses_${index}`))
      if (index % 100 === 0)
        sessions.note({
          kind: "model-told",
          sessionId: "ses_kept",
          contextLimit: index + 1,
          compactsAt: index,
        })
    }
    const ids = [...sessions.ids()]
    expect(ids).toHaveLength(1_000)
    expect(ids).toContain("ses_1499")
    expect(sessions.of("ses_kept").parentId).toBeNull()
    expect(ids).not.toContain("ses_old")
  })
  test("what the oldest had spent, and nobody has booked, goes to whom it ran below", () => {
    const sessions = openSessions()
    sessions.note(created("ses_lead"))
    sessions.note(created("ses_child", "ses_lead"))
    const told = { messageId: "msg_1", tokens: 700, usd: 0.5, output: 1, isFinal: true }
    const spent = { ...told, answeredAt: 1 }
    const answer = { kind: "assistant-started", createdAt: 1, at: 1, spent } as const
    sessions.note({ ...answer, sessionId: "ses_child" })
    for (let index = 0; index < 1_500; index++) {
      sessions.note(created(`ses_${index}`))
      if (index % 100 === 0)
        sessions.note({ kind: "said", sessionId: "ses_lead", said: `${index}` })
    }
    expect([...sessions.ids()]).toHaveLength(1_000)
    expect(sessions.of("ses_child")).toBe(NOTHING_REMEMBERED)
    expect(sessions.of("ses_lead").spent).toMatchObject({ tokens: 700, usd: 0.5 })
    // Another session's answer does not end the lead's limit.
    expect(sessions.of("ses_lead").spent).not.toHaveProperty("answeredAt")
  })
  describe("a session that is run runs below whoever runs it", () => {
    const runs = (sessionId: string, childId: string | null) =>
      ({ kind: "task-part", sessionId, callId: "call", status: "running", childId }) as const
    test("but not by an old call that is told of again", () => {
      const sessions = openSessions()
      sessions.note(runs("ses_b", "ses_child"))
      sessions.note({ ...runs("ses_a", "ses_child"), status: "completed" })
      expect(sessions.of("ses_child").parentId).toBe("ses_b")
    })
    test("also one that another session has made", () => {
      const sessions = openSessions()
      sessions.note(created("ses_child", "ses_a"))
      sessions.note(runs("ses_b", "ses_child"))
      expect(sessions.of("ses_child").parentId).toBe("ses_b")
    })
    test("but never one below itself, nor one above it", () => {
      const sessions = openSessions()
      sessions.note(created("ses_a"))
      sessions.note(created("ses_b", "ses_a"))
      sessions.note(runs("ses_b", "ses_b"))
      sessions.note(runs("ses_b", "ses_a"))
      sessions.note(runs("ses_b", null))
      expect(sessions.of("ses_a").parentId).toBeNull()
      expect(sessions.of("ses_b").parentId).toBe("ses_a")
    })
  })
  test("two memories share nothing", () => {
    const one = openSessions()
    one.note(created("ses_a"))
    expect([...openSessions().ids()]).toEqual([])
  })
})
