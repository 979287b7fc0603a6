import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { changeWork, complete } from "../../src/boulder/change-work.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PATH = ".boulder/plans/demo.md"
const PLAN = `# Demo

## TODOs

- [x] 1. Write the greeting
- [x] 2. Write the farewell

## Final Verification Wave

- [ ] F1. Audit the plan
- [ ] F2. Read the code
`

interface Scene {
  readonly root: string
  readonly plugin: PluginInProcess
  work(): Promise<Work>
  /** Replaces a piece of the plan, as an edit of its lead or its user. */
  edit(from: string, to: string): Promise<void>
  /** A reviewer comes back with these words. */
  review(row: string, output: string): Promise<string>
  /** The lead falls idle; gives what was prompted then. */
  idle(): Promise<readonly string[]>
}

/** A plan whose two rows of the wave are left, and a session that was just told to carry it on. */
function withWave(run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, PATH), PLAN)
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    const store = openFileBoulderStore({ root })
    const file = join(root, PATH)
    await plugin.say(LEAD, await plugin.startWork(LEAD, PATH))
    await run({
      root,
      plugin,
      async work() {
        const [work] = Object.values((await store.read()).boulder?.works ?? {})
        if (work === undefined) throw new Error("no work")
        return work
      },
      async edit(from, to) {
        const text = await readFile(file, "utf8")
        await writeFile(file, text.replace(from, to))
      },
      review: (row, output) =>
        plugin.delegate({ lead: LEAD, key: `final-wave:${row}`, child: `${CHILD}${row}`, output }),
      async idle() {
        const before = plugin.prompts.length
        await plugin.fallIdle(LEAD)
        return plugin.prompts.slice(before)
      },
    })
  })
}

/** The same behind both reviews, which have found nothing. */
const withReturnedWave = (run: (scene: Scene) => Promise<void>): Promise<void> =>
  withWave(async (scene) => {
    await scene.review("f1", "VERDICT: APPROVE")
    await scene.review("f2", "VERDICT: APPROVE")
    await run(scene)
  })

