import { expect, test } from "bun:test"
import { inSections, LEAD, started } from "../../../test/support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { OWN_PART } from "../../boulder/own-part.ts"
import { readOptions } from "../host/options.ts"

const CHILD = "ses_child"
const QUICK = { continuation: { cooldown_seconds: 0 } }
const api = {
  session: async (id: string) => {
    const parentId = id === LEAD ? null : LEAD
    return { id, agent: null, title: id, parentId }
  },
}
const tell = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })

async function refuses(plugin: PluginInProcess, sessionID: string): Promise<void> {
  const asked = { id: "per_1", sessionID, permission: "bash", patterns: ["rm"] }
  await tell(plugin, "permission.asked", asked)
  await tell(plugin, "permission.replied", { sessionID, requestID: "per_1", reply: "reject" })
}

/** Its model goes on, since the refusal came with words for it. */
async function goesOn(plugin: PluginInProcess, sessionID: string): Promise<void> {
  await Bun.sleep(5)
  const time = { created: Date.now() }
  const info = { id: "msg_on", role: "assistant", parentID: "msg_1", sessionID, time, tokens: {} }
  await tell(plugin, "message.updated", { sessionID, info })
}

const killed = async (): Promise<void> => undefined
/** As the host ends: it reports the stops of its turns, then disposes. */
async function disposed(plugin: PluginInProcess): Promise<void> {
  const error = { name: "MessageAbortedError", data: { message: "Aborted" } }
  await tell(plugin, "session.error", { sessionID: LEAD, error })
  await plugin.hooks.dispose?.()
}

const nothing = async (): Promise<void> => undefined
const HELD = { status: "paused", pause_reason: "rejected-by-user" }
const GOING = { status: "active", pause_reason: null }
const CASES = [
  { what: "a subagent's permission is refused", whose: CHILD, behind: nothing, is: HELD },
  { what: "the lead's is refused", whose: LEAD, behind: nothing, is: HELD },
  { what: "the subagent's model has gone on behind it", whose: CHILD, behind: goesOn, is: GOING },
  {
    what: "the user has spoken behind it",
    whose: CHILD,
    behind: async (plugin: PluginInProcess) => {
      // If two words come in the same millisecond, the refusal counts; no person is that fast.
      await Bun.sleep(5)
      await plugin.say(LEAD, "go on, without bash")
    },
    is: GOING,
  },
]
test.each(
  CASES.flatMap((one) => [
    { ...one, end: "is killed", ends: killed },
    { ...one, end: "ends by itself", ends: disposed },
  ]),
)(
  "$what, then opencode $end in the lead's turn: the next start finds that",
  ({ whose, behind, ends, is }) =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(3), QUICK, api)
      await plugin.say(LEAD, "go")
      await tell(plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } })
      await tell(plugin, "session.created", { info: { id: CHILD, parentID: LEAD } })
      await refuses(plugin, whose)
      await behind(plugin, whose)
      await ends(plugin)
      const next = openPlugin(root, readOptions(QUICK), api)
      await next.fallIdle(LEAD)
      expect(await work()).toMatchObject(is)
      expect(next.prompts).toHaveLength(is === HELD ? 0 : 1)
      await plugin.hooks.dispose?.()
      await next.hooks.dispose?.()
    }),
)

test("behind a start anew a user's word comes before the first look: the refusal of before holds no more", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(3), QUICK, api)
    await plugin.say(LEAD, "go")
    await refuses(plugin, LEAD)
    expect((await work()).rejections).not.toEqual({})
    const next = openPlugin(root, readOptions(QUICK), api)
    await next.say(LEAD, "go on, without bash")
    await next.fallIdle(LEAD)
    expect(await work()).toMatchObject(GOING)
    expect((await work()).rejections).toEqual({})
    await plugin.hooks.dispose?.()
    await next.hooks.dispose?.()
  }))

/** A work in the lead's turn, with two subagents. */
async function going(root: string) {
  const scene = await started(root, inSections(3), QUICK, api)
  await scene.plugin.say(LEAD, "go")
  await tell(scene.plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } })
  for (const id of [CHILD, OTHER])
    await tell(scene.plugin, "session.created", { info: { id, parentID: LEAD } })
  return scene
}

