import { expect, setDefaultTimeout, test } from "bun:test"
import { compact, compactions, stateOnDisk } from "../support/compactions.ts"
import { KILO } from "../support/host-version.ts"
import { carryAPlan } from "../support/main-job.ts"
import { startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

setDefaultTimeout(400_000)

/** The short part of the tests in Kilo; `npm run test:kilo` has the others. */

test(`${KILO}: start, delegate, record, hint, go on, finish`, () => carryAPlan(KILO))

test(`${KILO}: a compaction saves our state and leaves the newest turn as it is`, async () => {
  const model = compactions(({ lastUserText }) => ({ text: `heard: ${lastUserText}` }))
  const host = await startHost({
    version: KILO,
    files: { ".boulder/plans/demo.md": planOf("Write a.txt") },
    script: model.script,
  })
  try {
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    await host.waitIdle(session)
    await host.prompt(session, "Never use tabs, please")
    const state = aTaskState({ goal: "Ship the importer" })
    model.answers(compactionAnswer(state, "What was said before."))
    await compact(host, session)
    expect(stateOnDisk(host, session)?.task_state).toEqual(state)
    await host.prompt(session, "And now?")
    const request = host.model.mainRequests(session).at(-1)?.allText()
    for (const text of ["Ship the importer", "What was said before.", "Never use tabs, please"])
      expect(request).toContain(text)
  } finally {
    await host.stop()
  }
})
