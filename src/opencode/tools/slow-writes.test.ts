import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, shellIn } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { placeIn } from "../../decide/place.ts"
import { openTurns } from "../host/in-turn.ts"
import { TimeLimitError } from "../host/time-limit.ts"
import { openDelegation } from "./delegation.ts"

const PLAN = "plans/demo.md"

interface Scene {
  readonly before: (callId: string, key: string) => Promise<void>
  readonly after: (callId: string, child: string, text: string) => Promise<unknown>
  readonly failed: (callId: string) => Promise<void>
  /** The next write of the store waits until the answer is called, and is written then. */
  readonly hold: () => { begun: Promise<void>; release: () => Promise<void> }
  readonly work: () => Promise<Work>
}

/** Long enough for whatever is not held up, even on a busy machine. */
const TURN_MS = 400

/** Delegations of a lead whose turns end after that time, over a store whose next write can be held up. */
function scene(plan: string, run: (scene: Scene) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    const base = shellIn(root)
    let held: Promise<void> | null = null
    let written: Promise<unknown> = Promise.resolve()
    let started: () => void = () => undefined
    const store: typeof base.store = {
      ...base.store,
      update(change) {
        const waiting = held
        held = null
        if (waiting === null) return base.store.update(change)
        started()
        const made = waiting.then(() => base.store.update(change))
        written = made
        return made
      },
    }
    const shell = { ...base, store }
    const delegation = openDelegation(shell, {
      inTurn: openTurns(TURN_MS, "a look behind a tool"),
      look: async () => null,
    })
    const place = async () => {
      const { boulder } = await store.read()
      return { ...placeIn(boulder, [LEAD]), boulder }
    }
    await run({
      before(callId, description) {
        const said = { description, prompt: "do it", agent: "general", resumes: undefined }
        const call = {
          ...{ sessionId: LEAD, callId, name: "task", kind: "delegate" as const },
          ...{ paths: () => [], words: () => "", command: () => null, folder: () => "" },
          delegation: () => ({ ...said, resume: () => undefined, say: () => undefined }),
        }
        return delegation.before(call, place)
      },
      after(callId, sessionId, text) {
        const childOf = () => ({ sessionId, from: "host" as const })
        const result = { text, isBackground: false, childOf, exit: () => null }
        return delegation.after({ sessionId: LEAD, callId, result, place })
      },
      failed: (callId) => delegation.failed(LEAD, callId),
      hold() {
        let open: () => void = () => undefined
        held = new Promise((resolve) => {
          open = resolve
        })
        const begun = new Promise<void>((resolve) => {
          started = resolve
        })
        return {
          begun,
          async release() {
            open()
            await written
            await Bun.sleep(20)
          },
        }
      },
      async work() {
        const [only] = Object.values((await store.read()).boulder?.works ?? {})
        if (only === undefined) throw new Error("Expected a work, found none.")
        return only
      },
    })
    await plugin.hooks.dispose?.()
  })
}

const WAVE = `${planOf("Write a").replace("- [ ] 1", "- [x] 1")}
## Final Verification Wave

- [ ] F1. Review
- [ ] F2. Review more
`

test("a result whose write takes longer than its turn is kept, another task delegated meanwhile", () =>
  scene(planOf("Write a", "Write b"), async ({ before, after, hold, work }) => {
    await before("call_1", "todo:1")
    const { release } = hold()
    await expect(after("call_1", "ses_a", "did it")).rejects.toBeInstanceOf(TimeLimitError)
    await before("call_2", "todo:2")
    expect(Object.keys((await work()).dispatches)).toEqual(["call_1", "call_2"])
    await release()
    const { dispatches, task_sessions: kept } = await work()
    expect([Object.keys(dispatches), Object.keys(kept)]).toEqual([["call_2"], ["todo:1"]])
    await before("call_3", "todo:1")
    expect(Object.keys((await work()).dispatches)).toEqual(["call_2", "call_3"])
  }))

test("so is a review's REJECT, the other review delegated meanwhile", () =>
  scene(WAVE, async ({ before, after, hold, work }) => {
    await before("call_1", "final-wave:f1")
    const { release } = hold()
    await expect(after("call_1", "ses_a", "VERDICT: REJECT")).rejects.toBeInstanceOf(TimeLimitError)
    await before("call_2", "final-wave:f2")
    await release()
    expect(Object.keys((await work()).final_wave)).toEqual(["final-wave:f1"])
  }))

test("an intent that is written behind its refusal leaves no delegation", () =>
  scene(planOf("Write a", "Write b"), async ({ before, failed, hold, work }) => {
    const { begun, release } = hold()
    const late = before("call_1", "todo:1")
    await begun
    await Bun.sleep(2 * TURN_MS)
    await failed("call_1")
    await release()
    await late
    expect((await work()).dispatches).toEqual({})
  }))
