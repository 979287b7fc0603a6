import { expect, test } from "bun:test"
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

test("a host says whether our tests have run in it; Kilo has versions of its own", async () => {
  const { passed, failed } = TRIED_HOSTS["kilo 7.7.7"] ?? { passed: 0, failed: 0 }
  const tried = `${passed} of ${passed + failed} of our tests pass in it`
  const kilo = await found("kilo", "7.7.7")
  expect(kilo.level).toBe("ok")
  expect(kilo.says).toStartWith("Kilo 7.7.7")
  expect(kilo.says).toContain(tried)
  for (const [name, version] of [
    ["kilo", "7.0.33"],
    ["opencode", "1.16.7"],
  ] as const)
    expect(await found(name, version)).toMatchObject({
      level: "ok",
      says: expect.stringContaining("not in the README's table"),
    })
})
