import { afterAll, beforeAll } from "bun:test"
import { openDatabase } from "../../src/store/fleet/database.ts"
import { openPostgresHandoffStore } from "../../src/store/fleet/postgres-handoff-store.ts"
import { describeHandoffStore } from "../support/handoff-store-contract.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await openPostgres()
}, 60_000)
afterAll(() => server.close())

describeHandoffStore("PostgreSQL", async (run) => {
  const url = await server.newDatabase()
  const database = openDatabase({ url: async () => url, root: "/" })
  try {
    await run({
      open: (scope = "one") => openPostgresHandoffStore({ database, scope, now: Date.now }),
      scope: (scope = "one") => scope,
    })
  } finally {
    await database.close()
  }
})