/** The same, after the user has just refused its subagent a permission. */
async function refused(root: string) {
  const scene = await going(root)
  await refuses(scene.plugin, CHILD)
  await Bun.sleep(5)
  return scene
}
const OTHER = "ses_child2"

test.each([
  {
    what: "the user has answered in the subagent's own session",
    behind: (plugin: PluginInProcess) => plugin.say(CHILD, "not rm, use git clean"),
    is: GOING,
  },
  {
    what: "the subagent is deleted",
    behind: (plugin: PluginInProcess) => tell(plugin, "session.deleted", { info: { id: CHILD } }),
    is: GOING,
  },
  {
    what: "the user has spoken in another subagent's session",
    behind: (plugin: PluginInProcess) => plugin.say(OTHER, "and use tabs"),
    is: HELD,
  },
  {
    what: "another subagent is deleted",
    behind: (plugin: PluginInProcess) => tell(plugin, "session.deleted", { info: { id: OTHER } }),
    is: HELD,
  },
])("behind a refused subagent $what: the lead's idle finds that", ({ behind, is }) =>
  withFolder(async (root) => {
    const { plugin, work } = await refused(root)
    await behind(plugin)
    expect(Object.keys((await work()).rejections).length === 0).toBe(is === GOING)
    await plugin.fallIdle(LEAD)
    expect(await work()).toMatchObject(is)
    await plugin.hooks.dispose?.()
  }),
)

test.each([
  {
    what: "another subagent is stopped, and spoken to",
    refusedIn: LEAD,
    behind: async (plugin: PluginInProcess) => {
      const error = { name: "MessageAbortedError", data: { message: "Aborted" } }
      await tell(plugin, "session.error", { sessionID: OTHER, error })
      await plugin.say(OTHER, "use tabs")
    },
    is: HELD,
  },
  ...[LEAD, CHILD].flatMap((refusedIn) => [
    {
      what: "another subagent is refused, and goes on",
      refusedIn,
      behind: (plugin: PluginInProcess) => answeredIn(plugin, () => goesOn(plugin, OTHER)),
      is: HELD,
    },
    {
      what: "another subagent is refused, and answered there",
      refusedIn,
      behind: (plugin: PluginInProcess) =>
        answeredIn(plugin, () => plugin.say(OTHER, "use git clean")),
      is: HELD,
    },
    {
      what: "another subagent is refused, and deleted",
      refusedIn,
      behind: (plugin: PluginInProcess) => answeredIn(plugin, () => deleted(plugin, OTHER)),
      is: HELD,
    },
  ]),
  {
    what: "a prompt of ours comes into its session",
    refusedIn: CHILD,
    behind: async ({ hooks }: PluginInProcess) => {
      const message = { id: "msg_ours", sessionID: CHILD, role: "user", agent: "general" }
      const part = { id: "prt_1", sessionID: CHILD, messageID: "msg_ours", type: "text" }
      const parts = [{ ...part, text: "on", metadata: { [OWN_PART]: true } }]
      await hooks["chat.message"]?.({ sessionID: CHILD }, { message, parts } as never)
    },
    is: HELD,
  },
  {
    what: "the user answers in its session",
    refusedIn: CHILD,
    behind: (plugin: PluginInProcess) => plugin.say(CHILD, "not rm, use git clean"),
    is: GOING,
  },
  {
    what: "its session is deleted, and the host does not know it any more",
    refusedIn: CHILD,
    behind: (plugin: PluginInProcess) => deleted(plugin, CHILD),
    is: GOING,
  },
])(
  "refused in $refusedIn, opencode is killed, and in the next one, before its first look, $what",
  ({ refusedIn, behind, is }) =>
    withFolder(async (root) => {
      const { plugin, work } = await going(root)
      await refuses(plugin, refusedIn)
      await Bun.sleep(5)
      const gone = new Set<string>()
      const session = async (id: string) => (gone.has(id) ? null : api.session(id))
      const next = openPlugin(root, readOptions(QUICK), { session })
      if (is === GOING) gone.add(CHILD)
      await behind(next)
      expect(Object.hasOwn((await work()).rejections, refusedIn)).toBe(is === HELD)
      await next.fallIdle(LEAD)
      expect(await work()).toMatchObject(is)
      await plugin.hooks.dispose?.()
      await next.hooks.dispose?.()
    }),
)

