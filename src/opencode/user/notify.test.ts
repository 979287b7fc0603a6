import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { aWork, LEAD, NOW } from "../../../test/support/builders.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { type Boulder, emptyBoulder } from "../../boulder/boulder.ts"
import { readOptions } from "../host/options.ts"
import type { Sessions } from "../host/sessions.ts"
import { type Notify, openNotify } from "./notify.ts"

const MINUTE_MS = 60_000

test("a decision counts as told once its program has begun, not before and not at its end", () =>
  withFolder(async (root) => {
    const { options } = readOptions({
      notify: { command: ["sh", "-c", "echo > begun; exec sleep 3"] },
    })
    const store = openMemoryBoulderStore(emptyBoulder())
    const asked = Promise.withResolvers<void>()
    const read = async () => {
      await asked.promise
      return store.read()
    }
    const notify = openNotify(
      { ...shellIn(root), options, store: { ...store, read } },
      { set() {} },
    )
    let isTold = false
    const entry = { at: "2026-11-22T00:00:00.000Z", session: null, work: "w", facts: {} }
    const telling = notify
      .decided({ ...entry, decision: "pause", reason: "no-progress" })
      .then(() => {
        isTold = true
      })
    await Bun.sleep(0)
    expect(isTold).toBe(false)
    asked.resolve()
    await telling
    await waitUntil(
      () => existsSync(join(root, "begun")),
      () => "nothing has begun",
    )
  }))

test("of one reason at most one a minute is told, the newest at its end; reasons do not mix", () =>
  withFolder(async (root) => {
    const { options } = readOptions({ notify: { command: ["sh", "-c", "cat >> told"] } })
    const due: {
      readonly id: string
      readonly waitMs: number
      readonly run: () => Promise<void>
    }[] = []
    let now = NOW
    const notify = openNotify(
      { ...shellIn(root), options, store: openMemoryBoulderStore(emptyBoulder()), now: () => now },
      { set: (id, waitMs, run) => void due.push({ id, waitMs, run }) },
    )
    const decide = (reason: string, number: number) =>
      notify.decided({
        at: "2026-11-22T00:00:00.000Z",
        session: null,
        work: "w",
        decision: "pause",
        reason,
        facts: { number },
      })
    const told = async (count: number): Promise<readonly number[]> => {
      const path = join(root, "told")
      const lines = () =>
        existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : []
      await waitUntil(
        () => lines().length === count,
        () => lines().join("\n"),
      )
      return lines().map((line) => JSON.parse(line).facts.number)
    }
    for (const number of [1, 2, 3]) void decide("no-progress", number)
    expect(await told(1)).toEqual([1])
    void decide("plan-invalid", 4)
    expect(await told(2)).toEqual([1, 4])
    expect(due.map(({ id, waitMs }) => [id, waitMs])).toEqual([["notify no-progress", MINUTE_MS]])
    now += MINUTE_MS
    await due[0]?.run()
    expect(await told(3)).toEqual([1, 4, 3])
    void decide("no-progress", 5)
    expect(due).toHaveLength(2)
    now += MINUTE_MS
    await due[1]?.run()
    expect(await told(4)).toEqual([1, 4, 3, 5])
    // A minute without anything: nothing waits, and the next is told at once.
    now += 2 * MINUTE_MS
    void decide("no-progress", 6)
    expect(await told(5)).toEqual([1, 4, 3, 5, 6])
    expect(due).toHaveLength(2)
    // The clock was set back by a day.
    now -= 24 * 60 * MINUTE_MS
    void decide("no-progress", 7)
    expect(await told(6)).toEqual([1, 4, 3, 5, 6, 7])
  }))

/** A teller with its own clock, and what it has told, named as in these tests. */
function withTeller(
  boulder: Boulder,
  run: (teller: {
    readonly notify: Notify
    readonly sessions: Sessions
    readonly minute: () => Promise<void>
    readonly told: (count: number) => Promise<readonly string[]>
  }) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    const { options } = readOptions({ notify: { command: ["sh", "-c", "cat >> told"] } })
    const due: (() => Promise<void>)[] = []
    let now = NOW
    const shell = shellIn(root)
    const store = openMemoryBoulderStore(boulder)
    const notify = openNotify(
      { ...shell, options, store, now: () => now },
      { set: (_id, _ms, again) => void due.push(again) },
    )
    const lines = () => {
      const path = join(root, "told")
      return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : []
    }
    await run({
      notify,
      sessions: shell.sessions,
      async minute() {
        now += MINUTE_MS
        for (const again of due.splice(0)) await again()
      },
      async told(count) {
        await waitUntil(
          () => lines().length >= count,
          () => lines().join("\n"),
        )
        return lines().map((line) => {
          const { work, request } = JSON.parse(line)
          return request?.id ?? work
        })
      },
    })
  })
}

