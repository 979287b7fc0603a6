import { expect, test } from "bun:test"
import { inSections, LEAD, started } from "../../../test/support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openJournal } from "../../store/records/journal.ts"
import { readOptions } from "../host/options.ts"

const QUICK = { continuation: { cooldown_seconds: 0, backoff_seconds: 0 } }
const failed = (statusCode: number, error: object) => ({
  name: "APIError",
  data: { message: "no", statusCode, isRetryable: false, responseBody: JSON.stringify({ error }) },
})
/** A turn that fails, with this many idles reported by the host. */
async function fails({ hooks, fallIdle }: PluginInProcess, error: object, idles: number) {
  const tell = (type: string, properties: object) =>
    hooks.event?.({ event: { type, properties: { sessionID: LEAD, ...properties } } as never })
  await tell("session.status", { status: { type: "busy" } })
  await tell("session.error", { error })
  for (let idle = 0; idle < idles; idle += 1) await fallIdle(LEAD)
}
const linesOf = async (root: string, reason: string) => {
  const { entries } = await openJournal({ root }).readLast(99, (one) => one.reason === reason)
  return entries.map((one) => one.decision)
}

const usedUp = failed(429, { type: "usage_limit_reached", resets_in_seconds: 3_600 })
test.each([
  { reason: "provider-refused", error: failed(401, {}), idles: 1 },
  { reason: "usage-limited", error: usedUp, idles: 1 },
  // Nothing has changed at the later ones, so they are no news.
  { reason: "usage-limited", error: usedUp, idles: 4 },
])(
  "$reason, looked at $idles times: each pause behind a user's word is written, no look at it",
  ({ reason, error, idles }) =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(3), QUICK)
      for (const word of ["a new key is in", "and another"]) {
        await fails(plugin, error, idles)
        expect((await work()).pause_reason).toBe(reason)
        await plugin.say(LEAD, word)
      }
      expect(await linesOf(root, reason)).toEqual(["pause", "pause"])
      await plugin.hooks.dispose?.()
    }),
)

const WAVE = "# Plan\n\n## TODOs\n\n- [x] 1. A\n\n## Final Verification Wave\n\n- [ ] F1. Review\n"
const PASSED = { lead: LEAD, key: "F1", child: "ses_f", output: "all good\nVERDICT: PASS" }
const approvals = ({ toasts }: PluginInProcess) =>
  toasts.filter((toast) => toast.includes("your approval")).length

test("a wait for approval that lasts is written and said again behind another pause, and by the next opencode", () =>
  withFolder(async (root) => {
    const { plugin, work, edit } = await started(root, WAVE, QUICK)
    await plugin.say(LEAD, "Have it reviewed")
    await plugin.delegate(PASSED)
    await plugin.fallIdle(LEAD)
    await edit("# Plan\n\nhalf\n")
    await plugin.fallIdle(LEAD)
    expect((await work()).pause_reason).toBe("plan-invalid")
    await edit(WAVE)
    for (const _ of ["again", "and no more"]) await plugin.fallIdle(LEAD)
    expect(approvals(plugin)).toBe(2)
    const next = openPlugin(root, readOptions(QUICK))
    for (const _ of ["again", "and no more"]) await next.fallIdle(LEAD)
    expect(approvals(next)).toBe(1)
    expect(await linesOf(root, "awaiting-approval")).toEqual(["rest", "rest", "rest"])
    await plugin.hooks.dispose?.()
    await next.hooks.dispose?.()
  }))

test("each wave that waits for approval is written and said, and a wait that lasts once", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, WAVE, QUICK)
    for (const [child, output] of [
      ["ses_f", "all good\nVERDICT: PASS"],
      ["ses_g", "all good, with the docs\nVERDICT: PASS"],
    ] as const) {
      await plugin.say(LEAD, "Have it reviewed")
      await plugin.delegate({ lead: LEAD, key: "F1", child, output })
      await plugin.fallIdle(LEAD)
      await plugin.fallIdle(LEAD)
      expect((await work()).awaiting_approval).not.toBeNull()
    }
    expect(await linesOf(root, "awaiting-approval")).toEqual(["rest", "rest"])
    expect(approvals(plugin)).toBe(2)
    await plugin.hooks.dispose?.()
  }))
