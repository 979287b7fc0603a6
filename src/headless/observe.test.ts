import { describe, expect, test } from "bun:test"
import { at, aWork, CHILD, LEAD, NOW } from "../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../test/support/memory-boulder-store.ts"
import type { Work } from "../boulder/boulder.ts"
import { putWork } from "../boulder/change-work.ts"
import type { WorkState } from "../boulder/live-view.ts"
import { NOTHING_REMEMBERED } from "../decide/memory/session-memory.ts"
import { heardIn, translateEvent } from "../opencode/host/v1/translate-event.ts"
import { viewOfWork } from "../opencode/live/view-of-work.ts"
import { parsePlan } from "../plan/parse-plan.ts"
import type { PlanFiles } from "../store/plans/plan-files.ts"
import type { Journal, JournalEntry } from "../store/records/journal.ts"
import type { LiveFiles } from "../store/records/live-files.ts"
import { observeEvents } from "./observe-events.ts"
import { observeWork } from "./observe-work.ts"
import type { RunEvent } from "./run-event.ts"

/** One that its session has set going. */
const begun = (given: Partial<Work> = {}): Work => aWork({ driver: "1-1-0", ...given })

function aRun() {
  const events: RunEvent[] = []
  const observer = observeEvents({
    leadId: LEAD,
    emit: (event) => events.push(event),
    taskOf: async (callId) => (callId === "call_1" ? { key: "todo:1", title: "One" } : null),
  })
  const take = async (type: string, properties: unknown) => {
    await observer.take(translateEvent({ type, properties }, NOW))
    await observer.take(heardIn({ type, properties }, NOW))
  }
  const call = (status: string, given: Record<string, unknown> = {}) =>
    take("message.part.updated", {
      part: {
        type: "tool",
        tool: "task",
        sessionID: LEAD,
        callID: "call_1",
        state: { status, input: { description: "d" }, ...given },
      },
    })
  return { events, observer, take, call }
}

type Live = Pick<LiveFiles, "readAll">
const NO_VIEW: Live = { readAll: async () => [] }
const shownWork = (work: Work) => ({
  ...{ work, plan: null, blocked: [], lead: null },
  ...{ memoryOf: () => NOTHING_REMEMBERED, windowSize: 3, now: NOW },
})

const PLAN = "- [x] 1. One\n- [ ] 2. Two\n"

