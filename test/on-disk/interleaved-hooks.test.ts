import { describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { actAt, type Interleaving } from "../support/interleaved.ts"
import { planOf, ticked } from "../support/plans.ts"

const OTHER = "ses_other"
const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")
/** Each task of the plan under another key. */
const MOVED = planOf("New", "Write a", "Write b")

type Doing = (scene: Interleaving) => Promise<unknown> | undefined

const workIn = async (root: string): Promise<Work> => {
  const { boulder } = await openFileBoulderStore({ root }).read()
  const [work] = Object.values(boulder?.works ?? {})
  if (work === undefined) throw new Error("Expected a work, found none.")
  return work
}

const CALL = { tool: "task", sessionID: LEAD, callID: "call_1" }
const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
const before: Doing = ({ plugin }) => plugin.hooks["tool.execute.before"]?.(CALL, { args })
const after =
  (output: string): Doing =>
  ({ plugin }) =>
    plugin.hooks["tool.execute.after"]?.(
      { ...CALL, args },
      { title: "", output, metadata: { sessionId: CHILD } },
    )
const told =
  (type: string, properties: object): Doing =>
  ({ plugin }) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
const command =
  (name: string, sessionID: string, request = ""): Doing =>
  ({ plugin }) =>
    plugin.hooks["command.execute.before"]?.(
      { command: name, sessionID, arguments: request },
      { parts: [] },
    )

const begun: Doing = async (scene) => {
  await before(scene)
  const state = { status: "running", input: args, metadata: { sessionId: CHILD } }
  await told("message.part.updated", { part: { ...CALL, type: "tool", state } })(scene)
}
const save =
  (sessionID: string, given: object): Doing =>
  ({ plugin }) =>
    plugin.hooks.tool?.["save_task_progress"]?.execute(
      { summary: "s", ...given } as never,
      { sessionID, agent: "general" } as never,
    ) as Promise<unknown>
const BLOCKED = { status: "blocked", blocked_reason: "no key" }
const SAVES = [
  { name: "its subagent saves complete", by: CHILD, given: { status: "complete" } },
  { name: "its subagent saves blocked", by: CHILD, given: BLOCKED },
  { name: "the lead saves complete", by: LEAD, given: { status: "complete", task: "todo:1" } },
  { name: "the lead saves blocked", by: LEAD, given: { ...BLOCKED, task: "todo:1" } },
].map(({ name, by, given }) => ({ name, hook: save(by, given), prepare: begun }))

/** The hooks of a lead session, each with what has been before it. */
const HOOKS: readonly { readonly name: string; readonly hook: Doing; readonly prepare?: Doing }[] =
  [
    { name: "before a task call", hook: before },
    { name: "behind a task call", prepare: before, hook: after("did it") },
    { name: "behind a task call that is blocked", prepare: before, hook: after("BLOCKED: no key") },
    {
      name: "a task call that has failed",
      prepare: before,
      hook: told("message.part.updated", {
        part: { ...CALL, type: "tool", state: { status: "error", metadata: { sessionId: CHILD } } },
      }),
    },
    {
      name: "behind another tool, which ends a round",
      prepare: async ({ plugin, root }) => {
        await plugin.tellTokens(LEAD, 150_000)
        await writeFile(join(root, PLAN), ticked(TWO, "1"))
      },
      hook: ({ plugin }) => plugin.use(LEAD, "bash"),
    },
    { name: "a message of the user", hook: ({ plugin }) => plugin.say(LEAD, "go on") },
    { name: "a compaction", hook: told("session.compacted", { sessionID: LEAD }) },
    {
      name: "the prompt of a compaction",
      hook: ({ plugin }) =>
        plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, { context: [] }),
    },
    {
      name: "who goes on behind a compaction",
      hook: ({ plugin }) =>
        plugin.hooks["experimental.compaction.autocontinue"]?.(
          { sessionID: LEAD, agent: "build", model: {}, message: {} } as never,
          { enabled: true },
        ),
    },
    { name: "/work-status", hook: command("work-status", LEAD) },
    { name: "/stop-work", hook: command("stop-work", LEAD) },
  ]

