import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import {
  compact,
  compactionRequests,
  compactions,
  shownState,
  stateOnDisk,
} from "../support/compactions.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

setDefaultTimeout(120_000)

/** Long enough that the host keeps the newest turns behind its summary, and that several of them fit there. */
const LONG = "a line of a talk that fills the context of whoever reads it\n".repeat(200)
const planted = aTaskState({
  goal: "Ship the importer with a dry run",
  user_constraints: ["Never write to the production bucket"],
  decisions: ["One worker a tenant, not one a file"],
  blockers: ["The sandbox key expires on Friday"],
  key_artifacts: ["src/importer/dry-run.ts"],
})
const FACTS = [
  planted.goal,
  ...planted.user_constraints,
  ...planted.decisions,
  ...planted.blockers,
  ...planted.key_artifacts,
]

const model = compactions(({ lastUserText }) => ({ text: `heard ${lastUserText.slice(0, 12)}` }))
let host: OpencodeHost
afterEach(() => host.stop())

test.each(TESTED_VERSIONS)(
  "opencode %s: behind each of three compactions that keep the newest turns its own summary, the facts, and no older summary",
  async (version) => {
    host = await startHost({
      version,
      files: { ".boulder/plans/demo.md": planOf("Write a.txt", "Write b.txt") },
      contextLimit: 50_000,
      outputLimit: 4_000,
      script: model.script,
    })
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    const summaries = ["SUMMARY-ONE", "SUMMARY-TWO", "SUMMARY-THREE"]
    model.answers(...summaries.map((summary) => compactionAnswer(planted, summary)))
    let turn = 0
    const talk = () => host.prompt(session, `TURN-${++turn}. ${LONG}`)
    for (const _ of Array(5)) await talk()
    for (const summary of summaries) {
      await compact(host, session)
      await talk()
      await talk()
      const seen = host.model.mainRequests(session).slice(-2)
      for (const request of seen) {
        const text = request.allText()
        expect(summaries.filter((one) => text.includes(one))).toEqual([summary])
        expect(text.indexOf(summary)).toBeLessThan(text.indexOf(`TURN-${turn - 2}.`))
        expect(text.match(/What did we do so far\?/g)).toHaveLength(1)
        for (const fact of FACTS) expect(text).toContain(fact)
      }
    }
    const asked = compactionRequests(host, session)
    expect(asked.map(shownState)).toEqual([null, planted, planted])
    for (const request of asked) expect(request.allText()).not.toMatch(/SUMMARY-|What did we do/)
    expect(stateOnDisk(host, session)?.task_state).toEqual(planted)
  },
)
