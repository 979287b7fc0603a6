import { afterAll, beforeAll, test } from "bun:test"
import { setTimeout as wait } from "node:timers/promises"
import { type KilledRun, openKilledRun } from "../support/killed-run.ts"

const KILLS = 10
const MOST_REQUESTS = 4
const MOST_MS = 120

let run: KilledRun
beforeAll(async () => {
  run = await openKilledRun(14)
})
afterAll(() => run.host.stop())

test(`killed ${KILLS} times at random moments, the run loses nothing that it was told, and completes`, async () => {
  const { host, goOn, isOver, expectNothingLost } = run
  for (let kill = 0; kill < KILLS; kill++) {
    goOn()
    const requests = host.model.requests.length + 1 + Math.floor(Math.random() * MOST_REQUESTS)
    await host.waitFor(() => host.model.requests.length >= requests || isOver(), {
      what: "the run goes on",
      timeoutMs: 60_000,
    })
    await wait(Math.random() * MOST_MS)
    await host.restart("kill")
    await expectNothingLost()
  }
  goOn()
  await run.expectComplete()
}, 600_000)