/** Another subagent is refused in the next opencode, and that is over again. */
async function answeredIn(plugin: PluginInProcess, over: () => Promise<unknown>): Promise<void> {
  await refuses(plugin, OTHER)
  await Bun.sleep(5)
  await over()
}

const deleted = async (plugin: PluginInProcess, id: string) =>
  tell(plugin, "session.deleted", { info: { id, parentID: LEAD } })

test.each(
  ["goes on", "is killed", "ends by itself"].flatMap((end) => [
    { end, what: "nobody answers", behind: nothing, is: HELD },
    {
      end,
      what: "the user answers in its session",
      behind: (plugin: PluginInProcess) => plugin.say(CHILD, "not rm, use git clean"),
      is: GOING,
    },
    {
      end,
      what: "the user speaks to the lead",
      behind: (plugin: PluginInProcess) => plugin.say(LEAD, "I shall mend the plan"),
      is: GOING,
    },
  ]),
)(
  "a subagent in the background is refused while the plan is invalid, $what, opencode $end, the plan is mended",
  ({ end, behind, is }) =>
    withFolder(async (root) => {
      const { plugin, work, edit, plan } = await going(root)
      const whole = await plan()
      await edit("# Plan\n\nhalf\n")
      await plugin.fallIdle(LEAD)
      await refuses(plugin, CHILD)
      await Bun.sleep(5)
      await behind(plugin)
      expect((await work()).pause_reason).toBe("plan-invalid")
      if (end === "ends by itself") await plugin.hooks.dispose?.()
      const next = end === "goes on" ? plugin : openPlugin(root, readOptions(QUICK), api)
      await edit(whole)
      await next.fallIdle(LEAD)
      expect(await work()).toMatchObject(is)
      await plugin.hooks.dispose?.()
      await next.hooks.dispose?.()
    }),
)

test("another opencode in the folder ends behind a refusal: it stays with the one that leads", () =>
  withFolder(async (root) => {
    const { plugin, work } = await refused(root)
    const other = openPlugin(root, readOptions(QUICK), api)
    await other.say("ses_stranger", "hi")
    await other.hooks.dispose?.()
    expect(await work()).toMatchObject({ ...GOING, rejections: { [CHILD]: expect.any(String) } })
    await goesOn(plugin, CHILD)
    await plugin.fallIdle(LEAD)
    expect(await work()).toMatchObject(GOING)
    await plugin.hooks.dispose?.()
  }))

test("the next opencode ends in a turn of the lead's before it has looked: the refusal is kept", () =>
  withFolder(async (root) => {
    const { plugin, work } = await refused(root)
    const next = openPlugin(root, readOptions(QUICK), api)
    await tell(next, "session.status", { sessionID: LEAD, status: { type: "busy" } })
    await disposed(next)
    expect((await work()).rejections).not.toEqual({})
    await plugin.hooks.dispose?.()
  }))

test("a refusal while its work waits for a limit is kept, and holds at its end; the user's word lifts it", () =>
  withFolder(async (root) => {
    const clock = { ahead: 0 }
    const now = () => Date.now() + clock.ahead
    const { plugin, work } = await started(root, inSections(3), QUICK, api, { now })
    await plugin.say(LEAD, "go")
    await tell(plugin, "session.created", { info: { id: CHILD, parentID: LEAD } })
    const responseBody = JSON.stringify({
      error: { type: "usage_limit_reached", resets_in_seconds: 3_600 },
    })
    const data = { message: "used up", statusCode: 429, responseBody }
    await tell(plugin, "session.error", { sessionID: LEAD, error: { name: "APIError", data } })
    await plugin.fallIdle(LEAD)
    await refuses(plugin, CHILD)
    expect(await work()).toMatchObject({
      pause_reason: "usage-limited",
      rejections: { [CHILD]: expect.any(String) },
    })
    const next = openPlugin(root, { ...readOptions(QUICK), now }, api)
    clock.ahead = 3_900_000
    await next.fallIdle(LEAD)
    expect(await work()).toMatchObject(HELD)
    await next.say(LEAD, "go on, without bash")
    await next.fallIdle(LEAD)
    expect(await work()).toMatchObject(GOING)
    await plugin.hooks.dispose?.()
    await next.hooks.dispose?.()
  }))
