import { describe, expect, test } from "bun:test"
import { aTask, CHILD, LEAD, NOW } from "../../../test/support/builders.ts"
import { shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { readOptions } from "../host/options.ts"
import type { Sessions } from "../host/sessions.ts"
import { watchSilence } from "./silent-children.ts"

const MINUTE = 60_000
const bash = { callId: "call_bash", name: "bash", runs: true }

interface Scene {
  readonly sessions: Sessions
  /** Something is heard of the child. */
  readonly hear: (tool?: typeof bash) => void
  /** So many minutes go by, with every look that is due in them. */
  readonly wait: (minutes: number) => Promise<void>
  readonly done: () => object
  readonly isTimed: () => boolean
}

/** A call of the lead's under way in a child that runs, with a clock of its own. */
function withChild(run: (scene: Scene) => Promise<void>, continuation: object = {}): Promise<void> {
  return withFolder(async (root) => {
    const said = { aborted: [] as string[], toasts: [] as string[], entries: [] as JournalEntry[] }
    const clock = {
      now: NOW,
      due: Number.POSITIVE_INFINITY,
      look: async () => undefined as unknown,
    }
    const base = shellIn(root)
    const shell = {
      ...base,
      ...readOptions({ continuation }),
      now: () => clock.now,
      journal: {
        ...base.journal,
        append: async (entry: JournalEntry) => void said.entries.push(entry),
      },
      api: {
        ...base.api,
        abort: async (id: string) => void said.aborted.push(id),
        toast: async (words: string) => void said.toasts.push(words),
      },
    }
    const { sessions } = shell
    const watch = watchSilence(shell, {
      has: () => clock.due < Number.POSITIVE_INFINITY,
      set: (_, waitMs, look) => Object.assign(clock, { due: clock.now + waitMs, look }),
    })
    const task = aTask({ label: "1" })
    const call = { callId: "call_1", workId: "demo-1", task, childId: null, isBack: false }
    sessions.note({ kind: "call-begun", sessionId: LEAD, call })
    const ran = { kind: "task-part", sessionId: LEAD, callId: "call_1", status: "running" } as const
    sessions.note({ ...ran, childId: CHILD })
    const hear = (tool: typeof bash | null = null) =>
      watch.heard({ kind: "session-heard", sessionId: CHILD, at: clock.now, tool })
    hear()
    watch.begun()
    await run({
      sessions,
      hear,
      async wait(minutes) {
        const end = clock.now + minutes * MINUTE
        while (clock.due <= end) {
          clock.now = clock.due
          clock.due = Number.POSITIVE_INFINITY
          await clock.look()
        }
        clock.now = end
      },
      done() {
        const journal = said.entries.map(
          ({ decision, reason, facts }) =>
            `${decision} ${reason} ${facts["task"]} ${facts["minutes"]} ${facts["tool"]}`,
        )
        return { aborted: said.aborted, toasts: said.toasts.length, journal }
      },
      isTimed: () => clock.due < Number.POSITIVE_INFINITY,
    })
  })
}
const NOTHING = { aborted: [], toasts: 0, journal: [] }

describe("a subagent that runs", () => {
  test("and is heard of is left alone", () =>
    withChild(async ({ hear, wait, done }) => {
      for (let times = 0; times < 6; times++) {
        await wait(15)
        hear()
      }
      expect(done()).toEqual(NOTHING)
    }))
  test("and has fallen silent is ended once, and its orchestrator is to hear of it", () =>
    withChild(async ({ sessions, wait, done }) => {
      await wait(60)
      expect(done()).toEqual({
        aborted: [CHILD],
        toasts: 1,
        journal: ["end subagent-silent todo:1 20 null"],
      })
      expect(sessions.of(LEAD).lost).toEqual([{ kind: "silent", taskKey: "todo:1", minutes: 20 }])
    }))
  test("and waits for its user is not silent", () =>
    withChild(async ({ sessions, wait, done }) => {
      sessions.note({ kind: "question-asked", sessionId: CHILD, requestId: "que_1" })
      await wait(90)
      expect(done()).toEqual(NOTHING)
    }))
  test("whose tool takes long is left alone, and that is said once", () =>
    withChild(async ({ sessions, hear, wait, done }) => {
      hear(bash)
      await wait(150)
      expect(done()).toEqual({
        aborted: [],
        toasts: 1,
        journal: ["notice tool-long todo:1 60 bash"],
      })
      expect(sessions.of(LEAD).lost).toEqual([])
    }))
})

test("nobody is looked at any more once no call is under way", () =>
  withChild(async ({ sessions, wait, done, isTimed }) => {
    expect(isTimed()).toBeTrue()
    sessions.note({ kind: "call-back", sessionId: LEAD, callId: "call_1" })
    await wait(60)
    expect([isTimed(), done()]).toEqual([false, NOTHING])
  }))

test("with both limits off nobody is looked at", () =>
  withChild(
    async ({ wait, done, isTimed }) => {
      await wait(600)
      expect([isTimed(), done()]).toEqual([false, NOTHING])
    },
    { child_silence_minutes: 0, tool_silence_minutes: 0 },
  ))

test("of a session that runs below nobody nothing is remembered", () =>
  withFolder(async (root) => {
    const shell = shellIn(root)
    const watch = watchSilence(shell, { has: () => false, set: () => undefined })
    watch.heard({ kind: "session-heard", sessionId: "ses_other", at: NOW, tool: null })
    expect([...shell.sessions.ids()]).toEqual([])
  }))
