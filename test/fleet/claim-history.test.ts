import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { notLinearizable, type Operation, readHistory } from "../support/claim-history.ts"
import type { HandoffTask } from "../support/handoff-process.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"
import { withFolder } from "../support/store-folder.ts"
import { startPrograms } from "../support/store-processes.ts"

const PROCESSES = 8
/** Of those, the ones that are killed in the middle of an operation. */
const KILLED = 3
const OPERATIONS = 120
const RECORDS = 12

let server: PostgresServer
const start = await startPrograms<HandoffTask>(
  join(import.meta.dir, "../support/handoff-process.ts"),
)
beforeAll(async () => {
  server = await openPostgres()
}, 60_000)
afterAll(() => server.close())

describe(`what ${PROCESSES} processes of Bun and Node do to the same records has one order that explains it all`, () => {
  const places = [
    { place: "files", url: async () => ({}) },
    { place: "PostgreSQL", url: async () => ({ url: await server.newDatabase() }) },
  ]
  test.each(places)(
    "$place",
    ({ url }) =>
      withFolder(async (root) => {
        const where = { root, leaseMs: 3_600_000, ...(await url()) }
        const history = join(root, "history")
        const ends = await Promise.all(
          Array.from({ length: PROCESSES }, (_, index) => {
            const diesAt = index < KILLED ? 15 * (index + 1) : null
            const what = { seed: index + 1, count: OPERATIONS, records: RECORDS, diesAt }
            const task = { ...where, ...what, history, session: `ses_racer${index}` }
            return start(index % 2 === 0 ? "bun" : "node", { kind: "history", ...task }).ended
          }),
        )
        for (const { code, err } of ends.slice(KILLED))
          expect({ code, err }).toEqual({ code: 0, err: "" })
        const operations = readHistory(history)
        const unheard = operations.filter(({ came }) => came === null)
        expect(unheard.length).toBeGreaterThanOrEqual(KILLED)
        const claims = operations.filter(({ does, came }) => does === "claim" && came === "changed")
        expect(claims.length).toBeGreaterThan(RECORDS)
        expect(notLinearizable(operations)).toEqual([])
      }),
    120_000,
  )
})

describe("the checker of histories", () => {
  const op = (
    session: string,
    does: Operation["does"],
    [begun, ended]: readonly [number, number],
    came: string | null,
  ): Operation => ({ id: "hnd_1", session, does, begun, ended, came })
  const made = op("ses_a", "create", [0, 1], "made")
  const rows: readonly { what: string; operations: readonly Operation[]; wrong: boolean }[] = [
    {
      what: "takes one claim of two",
      operations: [
        made,
        op("ses_a", "claim", [2, 4], "changed"),
        op("ses_b", "claim", [3, 5], "held-by-other"),
      ],
      wrong: false,
    },
    {
      what: "refuses two claims",
      operations: [
        made,
        op("ses_a", "claim", [2, 4], "changed"),
        op("ses_b", "claim", [3, 5], "changed"),
      ],
      wrong: true,
    },
    {
      what: "refuses a reading that is behind what has ended before it",
      operations: [
        made,
        op("ses_a", "claim", [2, 3], "changed"),
        op("ses_b", "read", [4, 5], "free"),
      ],
      wrong: true,
    },
    {
      what: "takes a reading of a claim that nobody has heard of",
      operations: [
        made,
        op("ses_a", "claim", [2, Number.POSITIVE_INFINITY], null),
        op("ses_b", "read", [3, 4], "free"),
        op("ses_b", "read", [5, 6], "ses_a"),
      ],
      wrong: false,
    },
    {
      what: "refuses a claim that comes and goes",
      operations: [
        made,
        op("ses_a", "claim", [2, Number.POSITIVE_INFINITY], null),
        op("ses_b", "read", [3, 4], "ses_a"),
        op("ses_b", "read", [5, 6], "free"),
      ],
      wrong: true,
    },
  ]
  test.each(rows)("$what", ({ operations, wrong }) => {
    expect(notLinearizable(operations)).toEqual(wrong ? ["hnd_1"] : [])
  })
})
