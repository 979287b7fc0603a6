import { describe, expect, test } from "bun:test"
import { aPlan, aTask, aWindow } from "../../test/support/builders.ts"
import { IN_OPENCODE } from "../../test/support/by-name.ts"
import { fill } from "../../test/support/foreign-text.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { continuationText } from "./continuation-text.ts"
import { planWords } from "./plan-words.ts"
import { startText } from "./start-text.ts"

const PATHS = [
  ".boulder/plans/auth.md",
  "docs/superpowers/plans/2026-11-22-rewrite-the-authentication-and-session-management-for-multi-tenant-organisations.md",
  "packages/qzx-k9j2/openspec/changes/add-two-factor-authentication-with-recovery-codes/tasks.md",
  "my plans/the  plan.md",
  "документация/планы/2026-11-22-переписать-модуль-аутентификации.md",
]
const LONG = "Move the checkout to revocable sessions and keep the audit log of the former tables "

/** The texts that name a plan, with every word that they can hold beside it. */
function textsOf(planPath: string, title: string): readonly string[] {
  const tasks = [1, 2, 3].map((label) => aTask({ label: String(label), title, line: label }))
  const shard = ".boulder/works/auth-5f21c0de/shards/001.md"
  const plan = aPlan(tasks)
  const facts = {
    typed: IN_OPENCODE,
    planName: "auth",
    planPath,
    window: aWindow(tasks, { shard }),
    settling: "by-tool" as const,
    words: V1_WORDS,
  }
  const idleTurns = { count: 2, left: 1, isTreeKnown: true }
  const continued = [true, false].map((isTold) =>
    continuationText({ ...facts, counts: plan.counts, isTold, idleTurns, cutOffStep: LONG }),
  )
  const notes = [fill(LONG, 400)]
  return [...continued, startText({ ...facts, plan, resumed: true, notes })]
}

describe("a plan's path is whole or left out, never cut", () => {
  test.each(PATHS.map((path) => ({ path })))(
    "$path is whole, however long the titles are",
    ({ path }) => {
      for (const text of [...textsOf(path, "Add login"), ...textsOf(path, fill(LONG, 400))])
        expect(text).toContain(`plan auth (${path}): `)
    },
  )
  test("one that has no room is left out", () => {
    for (const text of textsOf(fill("qzx-k9j2/", 4_096), fill(LONG, 400))) {
      expect(text).toMatch(/plan auth: /)
      expect(text).not.toContain("qzx")
    }
  })
  test("a long path leaves every row its title and its lines", () => {
    for (const text of textsOf(PATHS[1] ?? "", fill(LONG, 400)))
      expect(text.match(/^- todo:\d "Move the checkout .*\(lines? [\d-]+\)/gm)).toHaveLength(3)
  })
  test("one that is not shown as it is would lead nowhere", () => {
    expect(planWords("The plan", { planName: "a", planPath: "a`b.md" })).toBe("The plan a")
  })
})