/** The host asks its user, and gets this answer; undefined for none. */
async function ask(
  { plugin }: Scene,
  header: string,
  answer: string | undefined,
  session = LEAD,
): Promise<void> {
  const tell = (type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const approve = answer?.startsWith("Approve (") ? answer : "Approve"
  const options = [approve, "Not yet"].map((label) => ({ label, description: "" }))
  const questions = [{ question: "Is it done?", header, options }]
  await tell("question.asked", { id: "que_1", sessionID: session, questions })
  const answers = answer === undefined ? [[]] : [[answer]]
  await tell("question.replied", { sessionID: session, requestID: "que_1", answers })
}

const isWaiting = async ({ work }: Scene): Promise<boolean> =>
  (await work()).awaiting_approval !== null
const isApproved = async ({ work }: Scene): Promise<boolean> =>
  (await work()).approved_wave !== null

/** What a command line prints, its refusal too. */
const cli = (root: string, line: string): Promise<string> =>
  runInFolder(root, line).then(({ out, err }) => `${out}${err}`, String)

describe("13c: what is no verdict", () => {
  test("a reviewer that could not go on has passed nothing", () =>
    withWave(async (scene) => {
      await scene.review("f1", "VERDICT: APPROVE")
      await scene.review(
        "f2",
        "I looked at all of it. VERDICT: APPROVE\n\nBLOCKED: no test runs here",
      )
      expect(Object.keys((await scene.work()).final_wave)).toEqual(["final-wave:f1"])
      await scene.idle()
      expect(await isWaiting(scene)).toBe(false)
    }))

  test("a result without a verdict is none, and replaces none", () =>
    withWave(async (scene) => {
      await scene.review("f1", "VERDICT: REJECT no tests")
      await scene.review("f1", "I could not find the code.")
      expect((await scene.work()).final_wave["final-wave:f1"]?.verdict).toBe("reject")
      expect(await scene.review("f2", "It looks fine.")).toContain("VERDICT")
      expect((await scene.work()).final_wave["final-wave:f2"]).toBeUndefined()
    }))
})

test("status names a rejected row until it has passed", () =>
  withWave(async (scene) => {
    const status = () => cli(scene.root, "status")
    await scene.review("f1", "VERDICT: APPROVE")
    await scene.review("f2", "VERDICT: REJECT no tests")
    expect(await status()).toContain("\n  rejected: final-wave:f2 Read the code\n")
    expect(await status()).not.toContain("next: final-wave:f2")
    await scene.review("f2", "VERDICT: APPROVE")
    expect(await status()).not.toContain("rejected")
  }))

describe("13d: a completed work that is started again", () => {
  test("begins without the old verdicts and their approval", () =>
    withReturnedWave(async (scene) => {
      const { plugin, root } = scene
      await scene.idle()
      await cli(root, "approve")
      expect(await isApproved(scene)).toBe(true)
      await scene.edit("[ ] F1", "[x] F1")
      await scene.edit("[ ] F2", "[x] F2")
      const { work_id: id } = await scene.work()
      const now = new Date().toISOString()
      await openFileBoulderStore({ root }).update(changeWork(id, now, complete))
      await scene.edit("farewell\n", "farewell\n- [x] 3. Write the third\n")
      await scene.edit("[x] F1", "[ ] F1")
      expect(await plugin.startWork(LEAD, PATH)).not.toContain("has approved")
      expect(await scene.work()).toMatchObject({ final_wave: {}, approved_wave: null })
    }))
})

describe("13e: a user's own message", () => {
  test("approves nothing: the wave waits again behind its turn", () =>
    withReturnedWave(async (scene) => {
      expect(await scene.idle()).toEqual([])
      expect(await isWaiting(scene)).toBe(true)
      await scene.plugin.say(LEAD, "what did F1 look at?")
      expect(await isWaiting(scene)).toBe(false)
      expect(await scene.idle()).toEqual([])
      expect(await isWaiting(scene)).toBe(true)
      expect(await isApproved(scene)).toBe(false)
    }))

  test("ends the wait where the rows are ticked in its turn", () =>
    withReturnedWave(async (scene) => {
      await scene.idle()
      await scene.plugin.say(LEAD, "all fine, approved")
      await scene.edit("[ ] F1", "[x] F1")
      await scene.edit("[ ] F2", "[x] F2")
      await scene.idle()
      expect(await scene.work()).toMatchObject({ status: "completed", approved_wave: null })
    }))

  test("does not take up rows that the lead had ticked before", () =>
    withReturnedWave(async (scene) => {
      await scene.edit("[ ] F1", "[x] F1")
      await scene.edit("[ ] F2", "[x] F2")
      await scene.idle()
      await scene.plugin.say(LEAD, "what did F1 look at?")
      await scene.idle()
      expect((await scene.work()).status).toBe("active")
      expect(await isWaiting(scene)).toBe(true)
    }))

  test("lets the rows ticked in a later turn wait", () =>
    withReturnedWave(async (scene) => {
      await scene.idle()
      await scene.plugin.say(LEAD, "what did F1 look at?")
      await scene.idle()
      await scene.edit("[ ] F1", "[x] F1")
      await scene.edit("[ ] F2", "[x] F2")
      await scene.idle()
      expect((await scene.work()).status).toBe("active")
    }))

  test("has the reviews made again where something new is delegated in its turn", () =>
    withReturnedWave(async (scene) => {
      await scene.idle()
      await scene.plugin.say(LEAD, "no, first make it polite")
      await scene.plugin.delegate({ lead: LEAD, key: "Make it polite", child: CHILD })
      const [prompt] = await scene.idle()
      expect(prompt).toContain("final-wave:f1")
      expect(prompt).not.toContain("has approved")
      expect(
        prompt?.match(/The work may have changed since this review: run it again/g),
      ).toHaveLength(2)
    }))

  test("leaves a wave that has another task open unapproved, and the task is worked on", () =>
    withReturnedWave(async (scene) => {
      await scene.idle()
      await scene.plugin.say(LEAD, "no, do task 2 first")
      await scene.edit("[x] 2", "[ ] 2")
      const [prompt] = await scene.idle()
      expect(prompt).toContain("todo:2")
      expect(prompt).not.toContain("has approved")
      expect(await isWaiting(scene)).toBe(false)
    }))
})

describe("13s: an act counts whenever it comes", () => {
  test("approve while the turn still runs", () =>
    withReturnedWave(async (scene) => {
      expect(await cli(scene.root, "approve")).toStartWith("Approved")
      expect(await isApproved(scene)).toBe(true)
      const [prompt] = await scene.idle()
      expect(prompt).toContain("The user has approved the final wave")
    }))

  test("/start-work while the turn still runs", () =>
    withReturnedWave(async (scene) => {
      expect(await scene.plugin.startWork(LEAD, PATH)).toContain("has approved")
    }))

  test.each([
    { name: "nobody was asked about it", isAsked: false, title: "asks for the approval of" },
    { name: "it had been asked about", isAsked: true, title: "approves" },
  ])("/start-work of a paused work $title a wave: $name", ({ isAsked }) =>
    withReturnedWave(async (scene) => {
      if (isAsked) await scene.idle()
      await cli(scene.root, "stop")
      const said = await scene.plugin.startWork(LEAD, PATH)
      expect(said.includes("has approved")).toBe(isAsked)
      expect(await isApproved(scene)).toBe(isAsked)
      if (!isAsked) expect(said).toContain("ask the user")
      await scene.idle()
      expect(await isWaiting(scene)).toBe(!isAsked)
    }),
  )

  test("its rows are offered to no further call", () =>
    withReturnedWave(async ({ root, plugin }) => {
      await cli(root, "approve")
      const text = await plugin.delegate({ lead: LEAD, key: "look around", child: "ses_other" })
      expect(text).toContain("is counted for no task")
      expect(text).not.toContain("final-wave:f1")
    }))

  test("the tool ticks the rows of an approved wave, and of no other", () =>
    withReturnedWave(async ({ root, plugin, work }) => {
      const save = async (row: string): Promise<string> => {
        const args = { task: `final-wave:${row}`, status: "complete", summary: "Reviewed." }
        const context = { sessionID: LEAD, agent: "build" } as never
        return String(
          await plugin.hooks.tool?.["save_task_progress"]?.execute(args as never, context),
        )
      }
      expect(await save("f1")).toContain("is not ticked")
      await cli(root, "approve")
      for (const row of ["f1", "f2"])
        expect(await save(row)).toContain(`final-wave:${row} is marked done in the plan.`)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
    }))

  test.each(["Approve", "Approve (Recommended)"])(
    "%s to the question that names the wave",
    (answer) =>
      withReturnedWave(async (scene) => {
        await ask(scene, "Final wave", answer)
        expect(await isApproved(scene)).toBe(true)
      }),
  )

  test("however soon the answer comes behind the question", () =>
    withReturnedWave(async (scene) => {
      const { event } = scene.plugin.hooks
      const told = (type: string, properties: object) =>
        event?.({ event: { type, properties } as never })
      const options = [{ label: "Approve" }, { label: "Not yet" }]
      const questions = [{ question: "Is it done?", header: "Final wave", options }]
      const reply = { sessionID: LEAD, requestID: "que_1", answers: [["Approve"]] }
      await Promise.all([
        told("question.asked", { id: "que_1", sessionID: LEAD, questions }),
        told("question.replied", reply),
      ])
      expect(await isApproved(scene)).toBe(true)
    }))

  test.each([
    { name: "Not yet", header: "Final wave", answer: "Not yet" },
    { name: "other words", header: "Final wave", answer: "Approve F1 only" },
    { name: "a part", header: "Final wave", answer: "Approve (F1 only)" },
    { name: "no answer", header: "Final wave", answer: undefined },
    { name: "Approve to another question", header: "Database", answer: "Approve" },
  ])("but not $name", ({ header, answer }) =>
    withReturnedWave(async (scene) => {
      await ask(scene, header, answer)
      expect(await isApproved(scene)).toBe(false)
      await scene.idle()
      expect(await isWaiting(scene)).toBe(true)
    }),
  )

  test("nor an answer in a subagent's session", () =>
    withReturnedWave(async (scene) => {
      await ask(scene, "Final wave", "Approve", `${CHILD}f1`)
      expect(await isApproved(scene)).toBe(false)
    }))

  test("nor any act before the wave is ready", () =>
    withWave(async (scene) => {
      await scene.review("f1", "VERDICT: APPROVE")
      await ask(scene, "Final wave", "Approve")
      expect(await cli(scene.root, "approve")).toContain("found none")
      await scene.plugin.startWork(LEAD, PATH)
      await scene.review("f2", "VERDICT: APPROVE")
      expect(await isApproved(scene)).toBe(false)
    }))
})
