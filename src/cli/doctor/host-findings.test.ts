import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { chmod, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PINNED_VERSION } from "../../../test/support/host-version.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { TRIED_HOSTS } from "../../headless/tried-hosts.ts"
import { hostFinding, pluginFindings } from "./host-findings.ts"

/** What is said of a program of this name, version and help, and of one by a link of another name. */
const hostOf = (name: string, version: string, more: { help?: string; link?: string } = {}) =>
  withFolder(async (root) => {
    const binary = join(root, name)
    await writeFile(
      binary,
      `#!/bin/sh\n[ "$1" = --help ] && echo '${more.help ?? ""}' >&2 || echo '${version}'\n`,
    )
    await chmod(binary, 0o755)
    const called = join(root, more.link ?? name)
    if (more.link !== undefined) await symlink(binary, called)
    return hostFinding(root, { ...process.env, OPENCODE_BIN: called })
  })
const found = async (name: string, version: string) => (await hostOf(name, version)).finding

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
  test("the one in which npm test runs is in it, with all that it does", () => {
    const pinned = TRIED_HOSTS[PINNED_VERSION]
    expect(pinned).toMatchObject({ suite: "integration" })
    const passed = `${pinned?.passed} of ${(pinned?.passed ?? 0) + (pinned?.failed ?? 0)}`
    expect(rows).toContainEqual({ host: `opencode ${PINNED_VERSION}`, passed })
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
  test.each([
    { name: "opencode", version: "1.15.13-beta.2" },
    { name: "opencode", version: "1.14.41-rc.1" },
    { name: "opencode", version: "1.17.11+abc" },
    { name: "kilo", version: "7.7.7-rc.1" },
  ])("$name $version is no release that was tried", async ({ name, version }) => {
    const { finding, release } = await hostOf(name, version)
    expect(finding.says).toContain(`${version} at `)
    expect(finding.says).toContain("not in the README's table")
    expect(release).toBeNull()
  })
  test.each([{ version: "0.0.0-dev-202511221030" }, { version: "local" }])(
    "$version is a development build",
    async ({ version }) => {
      const { finding, name, release } = await hostOf("opencode", version)
      expect(finding).toMatchObject({ level: "ok", todo: null })
      expect(finding.says).toEndWith(
        ": a development build, not in the README's table of tested hosts",
      )
      expect({ name, release }).toEqual({ name: "opencode", release: null })
    },
  )
})

describe("Kilo is known", () => {
  test.each(["kilo.cmd", "kilocode", "Kilo", "kilo-linux-x64"])("as %s", async (name) => {
    const { finding, name: host } = await hostOf(name, "7.7.7")
    expect(host).toBe("kilo")
    expect(finding.says).toStartWith("Kilo 7.7.7")
  })
  test("behind a link of another name", async () => {
    const { name, release } = await hostOf("kilo", "7.7.7", { link: "kc" })
    expect({ name, release }).toEqual({ name: "kilo", release: "7.7.7" })
  })
  test("by what it says in its help", async () => {
    const help = "Commands:\n  kilo run [message..]     run kilo with a message"
    const { name, finding } = await hostOf("kc", "7.7.7", { help })
    expect({ name, level: finding.level }).toEqual({ name: "kilo", level: "ok" })
  })
  test("opencode is none", async () => {
    const help = "  opencode run [message..]  run opencode with a message"
    expect((await hostOf("oc", "1.18.33", { help })).name).toBe("opencode")
  })
})

test("a name that opencode cannot load is not advised for the panel", async () => {
  const plugin = { file: "opencode.json", part: "server", options: undefined } as const
  const config = { folders: [], ofUser: [], packages: [], attention: [], broken: [] }
  const found = await pluginFindings({
    ...config,
    plugins: [{ ...plugin, spec: "file:///nowhere/opencode-boulder" }],
  })
  expect(found.map(({ check, level }) => `${check} ${level}`)).toEqual(["plugin bad", "options ok"])
})
