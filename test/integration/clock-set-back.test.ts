import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { MOVED_CLOCK, setAhead } from "../support/host-clock.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"

setDefaultTimeout(120_000)

const DAY_MS = 86_400_000

let host: OpencodeHost
afterEach(() => host.stop())

async function moveClock(ms: number): Promise<void> {
  setAhead(host, ms)
  await host.waitFor(
    async () => {
      const { time } = await host.session(await host.createSession())
      return Math.abs(time.created - Date.now() - ms) < DAY_MS / 2
    },
    { what: "the host's clock is set" },
  )
}

/** The host takes the newest message by its time: what it was told before its clock was set back hides all that comes then. */
test.each(TESTED_VERSIONS)(
  "opencode %s: prompts that it does not answer, its clock set back, are failed turns",
  async (version) => {
    host = await startHost({
      version,
      files: {
        ".boulder/plans/demo.md": planOf("Write a.txt", "Write b.txt"),
        ...MOVED_CLOCK.files,
      },
      env: MOVED_CLOCK.env,
      pluginOptions: {
        continuation: { cooldown_seconds: 0, backoff_seconds: 0, pause_after_failures: 3 },
      },
      script: () => ({ text: "over" }),
    })
    await moveClock(DAY_MS)
    const session = await host.createSession()
    await host.prompt(session, "Good evening")
    await moveClock(0)
    void host.command(session, "start-work", "demo").catch(() => undefined)
    await host.waitFor(() => host.journal().some(({ decision }) => decision === "pause"), {
      what: "the work is paused",
    })
    expect(host.journal().at(-1)).toMatchObject({ decision: "pause", reason: "backing-off" })
    const continued = host.journal().filter(({ decision }) => decision === "continue")
    expect(continued).toHaveLength(3)
    expect(host.model.mainRequests(session)).toHaveLength(1)
    const [work] = Object.values(host.boulder()?.works ?? {})
    const refusal = expect.stringContaining("opencode accepted the prompts and answered none")
    expect(work).toMatchObject({ status: "paused", continuation: { failures: 3 }, refusal })
    const toasts = () => host.eventsOf("tui.toast.show").map(({ properties }) => properties)
    await host.waitFor(() => toasts().length > 0, { what: "the pause is shown" })
    expect(toasts()[0]).toMatchObject({ message: refusal })
    // As time goes on the host answers again: what is newest is so by its clock too.
    await moveClock(2 * DAY_MS)
    await host.command(session, "start-work", "demo")
    await host.waitFor(() => host.model.mainRequests(session).length > 2, {
      what: "the work is continued",
    })
    expect(host.model.mainRequests(session).at(-1)?.lastUserText).toContain(
      "Continue the plan demo",
    )
  },
)
