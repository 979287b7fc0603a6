import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { compact, compactions, stateOnDisk } from "../support/compactions.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

setDefaultTimeout(120_000)

let host: OpencodeHost
afterEach(() => host.stop())

/** Takes the conversation back to before what the user has said, as /undo does. */
async function undo(session: string, words: string): Promise<void> {
  const said = (await host.messages(session)).find(({ parts }) =>
    parts.some((part) => part.type === "text" && part.text.includes(words)),
  )
  const body = { messageID: said?.info.id ?? "" }
  expect((await host.client.session.revert({ path: { id: session }, body })).error).toBeUndefined()
}

test.each(TESTED_VERSIONS)(
  "opencode %s: an undo of a compaction brings the state before it back, and then none",
  async (version) => {
    const model = compactions(() => ({ text: "over" }))
    const [first, second] = ["bcrypt it is", "no, Argon2id"].map((decision) =>
      aTaskState({ decisions: [decision] }),
    )
    model.answers(
      ...[first, second].map((state) => compactionAnswer(state ?? aTaskState(), "We decided.")),
    )
    host = await startHost({
      version,
      snapshots: true,
      files: { ".boulder/plans/demo.md": planOf("Write a.txt") },
      script: model.script,
    })
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    await host.prompt(session, "FIRST")
    await compact(host, session)
    await host.prompt(session, "SECOND")
    await compact(host, session)
    const shown = async (words: string) => {
      await host.prompt(session, words)
      const { systemText = "" } = host.model.mainRequests(session).at(-1) ?? {}
      return ["bcrypt it is", "no, Argon2id"].filter((one) => systemText.includes(one))
    }
    expect(await shown("THIRD")).toEqual(["no, Argon2id"])
    await undo(session, "THIRD")
    expect(await shown("THIRD again")).toEqual(["no, Argon2id"])
    await undo(session, "SECOND")
    expect(await shown("SECOND again")).toEqual(["bcrypt it is"])
    expect(stateOnDisk(host, session)?.task_state).toEqual(first)
    await undo(session, "FIRST")
    expect(await shown("FIRST again")).toEqual([])
    expect(stateOnDisk(host, session)).toBeNull()
  },
)
