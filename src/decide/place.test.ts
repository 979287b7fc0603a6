import { describe, expect, test } from "bun:test"
import { aTask, aTaskSession, aWork, CHILD, LEAD } from "../../test/support/builders.ts"
import { emptyBoulder, type Work } from "../boulder/boulder.ts"
import { putWork } from "../boulder/change-work.ts"
import { placeIn, placeInWork, ranFor, recordedChain, workAtHand, workLed } from "./place.ts"

const boulderOf = (...works: readonly Work[]) => works.reduce(putWork, emptyBoulder())
const ours = aWork({ work_id: "ours", session_ids: ["ses_before", LEAD] })

describe("whose work a session's is", () => {
  test.each([
    { chain: [LEAD], role: "lead" },
    { chain: ["ses_before"], role: "former-lead" },
    { chain: [CHILD, LEAD], role: "child" },
    { chain: ["ses_nested", CHILD, LEAD], role: "child" },
    { chain: [CHILD, "ses_before"], role: "former-child" },
    { chain: [LEAD, "ses_before"], role: "lead" },
    { chain: [CHILD], role: "stranger" },
    { chain: [], role: "stranger" },
  ] as const)("$chain: $role", ({ chain, role }) => {
    const place = placeIn(boulderOf(ours), chain)
    expect(place.role).toBe(role)
    expect(place.work?.work_id ?? null).toBe(role === "stranger" ? null : "ours")
  })
  test("without any work: a stranger", () => {
    expect(placeIn(null, [LEAD])).toEqual({ role: "stranger", work: null })
  })
})

const [ONE, TWO] = [aTask({ label: "1" }), aTask({ label: "2" })]

describe("the place as the handoffs know it", () => {
  const tasksOf = () => [TWO]
  test.each([
    { chain: [LEAD], is: { workId: "ours", role: "lead", task: null } },
    { chain: [CHILD, LEAD], is: { workId: "ours", role: "child", task: TWO } },
    { chain: ["ses_before"], is: null },
    { chain: [CHILD, "ses_before"], is: null },
    { chain: [CHILD], is: null },
  ] as const)("of $chain", ({ chain, is }) => {
    expect(placeInWork(placeIn(boulderOf(ours), chain), tasksOf)).toEqual(is)
    const over = boulderOf({ ...ours, status: "completed" })
    expect(placeInWork(placeIn(over, chain), tasksOf)).toBe(null)
  })
  test("a subagent of several tasks is of none of them", () => {
    const place = placeIn(boulderOf(ours), [CHILD, LEAD])
    expect(placeInWork(place, () => [ONE, TWO])?.task).toBe(null)
    expect(placeInWork(place, () => [])?.task).toBe(null)
  })
  const two = aTask({ label: "2" })
  const kept = { ...ours, task_sessions: { [two.key]: aTaskSession(two) } }
  test.each([
    { what: "kept for a task", work: kept, chain: [CHILD, LEAD] },
    { what: "kept by a completed work", work: { ...kept, status: "completed" }, chain: [CHILD] },
    { what: "kept by none", work: ours, chain: [CHILD] },
  ] as const)("a session that no host tells, $what", ({ work, chain }) => {
    expect(recordedChain(boulderOf(work), CHILD)).toEqual([...chain])
  })
})

describe("the work that a session leads, and has at hand", () => {
  test.each([
    { status: "active", led: "ours", atHand: "ours" },
    { status: "paused", led: "ours", atHand: null },
    { status: "completed", led: null, atHand: null },
  ] as const)("$status: $led, $atHand", ({ status, led, atHand }) => {
    const place = placeIn(boulderOf({ ...ours, status }), [LEAD])
    expect(workLed(place)?.work_id ?? null).toBe(led)
    expect(workAtHand(place)?.work_id ?? null).toBe(atHand)
  })
  test("none of them to a former lead or a child", () => {
    for (const chain of [["ses_before"], [CHILD, LEAD]])
      expect(workLed(placeIn(boulderOf(ours), chain))).toBeNull()
  })
})

test("a session ran for a work where a lead of it is above", () => {
  expect(ranFor(ours, [CHILD, LEAD])).toBe(true)
  expect(ranFor(ours, [CHILD, "ses_before"])).toBe(true)
  expect(ranFor(ours, [LEAD])).toBe(false)
  expect(ranFor(ours, [CHILD, "ses_other"])).toBe(false)
})
