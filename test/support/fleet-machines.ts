import { afterAll, beforeAll, beforeEach } from "bun:test"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { PlaceInWork } from "../../src/boulder/handoff-target.ts"
import { type Database, openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import type { HandoffCaller } from "../../src/store/handoffs/handoff-desk.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { CHILD, LEAD } from "./builders.ts"
import { openPostgres, type PostgresServer } from "./postgres-server.ts"

const PLACE: PlaceInWork = { workId: "demo", role: "lead", task: null }
/** The lead of the scene's work. */
export const lead: HandoffCaller = {
  sessionId: LEAD,
  agent: "build",
  place: PLACE,
  family: [LEAD, CHILD],
}
/** A session that has no part in it. */
export const other = (sessionId: string): HandoffCaller => ({
  ...lead,
  sessionId,
  place: null,
  family: [],
})
/** What a save says. */
export const saying = (
  status: "in_progress" | "blocked" | "complete",
  task: string,
  summary: string = status,
) => ({ status, summary, reason: status === "blocked" ? "no key" : null, task })

/** The saves that wait in a project's folder. */
export const keptIn = (root: string) =>
  readdir(join(root, ".boulder/handoffs/away")).catch(() => [])

/** Waits until it holds. Throws after 30 s. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await holds()); await wait(100))
    if (Date.now() > end) throw new Error("Expected it to come true; found it false for 30 s.")
}

/** Machines that share one PostgreSQL, for all tests of a file. Each test has a database of its own. */
export function sharedPostgres() {
  let server: PostgresServer
  let url = ""
  const opened: Database[] = []
  beforeAll(async () => {
    server = await openPostgres()
  }, 60_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    for (const database of opened.splice(0)) await database.close()
    await server.kill()
    await server.start()
    url = await server.newDatabase()
  }, 60_000)
  /** A machine of its own. Its connection never rests, so an outage ends when the server is back. */
  const machine = (scope = "team") => {
    let clock = 0
    const database = openDatabase({
      url: async () => url,
      root: "/",
      clock: () => {
        clock += 10_000
        return clock
      },
    })
    opened.push(database)
    return (now: () => number): HandoffStore => openPostgresHandoffStore({ database, scope, now })
  }
  return {
    machine,
    kill: () => server.kill(),
    start: () => server.start(),
    url: () => url,
    /** What is waiting, as another machine sees it: the last summary of each handoff. */
    async seen(scope?: string): Promise<readonly string[]> {
      const { handoffs } = await machine(scope)(Date.now).open()
      return handoffs.map(({ summary }) => summary).sort()
    },
  }
}
