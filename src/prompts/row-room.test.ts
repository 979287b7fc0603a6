import { expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { aPlan, aTask, aWindow } from "../../test/support/builders.ts"
import { V1_WORDS } from "../opencode/host/v1/v1-words.ts"
import { continuationText } from "./continuation-text.ts"

const LONG =
  "Move the checkout to revocable sessions: replace the signed cookie by a row in the sessions table, rotate the identifier at each login and at each change of rights, expire after thirty minutes of silence and after twelve hours in any case, delete the rows of a user who signs out everywhere, and keep the audit log of the three former tables as the auditors asked in March, with the tests"

test.each([{ nth: 1 }, { nth: 2 }, { nth: 3 }])(
  "the room that short titles leave is a long one's, wherever it stands: row $nth",
  ({ nth }) => {
    const tasks = [1, 2, 3].map((label) =>
      aTask({ label: String(label), title: label === nth ? LONG : `Task ${label}` }),
    )
    const text = continuationText({
      planName: "auth",
      planPath: ".boulder/plans/auth.md",
      counts: aPlan(tasks).counts,
      window: aWindow(tasks, { shard: ".boulder/works/auth-5f21c0de/shards/001.md" }),
      settling: "by-tool",
      words: V1_WORDS,
      isTold: true,
    })
    expect(text).toContain(LONG)
  },
)

test.each([
  {
    script: "Cyrillic",
    title:
      "Переписать модуль аутентификации для поддержки нескольких организаций и отзыва сеансов без потери обратной совместимости",
  },
  {
    script: "Chinese",
    title:
      "重构身份验证模块以支持多个组织并允许撤销会话而不破坏向后兼容性，并为通知队列添加集成测试",
  },
  {
    script: "Japanese",
    title:
      "通知キューの結合テストを追加し、ネットワーク障害時の再送を確認してドキュメントを更新する",
  },
  {
    script: "Korean",
    title: "여러 조직을 지원하고 세션을 취소할 수 있도록 인증 모듈을 다시 작성하고 문서를 업데이트",
  },
  {
    script: "Arabic",
    title:
      "إعادة كتابة وحدة المصادقة لدعم عدة مؤسسات وإلغاء الجلسات دون كسر التوافق مع الإصدارات السابقة",
  },
])("three long titles in $script stand whole, told how to work or not", ({ title }) => {
  const tasks = [1, 2, 3].map((label) => aTask({ label: String(label), title }))
  for (const isTold of [true, false]) {
    const text = continuationText({
      planName: "auth",
      planPath: ".boulder/plans/auth.md",
      counts: aPlan(tasks).counts,
      window: aWindow(tasks, { shard: ".boulder/works/auth-5f21c0de/shards/001.md" }),
      settling: "by-tool",
      words: V1_WORDS,
      isTold,
    })
    expect(text.split(title).length - 1).toBe(3)
  }
})

test("a task that must be left says so, however long the titles are", () => {
  const tasks = [1, 2, 3].map((label) => aTask({ label: String(label), title: LONG + LONG }))
  const window = aWindow(tasks, { shard: ".boulder/works/auth-5f21c0de/shards/001.md" })
  const text = continuationText({
    planName: "auth",
    planPath: ".boulder/plans/auth.md",
    counts: aPlan(tasks).counts,
    window: {
      ...window,
      tasks: window.tasks.map((shown, index) => ({
        ...shown,
        limitedUntil: index === 0 ? null : "2026-11-22T09:00:00.000Z",
      })),
    },
    settling: "by-tool",
    words: V1_WORDS,
    isTold: false,
  })
  expect(text.match(/leave it until then/g)).toHaveLength(2)
})

const SPEC = [
  "Contract test for POST /api/v1/organizations/{orgId}/members in tests/contract/test_organization_members_post.py; it must fail first (TDD), and covers AC-1.2 and AC-1.3",
  "Implement OrganizationMembershipService.inviteMember() with rate limiting (max 10 per hour) in src/services/organization_membership_service.py; covers AC-1.2 and AC-1.3",
  "Add ENABLE_MULTI_TENANT_AUTH to src/config/featureFlags.ts and docs/feature-flags.md (FR-012, FR-017, SC-003); covers AC-1.2 and AC-1.3",
]

test.each([{ isTold: true }, { isTold: false }])(
  "titles of 150 characters with paths and identifiers stand whole, told how to work: $isTold",
  ({ isTold }) => {
    const tasks = SPEC.map((title, index) => aTask({ label: String(index + 1), title }))
    const text = continuationText({
      planName: "auth",
      planPath: ".boulder/plans/auth.md",
      counts: aPlan(tasks).counts,
      window: aWindow(tasks, { shard: ".boulder/works/auth-5f21c0de/shards/001.md" }),
      settling: "by-tool",
      words: V1_WORDS,
      isTold,
    })
    for (const title of SPEC) expect(text).toContain(title)
  },
)

test.each([{ isTold: true }, { isTold: false }])(
  "a title is cut where fewer than 110 of the 450 tokens are free, told how to work: $isTold",
  ({ isTold }) => {
    const words = LONG.split(" ")
    const free = Array.from({ length: 80 }, (_, count) => {
      const title = words.slice(0, count + 10).join(" ")
      const tasks = [1, 2, 3].map((label) => aTask({ label: String(label), title }))
      const text = continuationText({
        planName: "auth",
        planPath: ".boulder/plans/auth.md",
        counts: aPlan(tasks).counts,
        window: aWindow(tasks, { shard: ".boulder/works/auth-5f21c0de/shards/001.md" }),
        settling: "by-tool",
        words: V1_WORDS,
        isTold,
      })
      return text.includes("…") ? 450 - encode(text).length : 0
    })
    expect(Math.max(...free)).toBeLessThan(110)
  },
)
