import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { withFolder } from "../support/store-folder.ts"

const ROOT = join(import.meta.dir, "../..")
const KNOWN = { suite: "versions", passed: 16, failed: 0, on: "2026-11-01", files: { entry: 16 } }

/** Runs a suite with `--record` in a copy of its own, with lines in the place of what bun prints; a last line says how bun ends. */
async function recorded(suite: string, lines: readonly string[], end = "exit 1") {
  return withFolder(async (root) => {
    for (const folder of ["test/integration", "src/headless", "node_modules/.bin"])
      await mkdir(join(root, folder), { recursive: true })
    await cp(join(ROOT, "test/run-tests.mjs"), join(root, "test/run-tests.mjs"))
    const put = (path: string, text: string) => writeFile(join(root, path), text)
    const hosts = ["1.14.41", "1.15.13", "1.17.11", "kilo 7.7.7", "1.18.33"]
    const known = Object.fromEntries(hosts.map((host) => [host, KNOWN]))
    await put("src/headless/tried-hosts.json", JSON.stringify(known))
    const devDependencies = { "opencode-ai": "1.18.33" }
    await put("package.json", JSON.stringify({ scripts: { build: "true" }, devDependencies }))
    await put("test/integration/entry.test.ts", "// TESTED_VERSIONS")
    await put("printed", `${lines.join("\n")}\n`)
    const bun = join(root, "node_modules/.bin/bun")
    await writeFile(bun, `#!/bin/sh\ncat '${join(root, "printed")}'\n${end}\n`)
    await chmod(bun, 0o755)
    const args = ["test/run-tests.mjs", `--only=${suite}`, "--record"]
    const { stdout } = spawnSync("node", args, { cwd: root, encoding: "utf8" })
    const tried = JSON.parse(await readFile(join(root, "src/headless/tried-hosts.json"), "utf8"))
    return { tried, stdout }
  })
}

const FILE = "test/integration/entry.test.ts:"
const pass = (name: string) => `(pass) opencode ${name}`
const summary = (passed: number, failed: number) => ["", ` ${passed} pass`, ` ${failed} fail`]

describe("what --record writes down", () => {
  test("how a run that has ended went, in each of its hosts", async () => {
    const lines = [pass("1.14.41 > a"), pass("1.15.13 > a"), "(fail) opencode 1.17.11 > a"]
    const { tried } = await recorded("versions", [FILE, ...lines, ...summary(2, 1)])
    expect(tried["1.14.41"]).toMatchObject({ passed: 1, failed: 0, files: { entry: 1 } })
    expect(tried["1.17.11"]).toMatchObject({ passed: 0, failed: 1, files: { entry: 1 } })
  })
  test.each([
    { end: "exit 139", how: "died" },
    { end: "kill -9 $$", how: "was killed" },
    { end: "exit 0", how: "ended without its summary" },
  ])("nothing of a run that $how half-way", async ({ end }) => {
    const lines = [FILE, pass("1.18.33 > a"), pass("1.18.33 > b")]
    const { tried, stdout } = await recorded("integration", lines, end)
    expect(tried["1.18.33"]).toEqual(KNOWN)
    expect(stdout).toContain("integration: not recorded: it has not run to its end")
  })
  test("nothing of a run that did not start", async () => {
    const { tried, stdout } = await recorded("versions", ["error: cannot start"])
    expect(tried["1.14.41"]).toEqual(KNOWN)
    expect(stdout).toContain("versions: not recorded: it has not run to its end")
  })
  test("nothing of a host in which no test ran", async () => {
    const { tried, stdout } = await recorded("versions", [
      FILE,
      pass("1.15.13 > a"),
      ...summary(1, 0),
    ])
    expect(tried["1.14.41"]).toEqual(KNOWN)
    expect(tried["1.15.13"]).toMatchObject({ passed: 1 })
    expect(stdout).toContain("versions: not recorded: no test ran in 1.14.41")
  })
  test.each([{ failed: 0 }, { failed: 1 }])(
    "a file that fails to load as a failure, which bun counts as $failed",
    async ({ failed }) => {
      const lines = ["(pass) a", "error: Cannot find module", ...summary(1, failed), " 1 error"]
      const { tried } = await recorded("kilo", [FILE, ...lines])
      expect(tried["kilo 7.7.7"]).toMatchObject({ passed: 1, failed: 1 })
    },
  )
})

test("what has failed stands again before the summary, where a long log is cut at its start", async () => {
  const lines = [FILE, pass("1.14.41 > a"), "error: Expected 1; found 2.", "(fail) b", pass("c")]
  const { stdout } = await recorded("versions", [...lines, ...summary(2, 1)])
  const end = stdout.slice(stdout.indexOf("── failed in versions"))
  expect(end).toMatch(
    /^── failed in versions ─+\nerror: Expected 1; found 2\.\n\(fail\) b\n\n── summary/,
  )
})
