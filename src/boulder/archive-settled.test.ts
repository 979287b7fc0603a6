import { describe, expect, test } from "bun:test"
import { whatLeaves, withoutDeparted } from "./archive-settled.ts"
import { type Boulder, emptyBoulder, type TaskSession, type Work } from "./boulder.ts"
import { newWork } from "./new-work.ts"

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`

function aTask(key: string): TaskSession {
  return {
    task_key: key,
    task_label: null,
    task_title: key,
    title_hash: "h",
    session_id: "ses_child",
    agent: "general",
    attempts: 1,
    failures: 0,
    results: 0,
    result_hash: null,
    status: "returned",
    started_at: at(0),
    updated_at: at(0),
  }
}

function aWork(name: string, parts: Partial<Work> = {}): Work {
  const work = newWork({
    planPath: `${name}.md`,
    planName: name,
    sessionId: "ses_lead",
    now: at(0),
  })
  return { ...work, work_id: name, ...parts }
}

function aBoulder(...works: Work[]): Boulder {
  return { ...emptyBoulder(), works: Object.fromEntries(works.map((work) => [work.work_id, work])) }
}

const rules = {
  keepCompleted: 1,
  keepCompletedMs: 60_000,
  now: Date.parse(at(10)) - 1,
  keepSessions: 2,
  unneeded: null,
}

describe("whatLeaves", () => {
  test("nothing of a young work", () => {
    expect(whatLeaves(aBoulder(aWork("a")), rules)).toBeNull()
  })

  test("all finished works but the last ones", () => {
    const boulder = aBoulder(
      aWork("old", { status: "completed", updated_at: at(1) }),
      aWork("new", { status: "completed", updated_at: at(2) }),
      aWork("going"),
    )
    const leaving = whatLeaves(boulder, rules)
    expect(leaving?.works.map((work) => work.work_id)).toEqual(["old"])
    if (leaving === null) return
    expect(Object.keys(withoutDeparted(leaving)(boulder).works)).toEqual(["new", "going"])
  })

  test("no work that has just finished", () => {
    const boulder = aBoulder(
      aWork("a", { status: "completed", updated_at: at(1) }),
      aWork("b", { status: "completed", updated_at: at(9) }),
      aWork("c", { status: "completed", updated_at: at(10) }),
    )
    const leaving = whatLeaves(boulder, rules)
    expect(leaving?.works.map((work) => work.work_id)).toEqual(["a"])
  })

  test("settled tasks without a dispatch, and the oldest sessions, never the lead", () => {
    const task_sessions = { "todo:1": aTask("todo:1"), "todo:2": aTask("todo:2") }
    const dispatch = {
      task_key: "todo:2",
      title_hash: "h",
      parent_session_id: "ses_lead",
      session_id: null,
      agent: "general",
      resumes: null,
      started_at: at(0),
    }
    const session_ids = ["ses_lead", "ses_a", "ses_b", "ses_c"]
    const work = aWork("a", { task_sessions, dispatches: { call: dispatch }, session_ids })
    const unneeded = {
      workId: "a",
      sessions: new Set(["todo:1", "todo:2"]),
      wave: new Set<string>(),
    }
    const leaving = whatLeaves(aBoulder(work), { ...rules, unneeded })
    expect(leaving?.parts).toEqual([
      {
        workId: "a",
        taskSessions: [aTask("todo:1")],
        sessionIds: ["ses_a", "ses_b"],
        waveRows: [],
      },
    ])
    if (leaving === null) return
    const after = withoutDeparted(leaving)(aBoulder(work)).works["a"]
    expect(Object.keys(after?.task_sessions ?? {})).toEqual(["todo:2"])
    expect(after?.session_ids).toEqual(["ses_lead", "ses_c"])
  })

  test("outcomes of the wave that are named, unless they have changed meanwhile", () => {
    const row = { title_hash: "h", verdict: "pass", session_id: null, at: at(0) } as const
    const final_wave = { "final-wave:f1": row, "final-wave:f9": row }
    const before = aBoulder(aWork("a", { final_wave }))
    const unneeded = { workId: "a", sessions: new Set<string>(), wave: new Set(["final-wave:f9"]) }
    const leaving = whatLeaves(before, { ...rules, unneeded })
    expect(leaving?.parts[0]?.waveRows).toEqual([["final-wave:f9", row]])
    if (leaving === null) return
    const after = withoutDeparted(leaving)(before).works["a"]
    expect(Object.keys(after?.final_wave ?? {})).toEqual(["final-wave:f1"])
    const later = { ...final_wave, "final-wave:f9": { ...row, at: at(1) } }
    const changed = aBoulder(aWork("a", { final_wave: later }))
    expect(withoutDeparted(leaving)(changed)).toBe(changed)
  })

  test("what has changed meanwhile stays, and a second time changes nothing", () => {
    const unneeded = { workId: "a", sessions: new Set(["todo:1"]), wave: new Set<string>() }
    const before = aBoulder(
      aWork("a", { task_sessions: { "todo:1": aTask("todo:1") } }),
      aWork("b", { status: "completed" }),
    )
    const leaving = whatLeaves(before, { ...rules, keepCompleted: 0, unneeded })
    expect(leaving).not.toBeNull()
    if (leaving === null) return
    const changed = aBoulder(
      aWork("a", { task_sessions: { "todo:1": { ...aTask("todo:1"), updated_at: at(5) } } }),
      aWork("b", { status: "active" }),
    )
    expect(withoutDeparted(leaving)(changed)).toBe(changed)
    const once = withoutDeparted(leaving)(before)
    expect(withoutDeparted(leaving)(once)).toBe(once)
  })
})
