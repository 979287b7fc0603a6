import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD, NOW } from "../../../test/support/builders.ts"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { LastTurn, Situation } from "../../decide/situation.ts"
import type { SessionApi } from "../host/session-api.ts"
import type { Sessions } from "../host/sessions.ts"
import type { Shell } from "../host/shell.ts"
import { busyChildrenOf, gatherSituation, humanFacts } from "./gather-situation.ts"

const PLAN = "plans/demo.md"
const TURN: LastTurn = {
  messageId: "msg_1",
  createdAt: NOW,
  ours: true,
  error: null,
  ended: true,
  contextTokens: 12_000,
  isSummary: false,
  isUnanswered: false,
}
const IDENTITY = { agent: "build", model: null, variant: null }

interface Scene {
  readonly root: string
  readonly shell: Shell
  readonly sessions: Sessions
  readonly situation: (sessionId?: string) => Promise<Situation>
  /** What the host was asked since the last call. */
  readonly asked: () => readonly string[]
}

/** A work that LEAD leads, and a process that remembers nothing about it. */
function started(
  run: (scene: Scene) => Promise<void>,
  answers: Partial<SessionApi> = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await plugin.hooks.dispose?.()
    const base = shellIn(root)
    const asked: string[] = []
    const given: SessionApi = { ...base.api, ...answers }
    const api: SessionApi = {
      ...given,
      lastTurn: (id) => {
        asked.push("lastTurn")
        return given.lastTurn(id)
      },
      busySessions: () => {
        asked.push("busySessions")
        return given.busySessions()
      },
    }
    const shell: Shell = { ...base, api }
    await run({
      ...{ root, shell, sessions: shell.sessions },
      situation: async (id = LEAD) => (await gatherSituation(shell, id)).situation,
      asked: () => asked.splice(0),
    })
  })
}
const lastTurn = (given: Partial<LastTurn> | null) => async () => ({
  lastTurn: given === null ? null : { ...TURN, ...given },
  ...{ failure: null, identity: IDENTITY, model: null },
})

describe("the host is asked", () => {
  test("for the turn of a lead whose work goes on", () =>
    started(
      async ({ situation, asked, sessions }) => {
        expect(await situation()).toMatchObject({
          ...{ sessionId: LEAD, isChild: false, lastTurn: TURN, identity: IDENTITY },
          ...{ plan: { kind: "read" }, isBusy: false, work: { lead_session_id: LEAD } },
        })
        expect(asked()).toEqual(["lastTurn", "busySessions"])
        expect(sessions.of(LEAD)).toMatchObject({ leads: true, contextTokens: 12_000 })
      },
      { lastTurn: lastTurn({}) },
    ))
  test("for nothing of a session that leads no work, nor of a child", () =>
    started(async ({ situation, asked, sessions }) => {
      sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
      expect(await situation(CHILD)).toMatchObject({ isChild: true, lastTurn: null })
      expect(await situation("ses_other")).toMatchObject({ isChild: false, work: null })
      expect(asked()).toEqual([])
    }))
  test("for nothing of a work that was stopped, but for one that an edit of its plan has set going", () =>
    started(async ({ root, shell, situation, asked }) => {
      await runInFolder(root, "stop demo")
      expect((await situation()).work?.pause_reason).toBe("stopped-by-user")
      expect(asked()).toEqual([])
      await shell.store.update((before) => ({
        ...before,
        works: Object.fromEntries(
          Object.entries(before.works).map(([id, work]) => [
            id,
            { ...work, pause_reason: "no-progress" as const },
          ]),
        ),
      }))
      await situation()
      expect(asked()).toEqual([])
      await writeFile(join(root, PLAN), planOf("Write a", "Write b", "Write c"))
      await situation()
      expect(asked()).toEqual(["lastTurn", "busySessions"])
    }))
})

describe("how full the context is, the last turn tells", () => {
  test.each([
    { name: "a turn with an answer", turn: {}, tokens: 12_000 },
    { name: "a summary", turn: { isSummary: true }, tokens: 0 },
    { name: "no turn at all", turn: null, tokens: 0 },
    {
      name: "one that has failed and tells none",
      turn: { error: "E", contextTokens: 0 },
      tokens: 700,
    },
  ])("$name: $tokens", ({ turn, tokens }) =>
    started(
      async ({ situation, sessions }) => {
        sessions.note({ kind: "context-told", sessionId: LEAD, contextTokens: 700 })
        await situation()
        expect(sessions.of(LEAD).contextTokens).toBe(tokens)
      },
      { lastTurn: lastTurn(turn) },
    ),
  )
  test("but not where the session was compacted while the host was asked", () => {
    const compacted: { in: Sessions | null } = { in: null }
    return started(
      async ({ situation, sessions }) => {
        compacted.in = sessions
        await situation()
        expect(sessions.of(LEAD).contextTokens).toBe(0)
      },
      {
        lastTurn: async () => {
          compacted.in?.note({ kind: "session-compacted", sessionId: LEAD })
          return lastTurn({})()
        },
      },
    )
  })
})

test("a failure that an event alone has told stands, where the host has none", () =>
  started(
    async ({ situation, sessions }) => {
      const failure = { kind: "transient", words: "overloaded", at: NOW } as const
      sessions.note({ kind: "session-failed", sessionId: LEAD, failure })
      expect((await situation()).failure).toBe(failure)
    },
    { lastTurn: lastTurn(null) },
  ))

test("of the sessions that run, those below the lead are its own", () =>
  started(
    async ({ shell, situation, sessions }) => {
      const below = [
        [CHILD, LEAD],
        ["ses_below", CHILD],
        ["ses_other", null],
      ] as const
      for (const [sessionId, parentId] of below)
        sessions.note({ kind: "session-created", sessionId, parentId })
      expect((await situation()).busyChildren).toEqual([CHILD, "ses_below"])
      expect((await situation()).isBusy).toBeTrue()
      expect(await busyChildrenOf(shell, "ses_other")).toEqual([])
    },
    { busySessions: async () => new Set([LEAD, CHILD, "ses_below", "ses_other"]) },
  ))

describe("what is known of the user", () => {
  const asks = (kind: "question-asked" | "permission-asked", sessionId: string) =>
    ({ kind, sessionId, requestId: `${kind}_1` }) as const
  const rejects = (sessionId: string, at: number) =>
    ({ kind: "permission-answered", sessionId, requestId: "per_9", rejected: true, at }) as const

  test("is that of the lead and of all below it", () =>
    started(async ({ shell, sessions }) => {
      sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
      sessions.note(rejects(LEAD, NOW))
      sessions.note(rejects(CHILD, NOW + 5))
      sessions.note(rejects("ses_other", NOW + 9))
      sessions.note(asks("permission-asked", CHILD))
      const facts = { abortedAt: null, rejectedAt: NOW + 5 }
      expect(humanFacts(shell, LEAD)).toEqual({ ...facts, waitingFor: "permission" })
      sessions.note(asks("question-asked", LEAD))
      expect(humanFacts(shell, LEAD)).toEqual({ ...facts, waitingFor: "question" })
    }))
  test("a stop is that of the lead alone: who stops a child has not stopped the work", () =>
    started(async ({ shell, sessions }) => {
      sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
      sessions.note({ kind: "session-aborted", sessionId: CHILD, at: NOW })
      expect(humanFacts(shell, LEAD).abortedAt).toBeNull()
      sessions.note({ kind: "session-aborted", sessionId: LEAD, at: NOW })
      expect(humanFacts(shell, LEAD).abortedAt).toBe(NOW)
    }))
})
