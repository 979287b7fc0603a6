import { describe, expect, setDefaultTimeout, test } from "bun:test"
import contexts from "../fixtures/hosts/setup-contexts.json" with { type: "json" }
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { startHost } from "../support/opencode-host.ts"
import { callsOfEntry, WATCHED } from "../support/setup-probe.ts"

setDefaultTimeout(400_000)

/** The default export in real hosts: `server` runs once; `setup`, where a host calls it too, does nothing. */

/** Beside the tested ones the first that calls `setup`. */
const versions = TESTED_VERSIONS.includes("1.15.13")
  ? [...TESTED_VERSIONS, "1.17.11"]
  : TESTED_VERSIONS
const recorded: Readonly<Record<string, object>> = contexts.recorded

describe.each(versions)("opencode %s", (version) => {
  test("`server` runs, and `setup` beside it calls nothing of what it is given", async () => {
    const host = await startHost({ ...WATCHED, version })
    try {
      const session = await host.createSession()
      // The host opens what calls `setup` with the first turn.
      await host.prompt(session, "hello")
      const ctx = recorded[version]
      if (ctx !== undefined) await host.waitFor(() => callsOfEntry(host).setups.length > 0)
      const { servers, setups } = callsOfEntry(host)
      expect(servers).toBe(1)
      for (const setup of setups) expect(setup).toEqual({ ctx, called: [] } as never)
      const commands = await host.commandNames()
      expect(commands.filter((name) => name === "start-work")).toHaveLength(1)
      expect(host.log()).not.toContain("OpenCode 2")
    } finally {
      await host.stop()
    }
  })
})