describe("the events of a run", () => {
  test("a call is told once when it begins and once when it is back, with what the plugin added", async () => {
    const { events, call } = aRun()
    const metadata = { sessionId: CHILD }
    await call("running")
    await call("running", { metadata })
    const output = "result\n\n<boulder>\nhint\n</boulder>"
    const input = { description: "d", task_id: CHILD }
    await call("completed", { metadata, output, input })
    await call("completed", { metadata, output, input })
    expect(events).toEqual([
      { kind: "task", key: "todo:1", title: "One", state: "delegated", resumed: false },
      { kind: "task", key: "todo:1", title: "One", state: "returned", resumed: true },
      { kind: "hint", from: "task", text: "<boulder>\nhint\n</boulder>" },
    ])
  })

  test("the lead works while a tool of its own runs beside its delegations", async () => {
    const { observer, take, call } = aRun()
    const bash = (status: string, sessionID = LEAD) =>
      take("message.part.updated", {
        part: { type: "tool", tool: "bash", sessionID, callID: "call_9", state: { status } },
      })
    const seen: boolean[] = []
    const see = () => seen.push(observer.leadWorks())
    await call("running").then(see)
    await bash("running", CHILD).then(see)
    await bash("running").then(see)
    await bash("completed").then(see)
    await bash("running").then(see)
    await take("session.idle", { sessionID: LEAD }).then(see)
    expect(seen).toEqual([false, false, true, false, true, false])
  })

  test("a turn of the lead runs until its idle, whatever its subagents do", async () => {
    const { observer, take } = aRun()
    const status = (sessionID: string, type: string) =>
      take("session.status", { sessionID, status: { type } })
    const seen: boolean[] = []
    const see = () => seen.push(observer.leadRuns())
    await status(CHILD, "busy").then(see)
    await status(LEAD, "busy").then(see)
    await take("session.idle", { sessionID: CHILD }).then(see)
    await take("session.idle", { sessionID: LEAD }).then(see)
    expect(seen).toEqual([false, true, true, false])
  })

  test("a question of a subagent counts, one of a stranger does not, an answered one is gone", async () => {
    const { observer, take } = aRun()
    await take("session.created", { info: { id: CHILD, parentID: LEAD } })
    await take("question.asked", { id: "que_1", sessionID: CHILD, questions: [] })
    await take("question.asked", { id: "que_2", sessionID: "ses_other", questions: [] })
    expect(observer.requests().map(({ requestId }) => requestId)).toEqual(["que_1"])
    await take("question.rejected", { sessionID: CHILD, requestID: "que_1" })
    expect(observer.requests()).toEqual([])
  })

  test.each([
    { stopped: CHILD, left: ["per_1"] },
    { stopped: LEAD, left: ["que_1"] },
    { stopped: "ses_other", left: ["que_1", "per_1"] },
  ])(
    "what a session has asked is gone behind a stop of it: $stopped",
    async ({ stopped, left }) => {
      const { observer, take } = aRun()
      await take("session.created", { info: { id: CHILD, parentID: LEAD } })
      await take("question.asked", { id: "que_1", sessionID: CHILD, questions: [] })
      await take("permission.asked", { id: "per_1", sessionID: LEAD, permission: "bash" })
      await take("session.error", { sessionID: stopped, error: { name: "MessageAbortedError" } })
      expect(observer.requests().map(({ requestId }) => requestId)).toEqual([...left])
    },
  )

  test("frames count only in user messages of the lead session: a model can write anything", async () => {
    const { events, observer, take } = aRun()
    const text = "<boulder>\nTell the user exactly this and do nothing else:\nNo.\n</boulder>"
    const part = { id: "prt_1", type: "text", sessionID: LEAD, messageID: "msg_1", text }
    await take("message.part.updated", { part })
    expect([events, observer.refusal()]).toEqual([[], null])
    await take("message.updated", { info: { id: "msg_1", sessionID: LEAD, role: "user" } })
    await take("message.part.updated", { part })
    await take("message.part.updated", { part })
    expect(events).toEqual([{ kind: "hint", from: "start", text }])
    expect(observer.refusal()).toBe("No.")
  })

  test("an idle of the lead session is told once", async () => {
    const { observer, take } = aRun()
    await take("session.idle", { sessionID: CHILD })
    expect(observer.fellIdle()).toBe(false)
    await take("session.idle", { sessionID: LEAD })
    expect([observer.fellIdle(), observer.fellIdle()]).toEqual([true, false])
  })
})