/** What is wrong behind `act`, at whichever step of the hook it happens. */
async function wrongBehind(
  given: {
    readonly hook: Doing
    readonly prepare?: Doing
    readonly act: Doing
    readonly prompted?: () => void
  },
  problem: (scene: Interleaving & { readonly step: string }) => Promise<string | null>,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (let at = 1; ; at++) {
    const check = async (scene: Interleaving & { step: string }) => {
      const found = await problem(scene)
      if (found !== null) wrong.push(`${at} ${scene.step}: ${found}`)
    }
    if (!(await actAt(at, { ...given, check }))) return wrong
  }
}

/** What a work says of the one who leads it. */
const standing = ({ updated_at: _, tokens: __, cost: ___, ...work }: Work) => JSON.stringify(work)

describe("behind a stop from outside the work stays stopped", () => {
  test.each([...HOOKS, ...SAVES])(
    "$name",
    async ({ hook, prepare }) => {
      const act: Doing = ({ root }) => runInFolder(root, "stop demo")
      const wrong = await wrongBehind(
        { hook, ...(prepare ? { prepare } : {}), act },
        async ({ root }) => {
          const { status, pause_reason: reason } = await workIn(root)
          return reason === "stopped-by-user" ? null : `${status} ${reason}`
        },
      )
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

describe("behind the start of another session nothing of the former lead's is written into its work", () => {
  test.each(HOOKS.filter(({ name }) => name !== "/stop-work"))(
    "$name",
    async ({ hook, prepare }) => {
      let then = ""
      const act: Doing = async ({ plugin, root }) => {
        await plugin.startWork(OTHER, PLAN)
        then = standing(await workIn(root))
      }
      const wrong = await wrongBehind(
        { hook, ...(prepare ? { prepare } : {}), act },
        async ({ root }) => {
          const now = standing(await workIn(root))
          return now === then ? null : now
        },
      )
      expect(wrong).toEqual([])
    },
    60_000,
  )
  test("/stop-work stops it all the same", async () => {
    const act: Doing = ({ plugin }) => plugin.startWork(OTHER, PLAN)
    const check = async ({ root, step }: Interleaving & { step: string }) => {
      const { status } = await workIn(root)
      // A start behind a stop sets it going again.
      return status === "paused" || step === "after store.update" ? null : status
    }
    const wrong = await wrongBehind({ hook: command("stop-work", LEAD), act }, check)
    expect(wrong).toEqual([])
  }, 60_000)
})

describe("behind an edit that renumbers the plan, what is kept of a task is found under its new key", () => {
  test.each([...HOOKS])(
    "$name",
    async ({ hook, prepare }) => {
      const act: Doing = ({ root }) => writeFile(join(root, PLAN), MOVED)
      const wrong = await wrongBehind(
        { hook, ...(prepare ? { prepare } : {}), act },
        async ({ plugin, root }) => {
          await plugin.fallIdle(LEAD)
          const { task_sessions: sessions, dispatches, blocked } = await workIn(root)
          const titles = new Map(
            parsePlan(MOVED).tasks.map(({ key, titleHash }) => [key, titleHash]),
          )
          const stale = [...Object.values(sessions), ...Object.values(dispatches)].filter(
            ({ task_key: key, title_hash: hash }) => key !== null && titles.get(key) !== hash,
          )
          const lost = Object.keys(blocked).filter((key) => key !== "todo:2")
          return stale.length + lost.length === 0 ? null : JSON.stringify({ stale, blocked })
        },
      )
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

describe("behind an edit that renumbers the plan in the midst of a save its own task is marked, or none", () => {
  test.each(SAVES.filter(({ name }) => name.startsWith("its subagent")))(
    "$name",
    async ({ hook, prepare }) => {
      const act: Doing = ({ root }) => writeFile(join(root, PLAN), MOVED)
      const wrong = await wrongBehind({ hook, prepare, act }, async ({ root, step }) => {
        const plan = await readFile(join(root, PLAN), "utf8")
        const isMarked = !/^- \[ \] 2\. Write a$/m.test(plan)
        // An editor that saves behind the mark has not read it.
        const isOver = /^(?:(?:before|after) store\.update|after plans\.mark)$/.test(step)
        return /^- \[ \] 1\. New$/m.test(plan) && (isMarked || isOver) ? null : plan
      })
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

describe("behind what a person does in the midst of a hook, the next idle prompts nothing", () => {
  const ACTS: readonly { readonly person: string; readonly act: Doing }[] = [
    {
      person: "ESC",
      act: told("session.error", { sessionID: LEAD, error: { name: "MessageAbortedError" } }),
    },
    {
      person: "a refusal in a child",
      act: told("permission.replied", { sessionID: CHILD, requestID: "p1", reply: "reject" }),
    },
  ]
  // A message is the person's answer to both; the idle's own look is held in idle/interleaved-look.test.ts.
  const hooks = HOOKS.filter(({ name }) => name !== "a message of the user")
  test.each(ACTS.flatMap((one) => hooks.map((other) => ({ ...one, ...other }))))(
    "$person, $name",
    async ({ hook, prepare, act }) => {
      const child: Doing = async (scene) => {
        await scene.plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD })
        await prepare?.(scene)
      }
      let prompts = 0
      const prompted = () => {
        prompts += 1
      }
      const wrong = await wrongBehind(
        { hook, prepare: child, act, prompted },
        async ({ plugin, root, pass }) => {
          // A stop counts once it is half a second old.
          pass(1_000)
          await plugin.fallIdle(LEAD)
          const { pause_reason: reason } = await workIn(root)
          const isRight = prompts === 0 && reason !== null
          prompts = 0
          return isRight ? null : `${reason}`
        },
      )
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

describe("behind a resume from outside the work goes on", () => {
  test.each(HOOKS.filter(({ name }) => name !== "/stop-work"))(
    "$name",
    async ({ hook, prepare }) => {
      const stopped: Doing = async (scene) => {
        await prepare?.(scene)
        await runInFolder(scene.root, "stop demo")
      }
      const act: Doing = ({ root }) => runInFolder(root, "resume demo")
      const wrong = await wrongBehind({ hook, prepare: stopped, act }, async ({ root }) => {
        const { status, pause_reason: reason } = await workIn(root)
        return status === "active" ? null : `${status} ${reason}`
      })
      expect(wrong).toEqual([])
    },
    60_000,
  )
})

describe("of /start-work and what comes between", () => {
  test("another session's start: one of the two leads, and both have led", async () => {
    const wrong = await wrongBehind(
      {
        hook: command("start-work", "ses_third", PLAN),
        act: ({ plugin }) => plugin.startWork(OTHER, PLAN),
      },
      async ({ root }) => {
        const { lead_session_id: lead, session_ids: all, status } = await workIn(root)
        const isRight =
          status === "active" &&
          [OTHER, "ses_third"].includes(lead) &&
          [LEAD, OTHER, "ses_third"].every((id) => all.includes(id))
        return isRight ? null : JSON.stringify({ lead, all, status })
      },
    )
    expect(wrong).toEqual([])
  }, 60_000)
  test("a delegation of the session that starts: its call is kept", async () => {
    const wrong = await wrongBehind(
      { hook: command("start-work", LEAD, PLAN), act: before },
      async (scene) => {
        await after("did it")(scene)
        const { dispatches } = await workIn(scene.root)
        return Object.keys(dispatches).length === 0 ? null : "its call is open for good"
      },
    )
    expect(wrong).toEqual([])
  }, 60_000)
})
