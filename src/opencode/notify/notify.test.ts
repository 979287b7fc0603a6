import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { NOW } from "../../../test/support/builders.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { openMemoryBoulderStore } from "../../../test/support/memory-boulder-store.ts"
import { shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { emptyBoulder } from "../../boulder/boulder.ts"
import { readOptions } from "../host/options.ts"
import { openNotify } from "./notify.ts"

const MINUTE_MS = 60_000

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
    for (const number of [1, 2, 3]) decide("no-progress", number)
    expect(await told(1)).toEqual([1])
    decide("plan-invalid", 4)
    expect(await told(2)).toEqual([1, 4])
    expect(due.map(({ id, waitMs }) => [id, waitMs])).toEqual([["notify no-progress", MINUTE_MS]])
    now += MINUTE_MS
    await due[0]?.run()
    expect(await told(3)).toEqual([1, 4, 3])
    decide("no-progress", 5)
    expect(due).toHaveLength(2)
    now += MINUTE_MS
    await due[1]?.run()
    expect(await told(4)).toEqual([1, 4, 3, 5])
    // A minute without anything: nothing waits, and the next is told at once.
    now += 2 * MINUTE_MS
    decide("no-progress", 6)
    expect(await told(5)).toEqual([1, 4, 3, 5, 6])
    expect(due).toHaveLength(2)
    // The clock was set back by a day.
    now -= 24 * 60 * MINUTE_MS
    decide("no-progress", 7)
    expect(await told(6)).toEqual([1, 4, 3, 5, 6, 7])
  }))
