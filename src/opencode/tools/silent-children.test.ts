import { describe, expect, test } from "bun:test"
import { aTask, CHILD, LEAD, NOW } from "../../../test/support/builders.ts"
import { shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { readOptions } from "../host/options.ts"
import { HostCallError } from "../host/session-api.ts"
import type { Sessions } from "../host/sessions.ts"
import { watchSilence } from "./silent-children.ts"

const MINUTE = 60_000
const bash = { callId: "call_bash", name: "bash", runs: true }

interface Scene {
  readonly sessions: Sessions
  /** Something is heard of the child. */
  readonly hear: (tool?: typeof bash) => void
  /** The same for another session. */
  readonly hearOf: (sessionId: string, tool?: typeof bash) => void
  /** The host reports in which session the first call runs. */
  readonly runs: () => void
  /** This many minutes pass, with every look that is due in them. */
  readonly wait: (minutes: number) => Promise<void>
  /** The wall clock is set by this many minutes. */
  readonly step: (minutes: number) => void
  readonly done: () => {
    readonly aborted: readonly string[]
    readonly toasts: number
    readonly journal: readonly string[]
  }
  readonly isTimed: () => boolean
}

interface Given {
  readonly continuation?: object
  /** How many aborts the host refuses first. */
  readonly refusals?: number
  readonly children?: readonly [string, ...string[]]
  /** Whether the host reports anything about them at first. */
  readonly isHeard?: boolean
  /** Whether the host has reported in which sessions the calls run. */
  readonly isKnown?: boolean
}

/** Running calls of the lead, in children that run, with a clock of their own. */
function withChild(run: (scene: Scene) => Promise<void>, given: Given = {}): Promise<void> {
  const {
    continuation = {},
    refusals = 0,
    children = [CHILD],
    isHeard = true,
    isKnown = true,
  } = given
  return withFolder(async (root) => {
    let refused = 0
    const said = { aborted: [] as string[], toasts: [] as string[], entries: [] as JournalEntry[] }
    const clock = {
      now: NOW,
      setBy: 0,
      due: Number.POSITIVE_INFINITY,
      look: async () => undefined as unknown,
    }
    const base = shellIn(root)
    const shell = {
      ...base,
      ...readOptions({ continuation }),
      now: () => clock.now + clock.setBy,
      journal: {
        ...base.journal,
        append: async (entry: JournalEntry) => void said.entries.push(entry),
      },
      api: {
        ...base.api,
        abort: async (id: string) => {
          if (refused < refusals) {
            refused += 1
            throw new HostCallError("session.abort: no answer")
          }
          said.aborted.push(id)
        },
        toast: async (words: string) => void said.toasts.push(words),
      },
    }
    const { sessions } = shell
    const watch = watchSilence(shell, {
      has: () => clock.due < Number.POSITIVE_INFINITY,
      set: (_, waitMs, look) => Object.assign(clock, { due: clock.now + waitMs, look }),
    })
    const runs = (callId: string, childId: string) =>
      sessions.note({ kind: "task-part", sessionId: LEAD, callId, status: "running", childId })
    for (const [index, childId] of children.entries()) {
      const task = aTask({ label: `${index + 1}` })
      const callId = `call_${index + 1}`
      const call = { callId, workId: "demo-1", task, childId: null, isBack: false }
      sessions.note({ kind: "call-begun", sessionId: LEAD, call })
      if (isKnown) runs(callId, childId)
    }
    const hearOf = (sessionId: string, tool: typeof bash | null = null) =>
      watch.heard({ kind: "session-heard", sessionId, at: shell.now(), tool })
    const hear = (tool: typeof bash | null = null) => {
      for (const sessionId of children) hearOf(sessionId, tool)
    }
    if (isHeard) hear()
    watch.begun()
    await run({
      sessions,
      hear,
      hearOf,
      runs: () => runs("call_1", CHILD),
      step(minutes) {
        clock.setBy += minutes * MINUTE
      },
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
      expect(sessions.of(LEAD).lost).toMatchObject([
        { kind: "silent", task: { key: "todo:1" }, minutes: 20 },
      ])
    }))
  test.each([-1_440, -10, 10, 60, 1_440].map((minutes) => ({ minutes })))(
    "and was heard of a moment before the clock is set by $minutes minutes is left alone, and ended where it hangs",
    ({ minutes }) =>
      withChild(
        async ({ hear, wait, step, done }) => {
          for (const _ of [1, 2, 3]) {
            await wait(5)
            hear()
            step(minutes)
            await wait(14)
          }
          expect(done()).toEqual(NOTHING)
          await wait(8)
          expect(done()).toMatchObject({ aborted: ["ses_a", "ses_b"] })
        },
        { children: ["ses_a", "ses_b"] },
      ),
  )
  test("and that the provider lets wait is left alone until then, and ended where it hangs behind it", () =>
    withChild(async ({ sessions, wait, step, done }) => {
      const until = NOW + 90 * MINUTE
      sessions.note({ kind: "session-waits", sessionId: CHILD, at: NOW, until })
      step(600)
      await wait(109)
      expect(done()).toEqual(NOTHING)
      await wait(2)
      expect(done()).toMatchObject({ aborted: [CHILD] })
    }))
  test("and of which nothing at all is heard is ended too", () =>
    withChild(
      async ({ wait, done }) => {
        await wait(22)
        expect(done()).toMatchObject({ aborted: [CHILD] })
      },
      { isHeard: false },
    ))
  test("and whose session is told late, behind a permission for the call say, is ended too", () =>
    withChild(
      async ({ runs, hear, wait, done }) => {
        await wait(30)
        runs()
        hear()
        await wait(22)
        expect(done()).toMatchObject({ aborted: [CHILD] })
      },
      { isKnown: false, isHeard: false },
    ))
  test("and is deleted while it hangs is ended, once", () =>
    withChild(async ({ sessions, wait, done }) => {
      await wait(15)
      sessions.note({ kind: "session-deleted", sessionId: CHILD })
      await wait(60)
      expect(done()).toMatchObject({ aborted: [CHILD] })
    }))
  test("and is deleted while it runs a tool, or speaks still, is left alone", () =>
    withChild(async ({ sessions, hear, wait, done }) => {
      hear(bash)
      sessions.note({ kind: "session-deleted", sessionId: CHILD })
      await wait(25)
      hear({ ...bash, runs: false })
      for (const _ of [1, 2, 3]) {
        await wait(15)
        hear()
      }
      expect(done().aborted).toEqual([])
    }))
  test("and was ended is ended again where it hangs in another call, after as long", () =>
    withChild(async ({ sessions, wait, done }) => {
      await wait(25)
      sessions.note({ kind: "call-ended", sessionId: LEAD, callId: "call_1" })
      const task = aTask({ label: "1" })
      const call = { callId: "call_2", workId: "demo-1", task, childId: null, isBack: false }
      sessions.note({ kind: "call-begun", sessionId: LEAD, call })
      const part = { kind: "task-part", sessionId: LEAD, callId: "call_2", childId: CHILD } as const
      sessions.note({ ...part, status: "running" })
      await wait(18)
      expect(done().aborted).toEqual([CHILD])
      sessions.note({ ...part, status: "running" })
      await wait(5)
      expect(done().aborted).toEqual([CHILD, CHILD])
    }))
  test("and whose end the host refuses once is ended at the next look, and both are written down", () =>
    withChild(
      async ({ sessions, wait, done }) => {
        await wait(60)
        expect(done()).toEqual({
          aborted: [CHILD],
          toasts: 1,
          journal: ["end subagent-silent todo:1 20 null", "end subagent-silent todo:1 21 null"],
        })
        expect(sessions.of(LEAD).lost).toMatchObject([
          { kind: "silent", task: { key: "todo:1" }, minutes: 21 },
        ])
      },
      { refusals: 1 },
    ))
  test("and whose end the host refuses does not keep the other silent ones", () =>
    withChild(
      async ({ wait, done }) => {
        await wait(60)
        expect(done()).toMatchObject({ aborted: ["ses_b", "ses_c", "ses_a"], toasts: 3 })
      },
      { refusals: 1, children: ["ses_a", "ses_b", "ses_c"] },
    ))
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

describe("a subagent that a subagent has begun", () => {
  const BELOW = "ses_below"
  const aTaskTool = { callId: "call_below", name: "task", runs: true }
  /** It runs, and is heard once. */
  const begins = ({ sessions, hear, hearOf }: Scene, id = BELOW) => {
    hear(aTaskTool)
    sessions.note({ kind: "session-created", sessionId: id, parentId: CHILD })
    sessions.note({ kind: "session-busy", sessionId: id })
    hearOf(id)
  }
  test("and that hangs is ended alone; whoever has begun it goes on, and the lead has nothing to do", () =>
    withChild(async (scene) => {
      begins(scene)
      await scene.wait(50)
      expect(scene.done()).toEqual({
        aborted: [BELOW],
        toasts: 1,
        journal: ["end subagent-silent todo:1 20 null"],
      })
      expect(scene.sessions.of(LEAD).lost).toEqual([])
      // Its call is over, and the session that made it hangs too.
      scene.sessions.note({ kind: "session-idle", sessionId: BELOW, at: NOW })
      scene.hear({ ...aTaskTool, runs: false })
      await scene.wait(22)
      expect(scene.done()).toMatchObject({ aborted: [BELOW, CHILD] })
    }))
  test("and its siblings that are heard of, ask, or run a tool are left alone", () =>
    withChild(async (scene) => {
      const { sessions, hearOf, wait, done } = scene
      for (const id of [BELOW, "ses_speaks", "ses_asks", "ses_runs"]) begins(scene, id)
      sessions.note({ kind: "question-asked", sessionId: "ses_asks", requestId: "que_1" })
      hearOf("ses_runs", bash)
      for (let times = 0; times < 4; times++) {
        await wait(14)
        hearOf("ses_speaks")
      }
      expect(done()).toMatchObject({ aborted: [BELOW] })
    }))
  test("and that asks its person holds the call up that runs it: none of that counts", () =>
    withChild(async (scene) => {
      begins(scene)
      scene.sessions.note({ kind: "permission-asked", sessionId: BELOW, requestId: "per_1" })
      await scene.wait(480)
      expect(scene.done()).toEqual(NOTHING)
    }))
  test("and that is idle again is not looked at", () =>
    withChild(async (scene) => {
      begins(scene)
      scene.sessions.note({ kind: "session-idle", sessionId: BELOW, at: NOW })
      await scene.wait(50)
      expect(scene.done()).toEqual(NOTHING)
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
    { continuation: { child_silence_minutes: 0, tool_silence_minutes: 0 } },
  ))

test("of a session that runs below nobody nothing is remembered", () =>
  withFolder(async (root) => {
    const shell = shellIn(root)
    const watch = watchSilence(shell, { has: () => false, set: () => undefined })
    watch.heard({ kind: "session-heard", sessionId: "ses_other", at: NOW, tool: null })
    expect([...shell.sessions.ids()]).toEqual([])
  }))
