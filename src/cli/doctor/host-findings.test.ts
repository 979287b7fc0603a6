import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../../../test/support/store-folder.ts"
import { TRIED_HOSTS } from "../../headless/tried-hosts.ts"
import { hostFinding } from "./host-findings.ts"

const found = (name: string, version: string) =>
  withFolder(async (root) => {
    const binary = join(root, name)
    await writeFile(binary, `#!/bin/sh\necho ${version}\n`)
    await chmod(binary, 0o755)
    return (await hostFinding(root, { ...process.env, OPENCODE_BIN: binary })).finding
  })

/** The hosts of the README's table, each with the tests that pass in it, as they stand there. */
const README = readFileSync(join(import.meta.dir, "../../../README.md"), "utf8")
const [, table = ""] = /<!-- hosts:.*\n([\s\S]*?)<!-- \/hosts -->/.exec(README) ?? []
const rows = [...table.matchAll(/^\| ((?:opencode|Kilo|OpenCode) [\d.]+) \| ([^|]+?) \|/gm)].map(
  ([, host = "", passed = ""]) => ({ host, passed }),
)
const tried = rows.filter(({ host }) => host !== "OpenCode 2")

describe("a host says on which side of the README's table it is", () => {
  test("all that were tried are in it, and OpenCode 2", () => {
    expect(tried).toHaveLength(Object.keys(TRIED_HOSTS).length)
    expect(rows.at(-1)).toEqual({ host: "OpenCode 2", passed: "not supported" })
  })
  test.each(tried)("$host is: $passed", async ({ host, passed }) => {
    const [name = "", version = ""] = host.toLowerCase().split(" ")
    const { level, says } = await found(name, version)
    expect(level).toBe("ok")
    expect(says).toStartWith(host)
    expect(says).toContain(`: ${passed} of our tests pass in it`)
  })
  test.each([
    { name: "kilo", version: "7.0.33" },
    { name: "opencode", version: "1.16.7" },
  ])("$name $version is not", async ({ name, version }) => {
    const { level, says } = await found(name, version)
    expect(level).toBe("ok")
    expect(says).toContain("not in the README's table")
  })
  test.each([
    { version: "1.14.40", why: "older than 1.14.41" },
    { version: "2.3.2", why: "version 2 is not supported yet" },
  ])("opencode $version is on none: $why", async ({ version, why }) => {
    const { level, says } = await found("opencode", version)
    expect(level).toBe("bad")
    expect(says).toContain(why)
  })
})
