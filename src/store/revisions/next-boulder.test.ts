import { expect, test } from "bun:test"
import fc from "fast-check"
import { aTask, aTaskSession, at, aWork } from "../../../test/support/builders.ts"
import { type Boulder, type Change, emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { checkBoulder } from "./boulder-file.ts"
import { checkedNext, nextBoulder } from "./next-boulder.ts"

const task = aTask({ label: "1" })
const session = aTaskSession(task)
const WORKS: readonly Work[] = [
  aWork({ work_id: "a" }),
  aWork({
    work_id: "b",
    ...{ task_sessions: { [task.key]: session }, blocked: { "todo:2": "h1" } },
    ...{ held: { [task.key]: { title_hash: "x", why: "no check", times: 1 } } },
    ...{ approval_lapsed: true, rejections: { [session.session_id]: at(1) } },
  }),
]

function checked(value: unknown): Boulder {
  const made = checkBoulder(value)
  if (made.kind === "invalid") throw new Error(made.problem)
  return made.boulder
}

const BEFORE = checked({
  ...emptyBoulder(),
  works: { a: { ...WORKS[0], unknown: [1] }, b: WORKS[1] },
  other: { deep: true },
})

/** What a field by keys held before, beside a value that it may hold and such as it may not. */
const KEPT = BEFORE.works["b"]?.task_sessions ?? {}
const BESIDE: readonly unknown[] = [
  ...[session, { ...session, attempts: -1 }, { ...session, later: 1 }, undefined, null].map(
    (one) => ({ ...KEPT, "todo:9": one }),
  ),
  ...[{ ...KEPT, constructor: session }, { ...KEPT }, Object.values(KEPT)],
  Object.fromEntries([...Object.entries(KEPT), ["__proto__", session]]),
]

/** What a field may come to hold: what some field of a work holds, and what none may. */
const VALUES: readonly unknown[] = [
  ...BESIDE,
  ...WORKS.flatMap((work) => Object.values(work)),
  ...[undefined, null, -1, 0.5, "", "a", [], {}, { constructor: 1 }, JSON.parse('{"__proto__":1}')],
  { [task.key]: { ...session, attempts: -1 } },
  { [task.key]: { ...session, later: 1 } },
]
const FIELDS = [
  ...new Set([...WORKS.flatMap((work) => Object.keys(work)), "unknown", "later", "__proto__"]),
]

type Edit = (boulder: Record<string, unknown>) => unknown
const put = (of: object, field: string, value: unknown) =>
  Object.fromEntries([...Object.entries(of).filter(([name]) => name !== field), [field, value]])
const without = (of: object, field: string) =>
  Object.fromEntries(Object.entries(of).filter(([name]) => name !== field))

/** A next revision, applied and checked. */
function nextOf(before: Boulder, change: Change): Boulder | null {
  const next = nextBoulder(before, change)
  return next && checkedNext(before, next)
}

const value = fc.constantFrom(...VALUES)
const field = fc.constantFrom(...FIELDS)
const id = fc.constantFrom("a", "b", "c", "__proto__")
const onWork = (id: string, change: (work: object) => object): Edit => {
  return (boulder) => {
    const works = Object(boulder["works"])
    const work = Object.hasOwn(works, id) ? works[id] : WORKS[0]
    return { ...boulder, works: put(works, id, change(Object(work))) }
  }
}
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(id, field, value)
      .map(([of, name, to]) => onWork(of, (work) => put(work, name, to))),
  },
  fc.tuple(id, field).map(([of, name]) => onWork(of, (work) => without(work, name))),
  id.map(
    (of): Edit =>
      (boulder) => ({
        ...boulder,
        works: without(Object(boulder["works"]), of),
      }),
  ),
  fc
    .tuple(fc.constantFrom("revision", "taken_over", "other", "later", "schema_version"), value)
    .map(
      ([name, to]): Edit =>
        (boulder) =>
          put(boulder, name, to),
    ),
)

test("says of any change what a check of the whole says, and gives the same boulder", () => {
  let valid = 0
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const changed = edits.reduce<unknown>((made, change) => change(Object(made)), BEFORE)
      const whole = checkBoulder({ ...Object(changed), revision: BEFORE.revision + 1 })
      const next = () => nextOf(BEFORE, () => changed as Boulder)
      if (whole.kind === "invalid") {
        expect(next).toThrow()
        return
      }
      valid += 1
      const made = next()
      expect(made).toEqual(whole.boulder)
    }),
    { numRuns: 3_000 },
  )
  expect(valid).toBeGreaterThan(300)
})

test("a field that is the very same is taken as it is", () => {
  const [work] = Object.values(BEFORE.works)
  if (work === undefined) throw new Error("Expected a work.")
  const changed = { ...BEFORE, works: { ...BEFORE.works, a: { ...work, completed_count: 3 } } }
  const made = nextOf(BEFORE, () => changed)
  expect(made?.works["a"]?.continuation).toBe(work.continuation)
  expect(made?.works["b"]).toBe(BEFORE.works["b"] as Work)
})
test("a field that was made anew and says the same is taken as it was", () => {
  const [work] = Object.values(BEFORE.works)
  if (work === undefined) throw new Error("Expected a work.")
  const { continuation } = structuredClone(work)
  const anew = { ...work, continuation, completed_count: 3 }
  const changed = { ...BEFORE, works: { ...BEFORE.works, a: anew } }
  const made = nextOf(BEFORE, () => changed)?.works["a"]
  expect(made?.continuation).toBe(work.continuation)
  expect(made?.completed_count).toBe(3)
})
test("of a field by keys, a value that is the very same is taken as it is", () => {
  const { b: work } = BEFORE.works
  if (work === undefined) throw new Error("Expected a work.")
  const task_sessions = { ...work.task_sessions, "todo:9": { ...session, task_key: "todo:9" } }
  const changed = { ...BEFORE, works: { ...BEFORE.works, b: { ...work, task_sessions } } }
  const made = nextOf(BEFORE, () => changed)?.works["b"]?.task_sessions
  expect(made?.[task.key]).toBe(work.task_sessions[task.key])
  expect(made?.["todo:9"]).toEqual(task_sessions["todo:9"])
})
test("of a field by keys, a value in the place of another is checked", () => {
  const { b: work } = BEFORE.works
  if (work === undefined) throw new Error("Expected a work.")
  const task_sessions = { ...work.task_sessions, [task.key]: { ...session, attempts: -1 } }
  const changed = { ...BEFORE, works: { ...BEFORE.works, b: { ...work, task_sessions } } }
  expect(() => nextOf(BEFORE, () => changed)).toThrow()
})
