import { afterAll, beforeAll, expect, test } from "bun:test"
import type { ModelRequest } from "../support/host-model-request.ts"
import { isContinuation, type KilledRun, openKilledRun } from "../support/killed-run.ts"

type Moment = readonly [what: string, isIt: (request: ModelRequest) => boolean]

/** Where the host is killed, one after the other: the model hangs there. Random moments are in test/kills. */
const MOMENTS: readonly Moment[] = [
  ["a subagent works", ({ toolNames }) => !toolNames.includes("task")],
  [
    "a result was told",
    (request) =>
      request.lastToolResults().some(({ text }) => text.includes("Preferred reuse session")),
  ],
  ["a continuation has come", isContinuation],
]

let run: KilledRun
let awaited: Moment | undefined
beforeAll(async () => {
  run = await openKilledRun(4, (request) => {
    if (!awaited?.[1](request)) return undefined
    awaited = undefined
    return { hang: true }
  })
})
afterAll(() => run.host.stop())

test("killed at work, behind a result and in a continuation, the run loses nothing that it was told, and completes", async () => {
  for (const moment of MOMENTS) {
    awaited = moment
    run.goOn()
    await run.host.waitFor(() => awaited === undefined, { what: moment[0] })
    await run.host.restart("kill")
    await run.expectNothingLost()
  }
  run.goOn()
  await run.expectComplete()
  expect(awaited).toBeUndefined()
}, 240_000)
