import { expect, test } from "bun:test"
import type { LastTurn } from "../../src/decide/situation.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "# Plan\n\nMust NOT have: a framework.\n\n## TODOs\n\n"
const BLOCKED = `${PLAN}- [~] 1. Build it\n  - BLOCKED: no key\n- [~] 2. Paint it\n  - BLOCKED: no paint\n`
const WAVE = `${PLAN}- [x] 1. Build it\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n`

test.each([
  {
    name: "after a start with only blocked tasks",
    plan: BLOCKED,
    open: BLOCKED.replace("[~] 1. Build it\n  - BLOCKED: no key", "[ ] 1. Build it"),
  },
  { name: "after a start at the wave", plan: WAVE, open: WAVE.replace("[x] 1.", "[ ] 1.") },
])("how to work is said before a text stands on it: $name", async ({ plan, open }) => {
  await withFolder(async (root) => {
    const { plugin, text, edit } = await started(root, plan)
    expect(text).not.toContain("Delegate each task with")
    await plugin.fallIdle(LEAD)
    await edit(open)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("Delegate each task with")
    expect(plugin.prompts.at(-1)).toContain("they hold for every task")
  })
})

let turns = 0
/** The last turn of a session: one more each time that it is asked for, with so many tokens in its context. */
const aTurn = (contextTokens: number): Awaited<ReturnType<SessionApi["lastTurn"]>> => {
  turns += 1
  const lastTurn: LastTurn = {
    messageId: `msg_${turns}`,
    createdAt: Date.now(),
    ours: true,
    error: null,
    ended: true,
    contextTokens,
    isSummary: false,
    isUnanswered: false,
  }
  const model = { providerId: "lab", modelId: "m" }
  return { lastTurn, failure: null, identity: { agent: null, model, variant: null }, model }
}

const FRESH: readonly {
  readonly name: string
  readonly options?: object
  readonly answers?: Partial<SessionApi>
}[] = [
  { name: "reuse is off", options: { reuse: "off" } },
  {
    name: "its session is over 70 % full",
    answers: {
      lastTurn: async (id) => aTurn(id === LEAD ? 100 : 95_000),
      contextLimit: async () => 100_000,
    },
  },
  {
    name: "its session is gone",
    answers: {
      session: async (id) =>
        id === "ses_one" ? null : { id, parentId: null, agent: null, title: id },
      lastTurn: async () => aTurn(100),
    },
  },
]

test.each([...FRESH])(
  "a result that is back is to be settled, not ordered anew: $name",
  async ({ options = {}, answers = { lastTurn: async () => aTurn(100) } }) => {
    await withFolder(async (root) => {
      const { plugin } = await started(root, inSections(3), options, answers)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
      await plugin.fallIdle(LEAD)
      await plugin.fallIdle(LEAD)
      const last = plugin.prompts.at(-1)
      expect(last).toContain("A result is back: settle it if it is finished and right")
      expect(last).toContain("Settle todo:1 now")
      expect(last).not.toContain("Delegate todo:1 now")
    })
  },
)
