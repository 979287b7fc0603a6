import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { emptyBoulder } from "./boulder.ts"
import { adoptOlder, upgradeOlderFormat } from "./upgrade-older-format.ts"

const NOW = "2026-11-21T10:00:00.000Z"
const upgrade = (json: unknown) =>
  upgradeOlderFormat({ json, root: "/home/me/app", sessionId: "ses_now", now: NOW })
const only = (json: unknown) => Object.values(upgrade(json).boulder.works)[0]

const task = {
  task_key: "todo:1",
  task_label: "1",
  task_title: "Create file a.txt",
  session_id: "opencode:ses_child1",
  category: "quick",
  status: "running",
  started_at: "2026-11-20T10:00:00.000Z",
  updated_at: "2026-11-20T11:00:00.000Z",
}
const flat = {
  active_plan: "/home/me/app/.sisyphus/plans/my-plan.md",
  plan_name: "my-plan",
  started_at: "2026-11-20T09:00:00.000Z",
  session_ids: ["ses_root", "opencode:ses_later"],
  agent: "atlas",
  task_sessions: { "todo:1": task },
}

describe("upgradeOlderFormat", () => {
  test("reads the flat v1 format, with prefixed and bare ids", () => {
    expect(only(flat)).toMatchObject({
      active_plan: ".sisyphus/plans/my-plan.md",
      plan_name: "my-plan",
      status: "paused",
      pause_reason: "stopped-by-user",
      started_at: "2026-11-20T09:00:00.000Z",
      updated_at: NOW,
      lead_session_id: "ses_later",
      session_ids: ["ses_root", "ses_later"],
      agent: "atlas",
      task_sessions: {
        "todo:1": { session_id: "ses_child1", agent: "quick", status: "returned", attempts: 1 },
      },
    })
  })

  test("reads works of v2 and leaves a stale mirror out", () => {
    const works = {
      a: { ...flat, active_plan: ".omo/plans/a.md", plan_name: "a", status: "active" },
      b: { ...flat, active_plan: ".omo/plans/b.md", plan_name: "b", status: "completed" },
    }
    const json = { schema_version: 2, active_work_id: "a", works, ...flat, unknown: [1] }
    const { boulder, dropped } = upgrade(json)
    const plans = Object.values(boulder.works).map(({ active_plan, status }) => [
      active_plan,
      status,
    ])
    expect(plans).toEqual([
      [".omo/plans/a.md", "paused"],
      [".omo/plans/b.md", "completed"],
    ])
    expect(dropped).toEqual([])
  })

  test("stands in for what is missing", () => {
    expect(only({ active_plan: "plans/x.md" })).toMatchObject({
      plan_name: "x",
      lead_session_id: "ses_now",
      session_ids: ["ses_now"],
      started_at: NOW,
      agent: null,
      task_sessions: {},
    })
  })

  test.each([
    ["a plan outside the project", { active_plan: "/etc/passwd" }, "names no plan inside"],
    ["a plan above the project", { active_plan: "../other/x.md" }, "names no plan inside"],
    [
      "a session of another host",
      { ...flat, task_sessions: { "todo:1": { ...task, session_id: "codex:abc" } } },
      "todo:1: it names no session",
    ],
    ["a strange key", { ...flat, task_sessions: { constructor: task } }, "constructor: it names"],
  ])("names what it drops: %s", (_, json, why) => {
    expect(upgrade(json).dropped.join("\n")).toContain(why)
  })

  test("keeps fields that nobody knows, of works, tasks and the file, but no mirror", () => {
    const work = {
      ...flat,
      worktree: "../app-wt",
      total_count: "9",
      task_sessions: { "todo:1": { ...task, mood: ["calm"] } },
    }
    expect(only(work)).toMatchObject({ worktree: "../app-wt", total_count: 0 })
    expect(only(work)?.task_sessions["todo:1"]).toMatchObject({ mood: ["calm"], category: "quick" })
    const file = { schema_version: 2, works: { a: work }, ...work, host: { name: "x" } }
    const { boulder } = upgrade(file)
    expect(boulder).toMatchObject({ schema_version: 3, host: { name: "x" } })
    expect(Object.keys(boulder)).toEqual(["schema_version", "revision", "works", "host"])
    expect(adoptOlder(boulder)(emptyBoulder())).toEqual(boulder)
  })

  test("13p: takes over no work as open that was abandoned", () => {
    expect(only({ ...flat, status: "abandoned" })?.status).toBe("completed")
    expect(only({ ...flat, status: "paused" })?.status).toBe("paused")
  })

  test.each([
    ["a long one", { note: "n".repeat(5_000) }, "note: it is longer"],
    ["a deep one", { note: JSON.parse("[".repeat(40) + "]".repeat(40)) }, "note: it is nested"],
    ["a reserved key", JSON.parse('{"note":{"__proto__":1}}'), "note: it has a reserved key"],
    ["a reserved key itself", JSON.parse('{"__proto__":1}'), "__proto__: it has a reserved key"],
    [
      "many",
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 1])),
      "f39: it is one field too many",
    ],
  ])("keeps no unknown field that does harm: %s", (_, fields, why) => {
    const given = { ...flat, ...fields }
    expect(upgrade(given).dropped.join("\n")).toContain(why)
    expect(only(given)?.plan_name).toBe("my-plan")
    expect(Object.keys(only(given) ?? {})).not.toContain("note")
  })

  test("takes any JSON without a throw", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.jsonValue(),
        fc.record({
          active_plan: fc.oneof(fc.string(), fc.jsonValue()),
          works: tie("any"),
          session_ids: tie("any"),
          task_sessions: tie("any"),
          status: fc.string(),
          started_at: fc.string(),
        }),
      ),
    })).any
    fc.assert(
      fc.property(value, (json) => {
        expect(upgrade(json).boulder.revision).toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  test("refuses a format newer than it knows, and says so", () => {
    const json = { schema_version: 4, works: { a: flat } }
    const { boulder, dropped } = upgrade(json)
    expect(boulder).toEqual(emptyBoulder())
    expect(dropped).toEqual(["all of it: schema_version 4 is newer than 2"])
  })

  test("13u: is adopted where it is not known yet, and nothing of ours is replaced", () => {
    const { boulder } = upgrade(flat)
    const [id = ""] = Object.keys(boulder.works)
    const ours = { ...emptyBoulder(), revision: 4 }
    expect(Object.keys(adoptOlder(boulder)(ours).works)).toEqual([id])
    expect(adoptOlder(boulder)(ours).revision).toBe(4)
    const known = { ...ours, works: boulder.works }
    expect(adoptOlder(boulder)(known)).toBe(known)
    expect(adoptOlder(boulder, new Set([id]))(ours)).toBe(ours)
  })
})
