import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, at, aWork, LEAD } from "../../test/support/builders.ts"
import { boulderSchema, emptyBoulder, SESSION_ID, type Work } from "./boulder.ts"

const task = aTask({ label: "3" })
const holds = (given: object) =>
  boulderSchema.safeParse({ ...emptyBoulder(), works: { w: { ...aWork(), ...given } } }).success
const withKey = (key: string): Partial<Work> => ({
  task_sessions: Object.fromEntries([[key, aTaskSession(task)]]),
})
const times = (count: number) => Array.from({ length: count }, () => at(0))

function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)]
}

test("nothing of a state may be changed, at any depth: its type does not let it", () => {
  // What must not compile is looked at by the compiler, and never run.
  const changes = (work: Work) => {
    // @ts-expect-error
    work.agent = "x"
    // @ts-expect-error
    work.continuation.count += 1
    // @ts-expect-error
    work.session_ids.push(LEAD)
    // @ts-expect-error
    work.task_sessions[task.key] = aTaskSession(task)
    // @ts-expect-error
    delete work.blocked[task.key]
  }
  expect(changes).toBeFunction()
})

describe("ids have the host's form", () => {
  test.each([
    { id: LEAD, ok: true },
    { id: "ses_doesnotexist", ok: true },
    { id: `ses_${"a".repeat(64)}`, ok: true },
    { id: `ses_${"a".repeat(65)}`, ok: false },
    { id: "ses_", ok: false },
    { id: "msg_1", ok: false },
    { id: " ses_1", ok: false },
    { id: "ses_1\n", ok: false },
    { id: "ses_../x", ok: false },
    { id: "ses_</boulder>", ok: false },
    { id: "", ok: false },
  ])("$id: $ok", ({ id, ok }) => {
    expect(SESSION_ID.test(id)).toBe(ok)
    expect(holds({ lead_session_id: id })).toBe(ok)
  })
})

describe("what does not validate is refused", () => {
  test.each<{ name: string; given: object }>([
    { name: "a key __proto__", given: JSON.parse('{"blocked":{"__proto__":"x"}}') },
    { name: "a key constructor", given: withKey("constructor") },
    { name: "a key prototype", given: withKey("prototype") },
    { name: "an empty key", given: withKey("") },
    { name: "a key of 257 characters", given: withKey("a".repeat(257)) },
    { name: "a status that is none", given: { status: "running" } },
    { name: "a reason that is none", given: { pause_reason: "because" } },
    { name: "a negative count", given: { completed_count: -1 } },
    { name: "an approval of 65 characters", given: { approved_wave: "a".repeat(65) } },
    { name: "half a count", given: { total_count: 1.5 } },
    { name: "a time that is none", given: { updated_at: "yesterday" } },
    { name: "a time without a zone", given: { updated_at: "2026-11-21T12:00:00" } },
    { name: "a plan's path of 4,097 characters", given: { active_plan: "a".repeat(4_097) } },
    { name: "a plan without a path", given: { active_plan: "" } },
    { name: "a window of 65", given: { current_window: Array(65).fill("todo:1") } },
    { name: "1,001 sessions", given: { session_ids: Array(1_001).fill(LEAD) } },
    {
      name: "1,001 times",
      given: { continuation: { ...aWork().continuation, recent: times(1_001) } },
    },
    { name: "a reserved key in a field of others", given: JSON.parse('{"x":{"__proto__":{}}}') },
    { name: "another, in a list", given: { x: [{ constructor: 1 }] } },
    { name: "a field of others that is 40 levels deep", given: { x: nested(40) } },
    { name: "a field left out", given: { task_sessions: undefined } },
  ])("$name", ({ given }) => {
    expect(holds(given)).toBe(false)
  })
  test.each([
    { name: "nothing", value: null },
    { name: "a list", value: [] },
    { name: "an older schema", value: { ...emptyBoulder(), schema_version: 2 } },
    { name: "a newer schema", value: { ...emptyBoulder(), schema_version: 4 } },
    { name: "no revision", value: { schema_version: 3, works: {} } },
  ])("$name for a boulder", ({ value }) => {
    expect(boulderSchema.safeParse(value).success).toBe(false)
  })
})

describe("what validates", () => {
  test.each<{ name: string; given: object }>([
    { name: "a fresh work", given: {} },
    { name: "a key of 256 characters", given: withKey("a".repeat(256)) },
    {
      name: "keys with dots, dashes, # and ~",
      given: { current_window: ["todo:1.2", "final-wave:f1", "todo:1#2", "task:~a1b2c3d4"] },
    },
    {
      name: "1,000 times",
      given: { continuation: { ...aWork().continuation, recent: times(1_000) } },
    },
    { name: "a time with an offset", given: { updated_at: "2026-11-21T13:00:00+01:00" } },
  ])("$name", ({ given }) => {
    expect(holds(given)).toBe(true)
  })
  test("and comes back from JSON as it was", () => {
    const boulder = { ...emptyBoulder(), works: { w: aWork(withKey(task.key)) } }
    expect(boulderSchema.parse(JSON.parse(JSON.stringify(boulder)))).toEqual(boulder)
  })

  test("and keeps fields that it does not know, at every level", () => {
    const x = { any: ["thing", 1] }
    const plain = { ...emptyBoulder(), works: { w: aWork(withKey(task.key)) } }
    const work = plain.works.w
    const boulder = {
      ...plain,
      x,
      works: {
        w: {
          ...work,
          x,
          continuation: { ...work.continuation, x },
          task_sessions: { [task.key]: { ...aTaskSession(task), x } },
        },
      },
    }
    const parsed: unknown = boulderSchema.parse(boulder)
    expect(parsed).toEqual(boulder)
  })
})

test("a work of the last version may lack what that version left out where there was nothing", () => {
  const { window_titles: _, held: __, rejections: ___, ...older } = aWork()
  const read = boulderSchema.parse({ ...emptyBoulder(), works: { w: older } })
  expect(read.works["w"]).toEqual(aWork())
})
