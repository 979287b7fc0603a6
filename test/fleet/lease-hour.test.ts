import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { playLeases } from "../support/lease-hour.ts"
import { openPostgres, type PostgresServer } from "../support/postgres-server.ts"
import { machinesOn } from "../support/still-clock.ts"
import { withFolder } from "../support/store-folder.ts"

/** `bun bench/fleet.ts` plays the whole hour, with 64. */
const SHORT = { claimers: 16, tasks: 60, minutes: 15, seed: 21 }

let server: PostgresServer
beforeAll(async () => {
  server = await openPostgres()
}, 60_000)
afterAll(() => server.close())

test("in PostgreSQL no task is held twice and none is lost, whoever is killed or asleep", async () => {
  const { machines, close } = await machinesOn(await server.newDatabase(), 4)
  const { claims, kills, ...came } = await playLeases(machines, SHORT)
  expect(came).toMatchObject({ twice: [], lost: [] })
  expect({ claims: claims > 40, kills: kills > 5 }).toEqual({ claims: true, kills: true })
  await close()
}, 120_000)

test(
  "in files it is the same",
  () =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder"))
      let ms = 0
      const stores = Array.from({ length: 4 }, () => openFileHandoffStore({ root, now: () => ms }))
      const setNow = async (now: number) => {
        ms = now
      }
      const { claims, ...came } = await playLeases({ stores, setNow }, SHORT)
      expect(came).toMatchObject({ twice: [], lost: [] })
      expect(claims).toBeGreaterThan(40)
    }),
  120_000,
)
