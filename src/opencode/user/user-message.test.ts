import { describe, expect, test } from "bun:test"
import { aWork, CHILD, LEAD, NOW } from "../../../test/support/builders.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { emptyBoulder, type Work } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { HostEvent } from "../../decide/memory/host-event.ts"
import type { IncomingMessage } from "../host/reactions.ts"
import type { SessionApi } from "../host/session-api.ts"
import { openSessions } from "../host/sessions.ts"
import type { Shell } from "../host/shell.ts"
import { messageReceived } from "./user-message.ts"

const paused = (reason: Work["pause_reason"]): Partial<Work> => ({
  status: "paused",
  pause_reason: reason,
})
const ANSWER = "<boulder>\nSay this.\n</boulder>"

/** What a message makes of a work. `command` is one of ours that has made the message. */
async function behind(
  given: Partial<Work>,
  message: Partial<IncomingMessage>,
  command: string | null = null,
  stoppedAt: number | null = null,
  told: readonly HostEvent[] = [],
): Promise<Work | undefined> {
  const work = aWork({ agent: "build", ...given })
  const store = openMemoryBoulderStore(putWork(emptyBoulder(), work))
  const sessions = openSessions()
  if (command !== null)
    sessions.note({ kind: "command-answered", sessionId: LEAD, name: command, text: ANSWER })
  if (stoppedAt !== null) sessions.note({ kind: "session-aborted", sessionId: LEAD, at: stoppedAt })
  for (const event of told) sessions.note(event)
  const api = { session: async () => null } as Partial<SessionApi> as SessionApi
  const isElsewhere = async (driver: string | null) => driver === "another"
  const process = { id: "this-process", isElsewhere }
  const shell: Partial<Shell> = { store, sessions, api, process, now: () => NOW }
  await messageReceived(shell as Shell, {
    sessionId: LEAD,
    messageId: "msg_1",
    agent: "plan",
    by: "user",
    texts: ["go on"],
    ...message,
  })
  return (await store.read()).boulder?.works[work.work_id]
}

describe("a message of the user's own", () => {
  test.each([
    { reason: "aborted", status: "active" },
    { reason: "no-progress", status: "active" },
    { reason: "stopped-by-user", status: "paused" },
    { reason: "only-blocked-left", status: "paused" },
  ] as const)("behind a pause for $reason: the work is $status", async ({ reason, status }) => {
    expect((await behind(paused(reason), {}))?.status).toBe(status)
  })
})

// Otherwise another window would take up the work, and prompt the session while the turn runs here.
test.each([
  { driver: "one-that-ended", given: {}, is: "this-process" },
  { driver: null, given: {}, is: "this-process" },
  { driver: "another", given: {}, is: "another" },
  { driver: "one-that-ended", given: paused("stopped-by-user"), is: "one-that-ended" },
])(
  "a turn that begins here, driven by $driver before, is driven by $is",
  async ({ driver, given, is }) => {
    expect((await behind({ ...given, driver }, {}))?.driver).toBe(is)
  },
)

describe("a stop that was told and is not written yet", () => {
  test("the user's message behind it is on disk: the stop counts no more, though the message is undone", async () => {
    const work = await behind({}, {}, null, NOW - 100)
    expect(work?.resumed_at).toBe(isoOf(NOW))
  })
  test("the same behind a refusal in a subagent", async () => {
    const ids = { sessionId: CHILD, requestId: "per_1" }
    const work = await behind({}, {}, null, null, [
      { kind: "session-created", sessionId: CHILD, parentId: LEAD },
      { kind: "permission-answered", ...ids, rejected: true, at: NOW - 100 },
    ])
    expect(work?.resumed_at).toBe(isoOf(NOW))
  })
  test.each([
    { name: "our prompt", given: {}, message: { by: "us" } },
    { name: "a paused work's message", given: paused("stopped-by-user"), message: {} },
  ] as const)("$name leaves it standing", async ({ given, message }) => {
    const { resumed_at: before } = aWork(given)
    expect((await behind(given, message, null, NOW - 100))?.resumed_at).toBe(before)
  })
  test("without a stop, a message writes nothing", async () => {
    expect((await behind({}, {}))?.resumed_at).toBe(aWork().resumed_at)
  })
})

describe("no message of the user's own lifts nothing", () => {
  test.each([
    { name: "our prompt", message: { by: "us" } },
    { name: "the host's own words", message: { by: "host" } },
    { name: "a message of another session", message: { sessionId: CHILD } },
  ] as const)("$name", async ({ message }) => {
    expect((await behind(paused("aborted"), message))?.status).toBe("paused")
  })
  test.each([{ command: "start-work" }, { command: "work-status" }])(
    "the one that /$command has made",
    async ({ command }) => {
      const made = { texts: [ANSWER] }
      expect((await behind(paused("aborted"), made, command))?.status).toBe("paused")
    },
  )
  test("a command whose message never came takes nothing of the user's next", async () => {
    expect((await behind(paused("aborted"), {}, "work-status"))?.status).toBe("active")
  })
})

test("the message of /start-work tells the work's agent, no other does", async () => {
  expect((await behind({}, { texts: [ANSWER] }, "start-work"))?.agent).toBe("plan")
  expect((await behind({}, {}))?.agent).toBe("build")
})
