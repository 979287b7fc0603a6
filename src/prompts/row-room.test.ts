import { expect, test } from "bun:test"
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
