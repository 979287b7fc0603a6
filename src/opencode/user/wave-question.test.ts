import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { WAVE_HEADER } from "../../decide/final-wave.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"

const PLAN = "plans/demo.md"
const READY = "# D\n\n## TODOs\n\n- [x] 1. Write\n\n## Final Verification Wave\n\n- [ ] F1. Audit\n"

interface Scene {
  readonly ask: (id: string, header?: string) => Promise<unknown>
  readonly reply: (id: string, answers: readonly (readonly string[])[]) => Promise<unknown>
  readonly dismiss: (id: string) => Promise<unknown>
  readonly review: (output: string) => Promise<unknown>
  readonly edit: (plan: string) => Promise<void>
}

/** Whether the wave is approved after what is done, and whether the journal says so. */
function behind(
  act: (scene: Scene) => Promise<unknown>,
  verdict = "VERDICT: APPROVE",
): Promise<{ approved: boolean; written: boolean }> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const edit = (plan: string) => writeFile(join(root, PLAN), plan)
    await edit(READY)
    const plugin = openPlugin(root)
    await plugin.say(LEAD, await plugin.startWork(LEAD, PLAN))
    const review = (output: string) =>
      plugin.delegate({ lead: LEAD, key: "final-wave:f1", child: "ses_f1", output })
    await review(verdict)
    const tell = async (type: string, properties: object) =>
      plugin.hooks.event?.({ event: { type, properties } as never })
    const options = ["Approve", "Not yet"].map((label) => ({ label, description: "" }))
    await act({
      edit,
      review,
      ask: (id, header = WAVE_HEADER) => {
        const questions = [{ question: "Is it done?", header, options }]
        return tell("question.asked", { id, sessionID: LEAD, questions })
      },
      reply: (requestID, answers) =>
        tell("question.replied", { sessionID: LEAD, requestID, answers }),
      dismiss: (requestID) => tell("question.rejected", { sessionID: LEAD, requestID }),
    })
    const { boulder } = await openFileBoulderStore({ root }).read()
    const [work] = Object.values<Work>(boulder?.works ?? {})
    const { entries } = await openJournal({ root }).readLast(50)
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
    return {
      approved: work?.approved_wave != null,
      written: entries.some(
        ({ decision, reason }) => `${decision} ${reason}` === "approve by-question",
      ),
    }
  })
}
const YES = { approved: true, written: true }
const NO = { approved: false, written: false }

describe("an answer approves the wave", () => {
  test("Approve, to the question", async () =>
    expect(
      await behind(async ({ ask, reply }) => {
        await ask("que_1")
        await reply("que_1", [["Approve"]])
      }),
    ).toEqual(YES))
  test("Approve, to the first of two that were asked in one message", async () =>
    expect(
      await behind(async ({ ask, reply, dismiss }) => {
        for (const id of ["que_1", "que_2"]) await ask(id)
        await reply("que_1", [["Approve"]])
        await dismiss("que_2")
      }),
    ).toEqual(YES))
  test("also one that comes before it is known what was asked", async () =>
    expect(
      await behind(async ({ ask, reply }) => {
        await Promise.all([ask("que_1"), reply("que_1", [["Approve"]])])
      }),
    ).toEqual(YES))
})

describe("no answer approves it", () => {
  test.each<{ name: string; act: (scene: Scene) => Promise<unknown>; verdict?: string }>([
    {
      name: "Not yet",
      act: async ({ ask, reply }) => {
        await ask("que_1")
        await reply("que_1", [["Not yet"]])
      },
    },
    {
      name: "Approve, and a word of the user's own",
      act: async ({ ask, reply }) => {
        await ask("que_1")
        await reply("que_1", [["Approve", "but mend the typo"]])
      },
    },
    {
      name: "a question that is dismissed",
      act: async ({ ask, dismiss }) => {
        await ask("que_1")
        await dismiss("que_1")
      },
    },
    {
      name: "Approve, to another question",
      act: async ({ ask, reply }) => {
        await ask("que_1", "Which colour")
        await reply("que_1", [["Approve"]])
      },
    },
    {
      name: "Approve, to a question that was asked before the wave was ready",
      verdict: "VERDICT: REJECT",
      act: async ({ ask, reply, review }) => {
        await ask("que_1")
        await review("VERDICT: APPROVE")
        await reply("que_1", [["Approve"]])
      },
    },
    {
      name: "Approve, where the wave is another by then",
      act: async ({ ask, reply, edit }) => {
        await ask("que_1")
        await edit(`${READY}- [ ] F2. Measure\n`)
        await reply("que_1", [["Approve"]])
      },
    },
    {
      name: "Approve, where another wave is back by then",
      act: async ({ ask, reply, edit }) => {
        await ask("que_1")
        await edit(READY.replace("1. Write", "1. Write\n- [x] 2. Drop the old table"))
        await reply("que_1", [["Approve"]])
      },
    },
    {
      name: "Approve, where it was reviewed anew by then",
      act: async ({ ask, reply, review }) => {
        await ask("que_1")
        await Bun.sleep(5)
        await review("VERDICT: APPROVE")
        await reply("que_1", [["Approve"]])
      },
    },
  ])("$name", async ({ act, verdict }) => {
    expect(await behind(act, verdict)).toEqual(NO)
  })
})
