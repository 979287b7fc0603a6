import { expect, test } from "bun:test"
import { aWork, LEAD, NOW } from "../../../test/support/builders.ts"
import { parsePlan } from "../../plan/parse-plan.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { openSessions } from "../host/sessions.ts"
import { noteBlocks } from "./block-journal.ts"

const text = "## TODOs\n- [!] 1. A\n- [ ] 2. B\n"
const plan = parsePlan(text)
const fingerprint = { hash: "0badcafe", size: 1, mtime_ms: 1 }
const reading = { kind: "read", plan, text, lines: text.split("\n"), fingerprint } as const

/** The tasks that are written down as newly blocked, reading by reading. */
async function written(blocked_count: number, readings: number): Promise<readonly unknown[]> {
  const entries: JournalEntry[] = []
  const shell = {
    sessions: openSessions(),
    now: () => NOW,
    log: async () => undefined,
    handoffs: { open: async () => ({ handoffs: [] }) } as never,
    journal: {
      append: async (entry: JournalEntry) => void entries.push(entry),
      readLast: async () => ({ entries: [], skipped: 0 }),
    },
  }
  for (let at = 0; at < readings; at++)
    await noteBlocks(shell, aWork({ blocked_count }), reading, LEAD)
  return entries.map(({ facts }) => facts["task"])
}

test("a task that is newly blocked is written down once", async () =>
  expect(await written(0, 2)).toEqual(["todo:1"]))

test("what was blocked when this process began is not new", async () =>
  expect(await written(1, 2)).toEqual([]))