test("works that pause for one reason within a minute are all told, one a minute", () =>
  withTeller(emptyBoulder(), async ({ notify, minute, told }) => {
    const entry = { at: "2026-11-22T00:00:00.000Z", decision: "pause", facts: {} } as const
    for (const work of ["w1", "w2", "w3"])
      void notify.decided({ ...entry, session: work, work, reason: "usage-limited" })
    expect(await told(1)).toEqual(["w1"])
    await minute()
    expect(await told(2)).toEqual(["w1", "w2"])
    await minute()
    await minute()
    expect(await told(3)).toEqual(["w1", "w2", "w3"])
  }))

test("what is so no more at the minute's end is not told: an answered question, a work that was resumed", () => {
  const work = aWork({ work_id: "w1", status: "paused", pause_reason: "no-progress" })
  const going = aWork({ work_id: "w2" })
  const boulder = { ...emptyBoulder(), works: { w1: work, w2: going } }
  return withTeller(boulder, async ({ notify, sessions, minute, told }) => {
    const ask = async (id: string) => {
      const request = { id, sessionId: LEAD, kind: "question" as const, questions: [] }
      const asked = { kind: "question-asked" as const, sessionId: LEAD, requestId: id, request }
      sessions.note(asked)
      await notify.asked(asked, async () => ({ role: "lead", work, boulder }))
    }
    for (const id of ["q1", "q2", "q3"]) await ask(id)
    sessions.note({
      kind: "question-answered",
      ...{ sessionId: LEAD, requestId: "q2", rejected: false, at: NOW },
    })
    const entry = { at: "2026-11-22T00:00:00.000Z", decision: "pause", facts: {} } as const
    for (const [id, session] of [
      ["w1", "ses_1"],
      ["w1", "ses_2"],
      ["w2", "ses_3"],
    ] as const)
      void notify.decided({ ...entry, session, work: id, reason: "no-progress" })
    expect((await told(2)).toSorted()).toEqual(["q1", "w1"])
    for (let minutes = 0; minutes < 4; minutes++) await minute()
    expect((await told(4)).toSorted()).toEqual(["q1", "q3", "w1", "w1"])
  })
})

test("what comes while the held ones are looked through is told behind them, and no two in a minute", () =>
  withFolder(async (root) => {
    const { options } = readOptions({ notify: { command: ["sh", "-c", "cat >> told"] } })
    const due: (() => Promise<void>)[] = []
    let now = NOW
    const kept = openMemoryBoulderStore(emptyBoulder())
    const reads: (() => void)[] = []
    let isSlow = false
    const store = {
      ...kept,
      async read() {
        if (isSlow) await new Promise<void>((resolve) => void reads.push(resolve))
        return kept.read()
      },
    }
    const notify = openNotify(
      { ...shellIn(root), options, store, now: () => now },
      { set: (_id, _ms, again) => void due.push(again) },
    )
    const decide = (work: string) =>
      notify.decided({
        ...{ at: "2026-11-22T00:00:00.000Z", session: work, work, facts: {} },
        ...{ decision: "pause", reason: "no-progress" },
      })
    const told = (): readonly string[] => {
      const path = join(root, "told")
      const text = existsSync(path) ? readFileSync(path, "utf8") : ""
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line).work)
    }
    const toldAre = (all: readonly string[]) =>
      waitUntil(
        () => told().join() === all.join(),
        () => told().join(),
      )
    void decide("w1")
    void decide("w2")
    await toldAre(["w1"])
    now += MINUTE_MS
    isSlow = true
    const later = due.shift()?.()
    now += 20
    void decide("w3")
    isSlow = false
    for (const go of reads.splice(0)) go()
    await later
    await toldAre(["w1", "w2"])
    now += MINUTE_MS
    await due.shift()?.()
    await toldAre(["w1", "w2", "w3"])
    expect(due).toHaveLength(0)
  }))