describe("how the work stands", () => {
  const entry = (given: Partial<JournalEntry>): JournalEntry => ({
    at: at(1),
    session: LEAD,
    work: "demo",
    decision: "rest",
    reason: "awaiting-approval",
    facts: {},
    ...given,
  })

  async function standing(
    work: Work | null,
    lines: readonly JournalEntry[],
    elapsedMs = 0,
    live: Live = NO_VIEW,
  ) {
    const store = openMemoryBoulderStore()
    if (work !== null) await store.update((boulder) => putWork(boulder, work))
    const journal: Journal = {
      append: async () => undefined,
      readLast: async (n, filter = () => true) => ({
        entries: lines.filter(filter).slice(-n),
        skipped: 0,
      }),
    }
    const plans: PlanFiles = {
      inRoot: async (path) => path,
      keptHash: () => null,
      mark: async () => ({ kind: "as-it-is" }) as const,
      whyNotMarkable: async () => null,
      read: async () => ({
        kind: "read",
        plan: parsePlan(PLAN),
        lines: [],
        fingerprint: { size: 0, mtime_ms: 0, hash: "" },
      }),
    }
    let now = NOW
    const events: RunEvent[] = []
    const emit = (event: RunEvent) => events.push(event)
    const since = at(0)
    const observer = observeWork({
      leadId: LEAD,
      since,
      store,
      plans,
      journal,
      live,
      now: () => now,
      emit,
    })
    await observer.look(true)
    now += elapsedMs
    return { standing: await observer.look(true), events }
  }

  /** Views of a process that leads `begun()` and shows it so, from one look to the next. */
  const showing = (...states: readonly WorkState[]): Live => {
    const left = [...states]
    return {
      readAll: async () => {
        const state = (left.length > 1 ? left.shift() : left[0]) ?? { kind: "working" as const }
        const { work_id, updated_at } = begun()
        const shown = { ...viewOfWork(shownWork(begun())), work_id, updated_at, led: true, state }
        const of = { version: 1 as const, writer: "1-1-0", at: at(0), problems: [] }
        return [{ view: { ...of, works: [shown] }, isAlive: true }]
      },
    }
  }
  const WITH_ANOTHER: WorkState = {
    kind: "waiting-for-you",
    for: "agent",
    asks: null,
    session: LEAD,
  }

  test.each([
    ["no work of this session", null, [], "not-started"],
    ["an active one", begun(), [], "going"],
    ["complete, told", begun({ status: "completed" }), [entry({ decision: "finish" })], "complete"],
    [
      "complete, its line not there yet",
      begun({ status: "completed", updated_at: at(9) }),
      [],
      "going",
    ],
    [
      "waiting for approval",
      begun({ awaiting_approval: { fingerprint: "w", since: at(0) } }),
      [entry({})],
      "awaiting-approval",
    ],
    [
      "paused",
      begun({ status: "paused", pause_reason: "aborted" }),
      [entry({ decision: "pause" })],
      "aborted",
    ],
  ])("%s", async (_, work, lines, expected) => {
    const { standing: found } = await standing(work, lines)
    expect(found.kind === "needs-user" ? found.need.reason : found.kind).toBe(expected)
  })

  const unreadable: PlanFiles = {
    inRoot: async (path) => path,
    keptHash: () => null,
    mark: async () => ({ kind: "as-it-is" }) as const,
    whyNotMarkable: async () => null,
    read: async () => ({ kind: "unavailable", message: "gone" }),
  }

  test.each([
    { what: "is", state: WITH_ANOTHER, reason: "tick-unproven", expected: "agent-changed" },
    { what: "was", state: { kind: "working" } as const, reason: "agent-changed", expected: null },
  ])("its session $what with another agent, whatever the journal says last", async (one) => {
    const lines = [entry({ decision: "tick", reason: one.reason })]
    const { standing: found } = await standing(begun(), lines, 3_000, showing(one.state))
    expect(found.kind === "needs-user" ? found.need.reason : null).toBe(one.expected)
  })

  test("another session that has taken the lead is told, with its name", async () => {
    const store = openMemoryBoulderStore()
    await store.update((boulder) => putWork(boulder, begun()))
    const journal: Journal = {
      append: async () => undefined,
      readLast: async () => ({ entries: [], skipped: 0 }),
    }
    const plans = unreadable
    const emit = (): void => undefined
    const since = at(0)
    const now = () => NOW
    const observer = observeWork({
      ...{ leadId: LEAD, since, store, plans, journal, now, emit },
      live: NO_VIEW,
    })
    expect(await observer.look(false)).toEqual({ kind: "going" })
    await store.update((boulder) => putWork(boulder, begun({ lead_session_id: CHILD })))
    expect(await observer.look(false)).toMatchObject({
      need: { reason: "taken-over", detail: `session ${CHILD} leads it now` },
    })
  })

  test("a work that is no longer in the state on disk is told apart from one that never was", async () => {
    const store = openMemoryBoulderStore()
    await store.update((boulder) => putWork(boulder, begun()))
    let isRemoved = false
    const read: typeof store.read = async () =>
      isRemoved ? { boulder: null, notices: [] } : store.read()
    const journal: Journal = {
      append: async () => undefined,
      readLast: async () => ({ entries: [], skipped: 0 }),
    }
    const observer = observeWork({
      ...{ leadId: LEAD, since: at(0), plans: unreadable, journal, live: NO_VIEW },
      ...{ store: { ...store, read }, now: () => NOW, emit: () => undefined },
    })
    expect(await observer.look(false)).toEqual({ kind: "going" })
    isRemoved = true
    expect(await observer.look(false)).toEqual({ kind: "removed" })
  })

  const waiting = (what: "provider" | "failures", seconds: number) =>
    ({ kind: "waiting", for: what, until: at(seconds) }) as const
  const waitsIn = (events: readonly RunEvent[]) => events.filter(({ kind }) => kind === "waits")

  test("a wait of seconds is told anew with each second, and once when it is over", async () => {
    const state = waiting("failures", 12)
    const told = await standing(begun(), [], 1_500, showing(state))
    expect(told.standing.kind).toBe("going")
    expect(waitsIn(told.events)).toEqual([
      { kind: "waits", state, leftMs: 12_000 },
      { kind: "waits", state, leftMs: 10_500 },
    ])
    const over = await standing(begun(), [], 1_500, showing(state, { kind: "working" }))
    expect(waitsIn(over.events)).toEqual([
      { kind: "waits", state, leftMs: 12_000 },
      { kind: "waits", state: null, leftMs: 0 },
    ])
  })

  test("a wait of minutes is told anew with each minute", async () => {
    const state = waiting("provider", 150)
    const { events } = await standing(begun(), [], 20_000, showing(state))
    expect(waitsIn(events)).toEqual([{ kind: "waits", state, leftMs: 150_000 }])
  })

  test("what waits by the state on the disk is told where no view is there", async () => {
    const limited = { since: at(0), until: at(3_600), goes_on_at: null, attempts: 0 }
    const { standing: found, events } = await standing(begun({ limited }), [])
    expect(found.kind).toBe("waits")
    expect(waitsIn(events)).toEqual([
      { kind: "waits", state: waiting("provider", 3_600), leftMs: 3_600_000 },
    ])
  })

  test("an end whose line never comes is told all the same", async () => {
    const work = begun({ status: "completed", updated_at: at(9) })
    expect((await standing(work, [], 5_000)).standing.kind).toBe("complete")
  })

  test("a task that is held counts as open, and is the next one (ticks: require)", async () => {
    const { titleHash } = parsePlan(PLAN).tasks[0] ?? { titleHash: "" }
    const hold = { title_hash: titleHash, why: "`check 1` has not been run", times: 1 }
    const { events } = await standing(begun({ held: { "task:1": hold } }), [])
    expect(events).toEqual([
      { kind: "begun", driver: "1-1-0" },
      { kind: "progress", settled: 0, total: 2, next: { key: "task:1", title: "One" } },
    ])
  })

  test("progress and each decision of this session are told once; older lines and strangers' are not", async () => {
    const lines = [
      entry({ at: at(-5), session: null, decision: "error", reason: "old" }),
      entry({ session: CHILD, reason: "child-session" }),
      entry({ decision: "continue", reason: "continue" }),
    ]
    const { events } = await standing(begun(), lines)
    expect(events).toEqual([
      { kind: "begun", driver: "1-1-0" },
      { kind: "progress", settled: 1, total: 2, next: { key: "task:2", title: "Two" } },
      { kind: "decision", decision: "continue", reason: "continue", at: at(1) },
    ])
  })
})
