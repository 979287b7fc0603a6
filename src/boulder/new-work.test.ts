import { describe, expect, test } from "bun:test"
import { at, LEAD } from "../../test/support/builders.ts"
import { boulderSchema, emptyBoulder } from "./boulder.ts"
import { putWork } from "./change-work.ts"
import { newWork, workIdOf } from "./new-work.ts"

describe("a work's id is a readable slug and 8 hex of the plan's path", () => {
  test.each([
    { name: "auth-rewrite", slug: "auth-rewrite" },
    { name: "Billing_Overhaul v1.2", slug: "billing-overhaul-v1-2" },
    { name: "Éclair à la carte", slug: "e-clair-a-la-carte" },
    { name: "添加登录", slug: "plan" },
    { name: "../../etc/passwd", slug: "etc-passwd" },
    { name: "__proto__", slug: "proto" },
    { name: "", slug: "plan" },
    { name: "a".repeat(512), slug: "a".repeat(48) },
  ])("$name: $slug", ({ name, slug }) => {
    expect(workIdOf("p.md", name)).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`))
  })
  test("two plans of one name have two ids, one plan always the same", () => {
    const ids = ["specs/a/tasks.md", ".kiro/specs/a/tasks.md"].map((path) => workIdOf(path, "a"))
    expect(new Set(ids).size).toBe(2)
    expect(workIdOf("specs/a/tasks.md", "a")).toBe(ids[0] ?? "")
  })
})

describe("a fresh work", () => {
  const work = newWork({ planPath: "p.md", planName: "p", sessionId: LEAD, now: at(0) })
  test("is valid, active and led by the session that started it", () => {
    expect(boulderSchema.parse(putWork(emptyBoulder(), work)).works[work.work_id]).toEqual(work)
    expect(work).toMatchObject({
      status: "active",
      pause_reason: null,
      lead_session_id: LEAD,
      session_ids: [LEAD],
      resumed_at: at(0),
    })
  })
})
